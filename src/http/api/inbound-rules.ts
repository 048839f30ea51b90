// The agent surface: inbound rules and their dry run (docs/spec/api.md#inbound-mail).

import * as z from 'zod';
import { authorise, findSite } from '../../desk/access.ts';
import { inboundRules } from '../../desk/inbound/rules.ts';
import { inboundOutcomes } from '../../domain/inbound.ts';
import { type RuleChangeInput, type RuleInput, ruleChangeInput, ruleInput } from '../../domain/input/channels.ts';
import { patternProblem } from '../../domain/rules/pattern.ts';
import { type Call, type Operation, operation } from '../operation.ts';
import { presentRule, ruleShape } from '../wire/catalogue.ts';
import { presentPreview, traceShape } from '../wire/inbound-mail.ts';
import { jsonReply } from '../wire/respond.ts';
import { catalogueOperations } from './catalogue.ts';
import { siteName } from './parameters.ts';

/** Compiling fifty expressions would block the event loop, so each gets a turn of its own before the write step. */
async function compileExpressions(call: Call<unknown, RuleInput | RuleChangeInput>): Promise<void> {
  const { conditions = [] } = call.body;
  authorise(call.ctx, 'manage');
  for (const { operator, value } of conditions) {
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
    .meta({
      description: 'The source of a message (MIME).',
      examples: ['From: mia@example.org\r\nSubject: Invoice\r\n\r\nHello'],
    }),
});

// The dry run is first: `inbound-rules/{id}` would take `test` for an id.
export const inboundRuleOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/api/v1/sites/{site}/inbound-rules/test',
    id: 'testInboundRules',
    tag: 'Inbound rules',
    summary: 'Test the inbound rules on a message',
    description:
      'A dry run: it reports which rules match, why, and what they would do. It changes nothing, but it is as much work as filing mail, so it needs the abilities "read" and "write".',
    access: 'team',
    ability: 'write',
    isDryRun: true,
    body: previewInput,
    answer: {
      status: 200,
      description: 'The trace of every rule, and the combined effects',
      schema: z.object({
        data: z.object({
          kind: z.string(),
          outcome: z.enum(inboundOutcomes),
          reason: z.string(),
          ticket: z.object({ ulid: z.string(), reference: z.string() }).nullable(),
          rules: z.array(traceShape),
          effects: z.record(z.string(), z.unknown()),
        }),
      }),
    },
    errors: [404],
    async handle(call) {
      const { raw } = call.body;
      call.edge.desk.read((tx) => {
        authorise(call.ctx, 'read');
        authorise(call.ctx, 'write');
        findSite(tx, call.ctx, siteName(call));
        return null;
      });
      return jsonReply(200, {
        data: presentPreview(await call.edge.mailroom.preview(siteName(call), new TextEncoder().encode(raw))),
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
    present: presentRule,
    before: compileExpressions,
  }),
];
