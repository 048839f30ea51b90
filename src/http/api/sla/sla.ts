// The agent surface: the ledger of a ticket's SLA, and recomputing deadlines (docs/spec/behaviour.md#sla).

import * as z from 'zod';
import { previewSla } from '../../../desk/sla/preview.ts';
import { explainSla } from '../../../desk/sla/sla.ts';
import { can } from '../../../domain/actor.ts';
import { slaPreviewInput } from '../../../domain/input/sites.ts';
import { answered, type Operation, operation } from '../../operation.ts';
import { jsonReply } from '../../wire/respond.ts';
import { maybeTime } from '../../wire/shapes.ts';
import { ledgerShape, presentLedger, presentMoved, presentSlaPreview, slaPreviewShape } from '../../wire/sla/sla.ts';
import { siteName, ticketName } from '../parameters.ts';

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
    answer: answered(200, 'The ledger of both clocks', z.object({ data: ledgerShape })),
    errors: [404],
    read: (tx, call) => jsonReply(200, { data: presentLedger(explainSla(tx, call.ctx, ticketName(call))) }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/sites/{site}/sla/preview',
    id: 'previewSla',
    tag: 'Sites',
    summary: 'See when a ticket would be due',
    description:
      'A dry run for any moment, by the policy and targets in the request, or those that the site has now. It changes nothing.',
    access: 'team',
    ability: 'read',
    isDryRun: true,
    body: slaPreviewInput,
    answer: answered(200, 'Both clocks with their ledger', z.object({ data: slaPreviewShape })),
    errors: [404],
    handle(call) {
      const preview = call.edge.desk.read((tx) => previewSla(tx, call.ctx, siteName(call), call.body));
      return jsonReply(200, { data: presentSlaPreview(preview) });
    },
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
    answer: answered(
      200,
      `The tickets that changed, or would change; at most ${maxListed} are listed`,
      z.object({
        message: z.string(),
        dry_run: z.boolean(),
        moved: z.int(),
        become_late: z.int().meta({ description: 'Those of them that are late from then on, and were not before.' }),
        no_longer_late: z.int().meta({ description: 'Those of them that were late, and are not from then on.' }),
        data: z.array(
          z.object({
            ticket_ulid: z.string(),
            reference: z.string(),
            first_response_due_at: moved,
            resolution_due_at: moved,
            is_late: z.object({ from: z.boolean(), to: z.boolean() }),
          }),
        ),
      }),
    ),
    errors: [404, 409],
    async handle(call) {
      const isDryRun = call.body.dry_run ?? false;
      const { recomputer } = call.edge;
      const site = siteName(call);
      const { total, becomeLate, noLongerLate, listed, failed } = isDryRun
        ? await recomputer.preview(call.ctx, site, maxListed)
        : await recomputer.run(call.ctx, site, maxListed);
      const done = isDryRun ? `${total} tickets would move.` : `${total} tickets moved.`;
      const message =
        failed === 0 ? done : `${done} ${failed} could not be recomputed and did not change; see the log.`;
      return call.commit(() => {
        const data = can(call.actor, 'read') ? listed.map(presentMoved) : [];
        const counts = { moved: total, become_late: becomeLate, no_longer_late: noLongerLate };
        return jsonReply(200, { message, dry_run: isDryRun, ...counts, data });
      });
    },
  }),
];
