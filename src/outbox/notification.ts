// What a channel is told about a ticket, in plain values: the one source of every platform's payload.

import type { Deadline } from '../domain/deadline.ts';

export interface NotifiedTicket {
  ulid: string;
  id: number;
  /** `#41` */
  reference: string;
  subject: string;
  status: string;
  priority: string | null;
  authorName: string | null;
}

/** A public message; notes are never part of a notification. */
interface NotifiedMessage {
  ulid: string;
  body: string;
  isAgent: boolean;
  agentName: string | null;
  /** Who wrote it, or whose ticket an agent answered. */
  authorName: string | null;
  authorExternalId: string | null;
}

interface Envelope {
  /** The same over all tries, so that a receiver recognises a repeat. */
  deliveryId: string;
  /** When it happened, epoch milliseconds. */
  at: number;
  /** Where an agent opens the ticket, or the desk itself for `channel.test`. */
  url: string;
  site: { id: number; slug: string; name: string };
}

export type Notification = Envelope &
  (
    | { event: 'ticket.created' | 'ticket.replied'; ticket: NotifiedTicket; message: NotifiedMessage }
    | { event: 'ticket.status_changed'; ticket: NotifiedTicket; oldStatus: string; newStatus: string }
    | { event: 'ticket.assigned'; ticket: NotifiedTicket; assignee: { id: number; name: string } | null }
    | { event: 'ticket.sla_warning' | 'ticket.sla_breached'; ticket: NotifiedTicket; deadline: Deadline }
    | { event: 'channel.test'; ticket: null; channelName: string }
  );
