// Decides what becomes of a message without changing anything. Filing and the dry run share this plan.

import { normaliseEmail } from '../../domain/address.ts';
import { floodLimit, type InboundOutcome } from '../../domain/inbound.ts';
import { hourMs } from '../../domain/instant.ts';
import { type RuleDeed, type RuleSubject, settleRules } from '../../domain/rules/effects.ts';
import { noEffects, type RuleOutcome, type RuleTrace } from '../../domain/rules/rule.ts';
import type { ReadMessage } from '../../mail/inbound/message.ts';
import { type Agent, agentsOfSite } from '../../store/agents.ts';
import type { Tx } from '../../store/database.ts';
import { countFromSender, earlierDelivery, hasSpamFrom } from '../../store/mail-threads.ts';
import type { Site } from '../../store/sites.ts';
import type { Ticket } from '../../store/tickets.ts';
import type { Context } from '../context.ts';
import { keptMailIds } from '../mail-ids.ts';
import { matchTicket, recipientOf } from './match-ticket.ts';
import { type RuleAnswer, type RulesToAsk, rulesToAsk, subjectOf, type Understood } from './rule-question.ts';
import { surroundingsOf } from './rules.ts';

/** The part of the log row that matters here; a dry run has none. */
interface Filing {
  rowId: number;
  forwardedTo: readonly string[];
  /** An agent released it: forgery, floods and automatic mail do not hold it. */
  isReleased: boolean;
}

export interface Plan {
  outcome: InboundOutcome;
  reason: string;
  matched: Ticket | null;
  ticketId: number | null;
  isReopening: boolean;
  sender: string | null;
  agent: Agent | null;
  trace: RuleTrace[];
  deeds: RuleDeed[];
}

/** As in docs/spec/behaviour.md#inbound-mail. Returns a question if the rules' answer is missing or outdated. */
export function planMail(
  tx: Tx,
  ctx: Context,
  site: Site,
  filing: Filing,
  understood: Understood,
  answer: RuleAnswer | null,
): Plan | RulesToAsk {
  const { message, classified } = understood;
  const plan: Plan = {
    outcome: 'failed',
    reason: '',
    matched: null,
    ticketId: null,
    isReopening: false,
    sender: null,
    agent: null,
    trace: [],
    deeds: [],
  };
  const earlier =
    message.messageId === null
      ? undefined
      : earlierDelivery(
          tx,
          { id: filing.rowId, siteId: site.id },
          keptMailIds(ctx, message.messageId),
          recipientOf(message),
          message.contentHash,
        );
  if (earlier) {
    const reason = `The same message is #${earlier.id} in the inbound log.`;
    return { ...plan, outcome: 'duplicate', reason, ticketId: earlier.ticketId };
  }
  if (classified.kind === 'own') return { ...plan, outcome: 'ignored_auto_reply', reason: classified.reason };
  if (classified.kind === 'bounce') return { ...plan, outcome: 'bounce_recorded', reason: classified.reason };
  const matched = matchTicket(tx, ctx, site, message);
  const ticketId = matched?.id ?? null;
  if (classified.kind === 'automatic' && !filing.isReleased)
    return { ...plan, outcome: 'ignored_auto_reply', reason: classified.reason, matched, ticketId };
  if (message.verdict === 'fail' && !filing.isReleased)
    return { ...plan, outcome: 'held', reason: 'The provider reports a forged sender.', matched };
  const sender = message.from === null ? null : normaliseEmail(message.from.address);
  if (sender === null) return { ...plan, reason: reasonWithoutSender(message) };

  const surroundings = surroundingsOf(tx, site, 'active');
  const asked = rulesToAsk(tx, site, understood, matched, surroundings);
  if (asked !== null && asked.key !== answer?.key) return { ...asked, question: asked.question() };
  const { trace, effects } = asked === null || answer === null ? noRules : answer.outcome;
  const ruled = { trace, effects, surroundings };
  const agent = matched
    ? (agentsOfSite(tx, site.id).find(({ email }) => normaliseEmail(email) === sender) ?? null)
    : null;
  const settle = (fate: RuleSubject['fate']) =>
    settleRules(ruled.trace, subjectOf(tx, site, ruled, { fate, matched, agent, forwardedTo: filing.forwardedTo }));
  const decided = { ...plan, matched, sender, agent };
  const { discard, forwards } = ruled.effects;
  if (discard) {
    const settled = settle('discarded');
    const reason = `Rule ${discard.ruleId}: ${discard.reason}`;
    const hasLeft =
      settled.deeds.some((deed) => deed.forwards.length > 0) ||
      forwards.some(({ address }) => filing.forwardedTo.includes(address.toLowerCase()));
    if (hasLeft) return { ...decided, ...settled, outcome: 'forwarded', reason };
    if (forwards.length === 0) return { ...decided, ...settled, outcome: 'discarded', reason };
    // Otherwise no one would ever see it.
    const nowhere = `Rule ${discard.ruleId} forwards and discards it, but mail to ${forwards[0]?.address} bounces.`;
    return { ...decided, ...settle('held'), outcome: 'held', reason: nowhere };
  }
  if (!agent && !filing.isReleased && (matched?.isSpam || hasSpamFrom(tx, site.id, sender))) {
    const reason = matched?.isSpam
      ? 'It answers a ticket that is marked as spam.'
      : `A ticket of ${sender} is marked as spam.`;
    return { ...decided, ...settle('held'), outcome: 'held', reason };
  }
  const isReopening = !agent && (matched?.status === 'resolved' || matched?.status === 'closed');
  const since = ctx.now - hourMs;
  const isFlood = (kind: 'opened' | 'reopened') =>
    !filing.isReleased && countFromSender(tx, site.id, sender, since, kind) >= floodLimit;
  if (matched ? isReopening && isFlood('reopened') : isFlood('opened')) {
    const what = matched ? 'reopened' : 'opened';
    const reason = `${sender} has ${what} more than ${floodLimit} tickets within an hour.`;
    return { ...decided, ...settle('held'), outcome: 'held', reason };
  }
  const settled = settle('filed');
  if (!matched) return { ...decided, ...settled, outcome: 'ticket_created', reason: 'No ticket matched.' };
  return { ...decided, ...settled, outcome: 'reply_added', reason: 'Matched to a ticket.', ticketId, isReopening };
}

function reasonWithoutSender({ headers }: ReadMessage): string {
  return (headers.from?.at(-1) ?? '').includes('@')
    ? "The desk cannot answer the sender's address. The message is stored as it arrived."
    : 'The message names no sender.';
}

const noRules: RuleOutcome = { trace: [], effects: noEffects() };
