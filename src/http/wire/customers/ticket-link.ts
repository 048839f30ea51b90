// The links that customers have to a ticket, as agents see them.

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import type { ListedLink } from '../../../desk/customers/ticket-links.ts';
import { customerLinkKinds } from '../../../domain/customers/link.ts';
import type { CustomerLink } from '../../../store/customers/links.ts';
import { presenter } from '../presenter.ts';
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

const presentLink = presenter(ticketLinkShape, ({ createdAt, kind }: CustomerLink, isConfirmed: boolean) => ({
  kind: kind as z.output<typeof ticketLinkShape>['kind'],
  sent_at: toWire(createdAt),
  is_confirmed: isConfirmed,
}));
export const presentTicketLink = ({ link, isConfirmed }: ListedLink) => presentLink(link, isConfirmed);
