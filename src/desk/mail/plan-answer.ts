// What becomes of mail to the address at which an agent answers a ticket (docs/spec/behaviour.md#answers-by-mail).

import { type AgentActor, can, isInScope } from '../../domain/actor.ts';
import { hourMs } from '../../domain/instant.ts';
import { normaliseEmail } from '../../domain/mail/address.ts';
import type { AnswerProblem } from '../../domain/mail/answer.ts';
import { heldText } from '../../domain/mail/held-texts.ts';
import { type Fate, floodLimit, held } from '../../domain/mail/inbound.ts';
import type { Tx } from '../../engine/database.ts';
import type { ReadMessage } from '../../mail/inbound/message.ts';
import { answerWasFiled, unprovenAnswersSince } from '../../store/mail/answers.ts';
import { type Agent, agentById } from '../../store/people/agents.ts';
import type { Site } from '../../store/sites/sites.ts';
import type { Ticket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { actingAgent } from '../people/acting-agent.ts';
import type { Understood } from '../rules/question.ts';
import { followMerges } from '../tickets/find-ticket.ts';
import { type AnswerTo, readAnswerAddress } from './answer-address.ts';
import { recipientsOf } from './match-ticket.ts';

export interface Answer {
  ticket: Ticket;
  agent: Agent | null;
  /** Null unless it is proven that the agent wrote it. */
  actor: AgentActor | null;
  problem: AnswerProblem | null;
  /** The agent read of another customer's ticket, which was merged into this one since. */
  isForOther: boolean;
}

type AnswerPlan = Fate & {
  reason: string;
  ticketId?: number;
  sender?: string;
  answer?: Answer;
};

/** Null if the mail is to no agent's address, and refers to none. Inbound rules do not apply: an agent decides for themselves. */
export function planAnswer(
  tx: Tx,
  ctx: Context,
  site: Site,
  filing: { rowId: number; isReleased: boolean },
  { message, classified }: Understood,
): AnswerPlan | null {
  const to = readAnswerAddress(tx, ctx, recipientsOf(message)) ?? referredTo(tx, ctx, site, message);
  if (to === null) return null;
  const ticket = to === 'unknown' || to.ticket.siteId !== site.id ? null : followMerges(tx, to.ticket);
  if (to === 'unknown' || ticket === null)
    return filing.isReleased ? null : held('undeliverable', heldText('unknown_answer_address'));
  const found = { ticketId: ticket.id };
  if (classified.kind === 'automatic') return { ...found, outcome: 'ignored_auto_reply', reason: classified.reason };
  const sender = message.from === null ? null : normaliseEmail(message.from.address);
  if (sender === null) return { ...found, ...held('undeliverable', heldText('no_sender')) };
  if (answerWasFiled(tx, ticket.id, message.contentHash, filing.rowId))
    return { ...found, outcome: 'duplicate', reason: 'The same answer was filed before.' };
  const answer = answerBy(tx, site, ticket, to, sender, message.verdict === 'pass');
  if (
    answer.actor === null &&
    !filing.isReleased &&
    unprovenAnswersSince(tx, ticket.id, ctx.now - hourMs) >= floodLimit
  ) {
    return { ...found, ...held('too_much', heldText('unproven_answers', { count: floodLimit })) };
  }
  return { ...found, outcome: 'reply_added', reason: 'An answer to an agent’s own address.', sender, answer };
}

/** What another desk or site gave may be anywhere in a thread, and says nothing here. */
function referredTo(tx: Tx, ctx: Context, site: Site, message: ReadMessage): AnswerTo | null {
  const to = readAnswerAddress(tx, ctx, message.references.toReversed());
  return to === null || to === 'unknown' || to.ticket.siteId !== site.id ? null : to;
}

function answerBy(tx: Tx, site: Site, ticket: Ticket, to: AnswerTo, sender: string, isProven: boolean): Answer {
  const found = { ticket, isForOther: ticket.authorId !== to.ticket.authorId };
  const agent = agentById(tx, to.agentId) ?? null;
  const acting = actingAgent(tx, to.agentId);
  const actor = acting && { ...acting, isByMail: true as const };
  // An agent who has lost their rights is told nothing more about the ticket.
  if (agent === null || actor === null || !isInScope(actor, site.id) || !can(actor, 'note'))
    return { ...found, agent: null, actor: null, problem: 'not_proven' };
  if (to.isExpired) return { ...found, agent, actor: null, problem: 'expired' };
  if (!isProven || normaliseEmail(agent.email) !== sender)
    return { ...found, agent, actor: null, problem: 'not_proven' };
  return { ...found, agent, actor, problem: site.settings.agent_mail === 'off' ? 'off' : null };
}
