// What the desk answers to the console, as the browser sees it (docs/spec/api.md).

import type * as z from 'zod';
import type { categoryShape, customFieldShape, priorityShape } from '../../http/wire/catalogue.ts';
import type { eventShape } from '../../http/wire/event.ts';
import type { messageShape } from '../../http/wire/message.ts';
import type { agentShape } from '../../http/wire/people.ts';
import type { ticketDetailShape, ticketShape } from '../../http/wire/ticket.ts';
import type { ticketLinkShape } from '../../http/wire/ticket-link.ts';

export type Category = z.output<typeof categoryShape>;
export type Priority = z.output<typeof priorityShape>;
export type CustomField = z.output<typeof customFieldShape>;
export type Colleague = z.output<typeof agentShape>;
export type WireEvent = z.output<typeof eventShape>;

export type Message = z.output<typeof messageShape>;
export type Attachment = Message['attachments'][number];
/** A row of a list. */
export type Ticket = z.output<typeof ticketShape>;
/** With its thread. */
export type TicketDetail = z.output<typeof ticketDetailShape>;

export type CustomerLink = z.output<typeof ticketLinkShape>;

export interface List<Row> {
  data: Row[];
}

export interface Macro {
  id: number;
  name: string;
  body: string;
  body_format: 'text' | 'markdown';
  changes: Record<string, unknown>;
  site_id: number | null;
  is_shared: boolean;
  is_own: boolean;
  position: number;
  created_at: string;
  updated_at: string;
}
