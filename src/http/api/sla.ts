// The agent surface: how a ticket's deadlines came about, and recomputing them (docs/spec/behaviour.md#sla).

import * as z from 'zod';
import { explainSla } from '../../desk/sla.ts';
import { can } from '../../domain/actor.ts';
import { type Operation, operation } from '../operation.ts';
import { jsonReply } from '../wire/respond.ts';
import { ledgerShape, maybeTime, presentLedger, presentMoved } from '../wire/sla.ts';
import { siteName, ticketName } from './parameters.ts';

const recomputeInput = z.object({
  dry_run: z.boolean().nullish().meta({ description: 'List what would move, and change nothing.' }),
});
const moved = z.object({ from: maybeTime(), to: maybeTime() });
// What is listed is bounded; what is moved is not.
const maxListed = 1000;

export const agentSlaOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/tickets/{ticket}/sla',
    id: 'explainSla',
    tag: 'Tickets',
    summary: 'How both deadlines came about',
    description:
      'Every stretch counted, outside working hours, paused or resolved; the counted ones up to the deadline add up to the target.',
    access: 'team',
    answer: { status: 200, description: 'Both clocks as a ledger', schema: z.object({ data: ledgerShape }) },
    errors: [404],
    handle: (call) =>
      call.edge.desk.read((tx) => jsonReply(200, { data: presentLedger(explainSla(tx, call.ctx, ticketName(call))) })),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/sites/{site}/sla/recompute',
    id: 'recomputeSla',
    tag: 'Sites',
    summary: "Put a site's open tickets under its present policy",
    description:
      "Open and pending tickets take up the policy and their priorities' targets as they are now. Resolved and closed ones keep the deadlines that they were resolved by. A hundred tickets at a time change together, and others write in between: each ticket is under one policy or the other, never between them. Once begun it goes on to the end, also when the request or the desk is cut short; asking again finds nothing left to move. Whoever changes the policy meanwhile asks once more.",
    access: 'team',
    body: recomputeInput,
    isBodyOptional: true,
    answer: {
      status: 200,
      description: `What moved, or would; at most ${maxListed} are listed`,
      schema: z.object({
        message: z.string(),
        dry_run: z.boolean(),
        moved: z.int(),
        data: z.array(
          z.object({
            ticket_ulid: z.string(),
            reference: z.string(),
            first_response_due_at: moved,
            resolution_due_at: moved,
          }),
        ),
      }),
    },
    errors: [404, 409],
    async handle(call) {
      const isDryRun = call.body.dry_run ?? false;
      const { recomputer } = call.edge;
      const site = siteName(call);
      const { total, listed, failed } = isDryRun
        ? await recomputer.preview(call.ctx, site, maxListed)
        : await recomputer.run(call.ctx, site, maxListed);
      const done = isDryRun ? `${total} tickets would move.` : `${total} tickets moved.`;
      const message = failed === 0 ? done : `${done} ${failed} cannot be recomputed and stay as they are; see the log.`;
      return call.commit(() => {
        const data = can(call.actor, 'read') ? listed.map(presentMoved) : [];
        return jsonReply(200, { message, dry_run: isDryRun, moved: total, data });
      });
    },
  }),
];
