// The links that customers have to a ticket, as agents see them.

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import type { ListedLink } from '../../../desk/customers/ticket-links.ts';
import { customerLinkKinds } from '../../../domain/customers/link.ts';
import * as shapes from '../shapes.ts';

export const ticketLinkShape = shapes.named(
  'CustomerLink',
  z.object({
    ulid: shapes.ulid(),
    kind: z.enum(customerLinkKinds),
    address: z.string(),
    sent_at: shapes.time(),
    last_used_at: shapes.maybeTime(),
    uses: z.int(),
    is_confirmed: z.boolean().meta({ description: 'Whether a browser has confirmed the address in the last 90 days.' }),
    revoked_at: shapes.maybeTime(),
  }),
);

export function presentTicketLink({ link, isConfirmed }: ListedLink): z.output<typeof ticketLinkShape> {
  return {
    ulid: link.ulid,
    kind: link.kind as z.output<typeof ticketLinkShape>['kind'],
    address: link.address,
    sent_at: toWire(link.createdAt),
    last_used_at: toWire(link.lastUsedAt),
    uses: link.uses,
    is_confirmed: isConfirmed,
    revoked_at: toWire(link.revokedAt),
  };
}
