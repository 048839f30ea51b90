// What the desk answers to the console, as the browser sees it (docs/spec/api.md).

import type * as z from 'zod';
import type { ticketLinkShape } from '../../http/wire/customers/ticket-link.ts';
import type { eventShape } from '../../http/wire/event.ts';
import type { notificationShape } from '../../http/wire/notifications/notification.ts';
import type { agentShape, teamShape } from '../../http/wire/people/people.ts';
import type { categoryShape, customFieldShape, priorityShape } from '../../http/wire/sites/catalogue.ts';
import type { senderShape } from '../../http/wire/sites/sender.ts';
import type { ticketChoicesShape } from '../../http/wire/sites/ticket-choices.ts';
import type { macroShape } from '../../http/wire/tickets/macro.ts';
import type { messageShape } from '../../http/wire/tickets/message.ts';
import type { sideConversationShape } from '../../http/wire/tickets/side-conversation.ts';
import type { ticketDetailShape, ticketShape } from '../../http/wire/tickets/ticket.ts';

export type Category = z.output<typeof categoryShape>;
export type Priority = z.output<typeof priorityShape>;
export type CustomField = z.output<typeof customFieldShape>;
export type Sender = z.output<typeof senderShape>;
export type Team = z.output<typeof teamShape>;
export type TicketChoices = z.output<typeof ticketChoicesShape>;
export type Colleague = z.output<typeof agentShape>;
export type Notification = z.output<typeof notificationShape>;
export type WireEvent = z.output<typeof eventShape>;

export type Message = z.output<typeof messageShape>;
export type Attachment = Message['attachments'][number];
/** A row of a list. */
export type Ticket = z.output<typeof ticketShape>;
/** With its thread. */
export type TicketDetail = z.output<typeof ticketDetailShape>;

export type SideConversation = z.output<typeof sideConversationShape>;

export type CustomerLink = z.output<typeof ticketLinkShape>;

export interface List<Row> {
  data: Row[];
}

export type Macro = z.output<typeof macroShape>;
