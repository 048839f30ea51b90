// The agent surface: triggers, timed rules, recurring tickets, and what they did (docs/spec/automation.md).

import * as z from 'zod';
import { recurringTickets } from '../../../desk/rules/recurring-tickets.ts';
import { timedRules } from '../../../desk/rules/timed-rules.ts';
import { triggers } from '../../../desk/rules/triggers.ts';
import type { Catalogue } from '../../../desk/sites/catalogue/verbs.ts';
import {
  recurringTicketChangeInput,
  recurringTicketInput,
  timedRuleChangeInput,
  timedRuleInput,
  triggerChangeInput,
  triggerInput,
} from '../../../domain/input/automation.ts';
import type { AutomationKind } from '../../../domain/rules/trigger.ts';
import { runsOfRule, runsSince } from '../../../store/rules/automation.ts';
import { answered, type Operation, operation } from '../../operation.ts';
import { number } from '../../wire/queries.ts';
import { jsonReply } from '../../wire/respond.ts';
import {
  presentRecurringTicket,
  presentRun,
  presentTimedRule,
  presentTrigger,
  recurringTicketShape,
  runShape,
  timedRuleShape,
  triggerShape,
} from '../../wire/rules/automation.ts';
import { idOf, siteName } from '../parameters.ts';
import { catalogueOperations } from '../sites/catalogue.ts';
import { compileExpressions } from './rules.ts';

const usualPage = 50;
const mostPerPage = 100;

function runsOperation(
  path: string,
  kind: AutomationKind,
  name: string,
  verbs: Pick<Catalogue<{ id: number }, never, never>, 'read' | 'noun'>,
): Operation {
  return operation({
    method: 'GET',
    path: `/api/v1/sites/{site}/${path}/{id}/runs`,
    id: `list${name}Runs`,
    tag: 'Automation',
    summary: `List what a ${verbs.noun} did`,
    description: 'Of the last 30 days, the newest first: each ticket, why, and what changed.',
    access: 'team',
    ability: 'read',
    query: z.object({
      cursor: number().optional().meta({ description: 'meta.next_cursor of the previous page.' }),
      per_page: number().optional(),
    }),
    answer: answered(
      200,
      'One page',
      z.object({
        data: z.array(runShape),
        meta: z.object({ per_page: z.int(), next_cursor: z.string().nullable() }),
      }),
    ),
    errors: [404],
    read(tx, call) {
      const { row } = verbs.read(tx, call.ctx, siteName(call), idOf(call, verbs.noun));
      const { cursor, per_page: asked } = call.query;
      const perPage = Math.min(Math.max(1, asked ?? usualPage), mostPerPage);
      const before = cursor ?? Number.MAX_SAFE_INTEGER;
      // One extra row shows whether there is a next page.
      const rows = runsOfRule(tx, kind, row.id, before, runsSince(call.ctx.now), perPage + 1);
      const shown = rows.slice(0, perPage);
      const next = rows.length > perPage ? String(shown.at(-1)?.firstSeq) : null;
      return jsonReply(200, {
        data: shown.flatMap((run) => presentRun(tx, run, kind) ?? []),
        meta: { per_page: perPage, next_cursor: next },
      });
    },
  });
}

export const automationOperations: readonly Operation[] = [
  ...catalogueOperations({
    path: 'triggers',
    tag: 'Automation',
    one: 'Trigger',
    many: 'Triggers',
    verbs: triggers,
    input: triggerInput,
    change: triggerChangeInput,
    shape: triggerShape,
    present: (row, site, call, tx) => presentTrigger(row, site, tx, call.ctx.now),
    before: (call) => compileExpressions(call, call.body.conditions ?? []),
  }),
  runsOperation('triggers', 'trigger', 'Trigger', triggers),
  ...catalogueOperations({
    path: 'timed-rules',
    tag: 'Automation',
    one: 'TimedRule',
    many: 'TimedRules',
    verbs: timedRules,
    input: timedRuleInput,
    change: timedRuleChangeInput,
    shape: timedRuleShape,
    present: (row, site, call, tx) => presentTimedRule(row, site, tx, call.ctx.now),
    before: (call) => compileExpressions(call, call.body.conditions ?? []),
  }),
  runsOperation('timed-rules', 'timed_rule', 'TimedRule', timedRules),
  ...catalogueOperations({
    path: 'recurring-tickets',
    tag: 'Automation',
    one: 'RecurringTicket',
    many: 'RecurringTickets',
    verbs: recurringTickets,
    input: recurringTicketInput,
    change: recurringTicketChangeInput,
    shape: recurringTicketShape,
    present: (row, site, call, tx) => presentRecurringTicket(row, site, tx, call.ctx.now),
  }),
  runsOperation('recurring-tickets', 'recurring_ticket', 'RecurringTicket', recurringTickets),
];
