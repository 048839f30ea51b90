// The agent surface: inbound rules and their dry run (docs/spec/api.md#inbound-mail).

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import { authorise, findSite } from '../../../desk/access.ts';
import { inboundRules } from '../../../desk/rules/rules.ts';
import { invalid } from '../../../domain/errors.ts';
import { ruleChangeInput, ruleInput } from '../../../domain/input/channels.ts';
import { inboundOutcomes } from '../../../domain/mail/inbound.ts';
import { patternProblem } from '../../../domain/rules/pattern.ts';
import { referenceOf } from '../../../domain/tickets/ticket.ts';
import { countedSince, ruleCounts, ticketsOfRule } from '../../../store/rules/rule-counts.ts';
import { ticketById } from '../../../store/tickets/tickets.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import { presentPreview, traceShape } from '../../wire/mail/inbound-mail.ts';
import { jsonReply } from '../../wire/respond.ts';
import { id } from '../../wire/shapes.ts';
import { presentRule, ruleShape } from '../../wire/sites/catalogue.ts';
import { idOf, siteName } from '../parameters.ts';
import { catalogueOperations } from '../sites/catalogue.ts';

type Expression = { operator: string; value?: unknown };

/** Compiling fifty expressions would block the event loop, so each gets a turn of its own before the write step. */
export async function compileExpressions(
  { ctx }: Pick<Call, 'ctx'>,
  parts: readonly (Expression | { conditions: readonly Expression[] })[],
): Promise<void> {
  authorise(ctx, 'manage');
  for (const { operator, value } of parts.flatMap((part) => ('conditions' in part ? part.conditions : [part]))) {
    if (operator !== 'matches' || typeof value !== 'string') continue;
    patternProblem(value);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const previewInput = z.object({
  raw: z
    .string()
    .min(1)
    .max(700_000)
    .optional()
    .meta({
      description: 'The source of a message (MIME).',
      examples: ['From: mia@example.org\r\nSubject: Invoice\r\n\r\nHello'],
    }),
  inbound_id: id().optional().meta({ description: 'In the place of raw: a message of the inbound log.' }),
});

function messageOf({ raw, inbound_id: stored }: z.output<typeof previewInput>): Uint8Array | number {
  if ((raw === undefined) === (stored === undefined)) throw invalid('raw', 'is required, or inbound_id in its place.');
  return stored ?? new TextEncoder().encode(raw);
}

const mostTickets = 50;

// The dry run is first: `inbound-rules/{id}` would take `test` for an id.
export const inboundRuleOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/api/v1/sites/{site}/inbound-rules/test',
    id: 'testInboundRules',
    tag: 'Inbound rules',
    summary: 'Test the inbound rules on a message',
    description:
      'A dry run on a message that is sent along or stored: it reports which rules match, why, and what they would do. It changes nothing, but it is as much work as filing mail, so it needs the abilities "read" and "write".',
    access: 'team',
    ability: 'write',
    isDryRun: true,
    body: previewInput,
    answer: answered(
      200,
      'The trace of every rule, and the combined effects',
      z.object({
        data: z.object({
          kind: z.string(),
          outcome: z.enum(inboundOutcomes),
          reason: z.string(),
          ticket: z.object({ ulid: z.string(), reference: z.string() }).nullable(),
          rules: z.array(traceShape),
          effects: z.record(z.string(), z.unknown()),
        }),
      }),
    ),
    errors: [404, 409],
    async handle(call) {
      const mail = messageOf(call.body);
      call.edge.desk.read((tx) => {
        authorise(call.ctx, 'read');
        authorise(call.ctx, 'write');
        findSite(tx, call.ctx, siteName(call));
        return null;
      });
      return jsonReply(200, {
        data: presentPreview(await call.edge.mailroom.preview(siteName(call), mail)),
      });
    },
  }),
  ...catalogueOperations({
    path: 'inbound-rules',
    tag: 'Inbound rules',
    one: 'InboundRule',
    many: 'InboundRules',
    verbs: inboundRules,
    input: ruleInput,
    change: ruleChangeInput,
    shape: ruleShape,
    present: (rule, _site, call, tx) => presentRule(rule, ruleCounts(tx, rule.id, call.ctx.now)),
    before: (call) => compileExpressions(call, call.body.conditions ?? []),
  }),
  operation({
    method: 'GET',
    path: '/api/v1/sites/{site}/inbound-rules/{id}/tickets',
    id: 'listInboundRuleTickets',
    tag: 'Inbound rules',
    summary: 'List the tickets of an inbound rule',
    description: `The tickets whose mail the rule matched in the last 30 days, the newest match first, at most ${mostTickets}.`,
    access: 'team',
    ability: 'read',
    answer: answered(
      200,
      'The tickets',
      z.object({
        data: z.array(
          z.object({
            ulid: z.string(),
            reference: z.string(),
            subject: z.string(),
            matched_at: z.iso.datetime(),
          }),
        ),
      }),
    ),
    errors: [404],
    read(tx, call) {
      const { row } = inboundRules.read(tx, call.ctx, siteName(call), idOf(call, 'inbound rule'));
      const data = ticketsOfRule(tx, row.id, countedSince(call.ctx.now), mostTickets).flatMap(
        ({ ticketId, matchedAt }) => {
          const ticket = ticketById(tx, ticketId);
          if (ticket === undefined) return [];
          const { ulid, id, subject } = ticket;
          return [{ ulid, reference: referenceOf(id), subject, matched_at: toWire(matchedAt) }];
        },
      );
      return jsonReply(200, { data });
    },
  }),
];
