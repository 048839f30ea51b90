// What a mail to an agent shows of a ticket, and the address at which they answer it.

import { isAgentMail } from '../../domain/event.ts';
import type { Locale } from '../../domain/people/preferences.ts';
import { clockOf, isRunning, type SlaClock, slaClocks } from '../../domain/sla/clock.ts';
import type { Tx } from '../../engine/database.ts';
import { authorById } from '../../store/customers/authors.ts';
import type { Delivery } from '../../store/outbox/outbox.ts';
import { agentByEmail } from '../../store/people/agents.ts';
import type { Site } from '../../store/sites/sites.ts';
import { type Message, publicMessagesBefore } from '../../store/tickets/messages.ts';
import type { Ticket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { answerAddress } from '../mail/answer-address.ts';
import { everyoneOn } from '../tickets/recipients.ts';

export interface AgentView {
  locale: Locale | null;
  timeZone: string;
  /** Before the @; null where the site takes no answers by mail. */
  answerAddress: string | null;
  customer: { name: string | null; address: string } | null;
  /** Addresses of those who get a reply in Cc. */
  others: string[];
  clocks: { clock: SlaClock; dueAt: number | null; doneAt: number | null; isPaused: boolean }[];
  /** Newest first. */
  messages: Message[];
}

const shown = { messages: 3, characters: 12_000 };

export function agentViewOf(
  tx: Tx,
  ctx: Context,
  delivery: Delivery,
  ticket: Ticket | null,
  site: Site | null,
): AgentView | null {
  const isToAgent =
    delivery.event === 'mail.mailbox_alarm' ||
    delivery.event === 'mail.digest' ||
    delivery.event === 'mail.report' ||
    isAgentMail(delivery.event);
  if (delivery.recipient === null || !isToAgent) return null;
  const agent = agentByEmail(tx, delivery.recipient);
  const hours = site?.slaPolicy.business_hours;
  const reader = { locale: agent?.locale ?? null, timeZone: agent?.timeZone ?? hours?.timezone ?? 'UTC' };
  if (ticket === null || site === null)
    return { ...reader, answerAddress: null, customer: null, others: [], clocks: [], messages: [] };
  const author = authorById(tx, ticket.authorId);
  // An answer to what a supplier wrote must not go to the customer.
  const isAside = delivery.event === 'mail.side_answered';
  const isTold = agent?.isActive === true && site.settings.agent_mail !== 'off' && !isAside;
  return {
    ...reader,
    answerAddress: isTold ? answerAddress(ctx, ticket, agent.id, delivery.createdAt) : null,
    customer: !author || author.anonymisedAt !== null ? null : { name: author.name, address: author.email },
    others: everyoneOn(tx, ticket).flatMap(({ email, isAuthor }) => (isAuthor ? [] : [email])),
    clocks: slaClocks.flatMap((clock) => {
      const state = clockOf(ticket, clock);
      if (state.targetMinutes === null) return [];
      return [
        {
          clock,
          dueAt: isRunning(state) ? state.dueAt : null,
          doneAt: state.stoppedAt,
          isPaused: ticket.slaPausedAt !== null,
        },
      ];
    }),
    messages: publicMessagesBefore(tx, ticket.id, Number.MAX_SAFE_INTEGER, shown).messages.toReversed(),
  };
}
