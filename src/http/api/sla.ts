// The agent surface: the ledger of a ticket's SLA, and recomputing deadlines (docs/spec/behaviour.md#sla).

import * as z from 'zod';
import { explainSla } from '../../desk/sla.ts';
import { can } from '../../domain/actor.ts';
import { type Operation, operation } from '../operation.ts';
import { jsonReply } from '../wire/respond.ts';
import { maybeTime } from '../wire/shapes.ts';
import { ledgerShape, presentLedger, presentMoved } from '../wire/sla.ts';
import { siteName, ticketName } from './parameters.ts';

const recomputeInput = z.object({
  dry_run: z.boolean().nullish().meta({ description: 'List what would change, and change nothing.' }),
});
const moved = z.object({ from: maybeTime(), to: maybeTime() });
// Limits only the list in the answer, not the tickets that change.
const maxListed = 1000;

export const agentSlaOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/tickets/{ticket}/sla',
    id: 'explainSla',
    tag: 'Tickets',
    summary: 'Explain the SLA deadlines',
    description:
      'Lists every interval: counted, outside working hours, paused or resolved. The counted intervals up to the deadline add up to the target.',
    access: 'team',
    ability: 'read',
    answer: { status: 200, description: 'The ledger of both clocks', schema: z.object({ data: ledgerShape }) },
    errors: [404],
    handle: (call) =>
      call.edge.desk.read((tx) => jsonReply(200, { data: presentLedger(explainSla(tx, call.ctx, ticketName(call))) })),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/sites/{site}/sla/recompute',
    id: 'recomputeSla',
    tag: 'Sites',
    summary: "Recompute a site's SLA deadlines",
    description:
      "Puts open and pending tickets under the current policy and their priorities' current targets. Resolved and closed tickets keep their deadlines. Tickets change in batches of a hundred, with other writes in between, and each ticket changes as a whole. Once started, the work continues to the end, even when the request is cancelled or the desk restarts; a second request then finds nothing to change. If you change the policy during the work, send the request again.",
    access: 'team',
    ability: 'manage',
    body: recomputeInput,
    isBodyOptional: true,
    answer: {
      status: 200,
      description: `The tickets that changed, or would change; at most ${maxListed} are listed`,
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
      const message =
        failed === 0 ? done : `${done} ${failed} could not be recomputed and did not change; see the log.`;
      return call.commit(() => {
        const data = can(call.actor, 'read') ? listed.map(presentMoved) : [];
        return jsonReply(200, { message, dry_run: isDryRun, moved: total, data });
      });
    },
  }),
];
