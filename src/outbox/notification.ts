// What every channel notification contains; each platform formats it.

import type { Deadline } from '../domain/deadline.ts';

export interface NotifiedTicket {
  ulid: string;
  id: number;
  reference: string;
  subject: string;
  status: string;
  priority: string | null;
  authorName: string | null;
}

interface NotifiedMessage {
  ulid: string;
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
    | { event: 'ticket.assigned'; ticket: NotifiedTicket; assignee: { id: number; name: string } | null }
    | { event: 'ticket.sla_warning' | 'ticket.sla_breached'; ticket: NotifiedTicket; deadline: Deadline }
    | { event: 'channel.test'; ticket: null; channelName: string }
  );
