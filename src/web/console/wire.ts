// What the desk answers to the console, as the browser sees it (docs/spec/api.md).

import type * as z from 'zod';
import type { categoryShape, customFieldShape, priorityShape } from '../../http/wire/catalogue.ts';
import type { eventShape } from '../../http/wire/event.ts';
import type { messageShape } from '../../http/wire/message.ts';
import type { agentShape } from '../../http/wire/people.ts';
import type { ticketDetailShape, ticketShape } from '../../http/wire/ticket.ts';

export type Category = z.output<typeof categoryShape>;
export type Priority = z.output<typeof priorityShape>;
export type CustomField = z.output<typeof customFieldShape>;
export type Colleague = z.output<typeof agentShape>;
export type WireEvent = z.output<typeof eventShape>;

/** What views, bulk changes and drafts add to the shapes. */
interface TicketExtras {
  snoozed_until: string | null;
  is_spam: boolean;
  split_from: string | null;
  snippet: string | null;
  is_unread: boolean;
  next_due: { clock: 'first_response' | 'resolution'; at: string; is_breached: boolean; is_paused: boolean } | null;
}

interface MessageExtras {
  /** Not sent yet; only agents see it. */
  send_at: string | null;
  mentions: { id: number; name: string }[];
}

export type Message = Omit<z.output<typeof messageShape>, 'body_format'> &
  MessageExtras & { body_format: 'text' | 'html' | 'markdown' };
export type Attachment = Message['attachments'][number];
/** A row of a list. */
export type Ticket = z.output<typeof ticketShape> & TicketExtras;
/** With its thread. */
export type TicketDetail = Omit<z.output<typeof ticketDetailShape>, 'messages'> &
  TicketExtras & { messages: Message[] };

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
