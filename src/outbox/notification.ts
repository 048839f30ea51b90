// What every channel notification contains; each platform formats it.

import type { DeskWideAlarm } from '../domain/event.ts';
import type { MailboxAlarm } from '../domain/mail/mailbox-alarms.ts';
import type { Deadline } from '../domain/sla/deadline.ts';
import type { Addressee, ParticipantChange } from '../domain/tickets/participant.ts';
import type { Rating } from '../domain/tickets/satisfaction.ts';

export interface NotifiedTicket {
  ulid: string;
  id: number;
  reference: string;
  subject: string;
  status: string;
  priority: string | null;
  authorName: string | null;
  participants: Addressee[];
}

interface NotifiedMessage {
  /** Null, with no text, for a ticket that begins with a note. */
  ulid: string | null;
  body: string;
  isAgent: boolean;
  agentName: string | null;
  authorName: string | null;
  authorExternalId: string | null;
}

interface Envelope {
  deliveryId: string;
  at: number;
  url: string;
  site: { id: number; slug: string; name: string };
}

export type Notification = Envelope &
  (
    | { event: 'ticket.created' | 'ticket.replied'; ticket: NotifiedTicket; message: NotifiedMessage }
    | { event: 'ticket.status_changed'; ticket: NotifiedTicket; oldStatus: string; newStatus: string }
    | {
        event: 'ticket.assigned';
        ticket: NotifiedTicket;
        assignee: { id: number; name: string } | null;
        team: { id: number; name: string } | null;
      }
    | {
        event: 'ticket.participants_changed';
        ticket: NotifiedTicket;
        changes: Record<ParticipantChange, Addressee[]>;
        leftOut: number;
      }
    | { event: 'ticket.rated'; ticket: NotifiedTicket; rating: Rating; comment: string | null }
    | { event: 'ticket.sla_warning' | 'ticket.sla_breached'; ticket: NotifiedTicket; deadline: Deadline }
    | { event: 'mailbox.alarm'; ticket: null; mailboxId: number; address: string; alarm: MailboxAlarm; reason: string }
    | { event: 'inbound.held' | DeskWideAlarm; ticket: null }
    | { event: 'channel.disabled'; ticket: null; channelId: number; channelName: string; reason: string }
    | { event: 'channel.test'; ticket: null; channelName: string }
  );
