// Who has a ticket open, on the wire (docs/spec/console.md#presence).

import * as z from 'zod';
import { presenceStates, type TicketPresence } from '../../../domain/tickets/presence.ts';
import { id, named, ulid } from '../shapes.ts';

export const presentShape = named('Present', z.object({ id: id(), name: z.string(), state: z.enum(presenceStates) }));

export const ticketPresenceShape = named(
  'TicketPresence',
  z.object({ ticket: ulid(), ticket_id: id(), agents: z.array(presentShape) }),
);

export function presentPresence({ ulid: ticket, ticketId, agents }: TicketPresence) {
  return { ticket, ticket_id: ticketId, agents };
}
