// Decides what becomes of a message without changing anything. Filing and the dry run share this plan.

import type { Instant } from '../../base/clock.ts';
import { hourMs } from '../../domain/instant.ts';
import { normaliseEmail } from '../../domain/mail/address.ts';
import { forgedText, heldText } from '../../domain/mail/held-texts.ts';
import { type Fate, floodLimit, held } from '../../domain/mail/inbound.ts';
import { listingOf } from '../../domain/mail/listed-senders.ts';
import { type SpamCheck, spamFate } from '../../domain/mail/spam-check.ts';
import type { Circle, RuleDeed, RuleSubject } from '../../domain/rules/deed.ts';
import { settleRules } from '../../domain/rules/effects.ts';
import { noEffects, type RuleOutcome, type RuleTrace } from '../../domain/rules/rule.ts';
import type { Tx } from '../../engine/database.ts';
import type { ReadMessage } from '../../mail/inbound/message.ts';
import { authorById } from '../../store/customers/authors.ts';
import {
  countFromSender,
  countOpenedFor,
  earlierDelivery,
  hasSpamFrom,
  wentToAgent,
} from '../../store/mail/threads.ts';
import { agentsSeeingSite } from '../../store/people/agents.ts';
import type { Site } from '../../store/sites/sites.ts';
import { hasParticipant } from '../../store/tickets/participants.ts';
import type { Ticket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { type RuleAnswer, type RulesToAsk, rulesToAsk, subjectOf, type Understood } from '../rules/question.ts';
import { surroundingsOf } from '../rules/rules.ts';
import { senderAmong } from '../sites/site-senders.ts';
import { type Gathering, gathering } from '../tickets/participants.ts';
import { keptMailIds } from './mail-ids.ts';
import { matchTicket, recipientsOf } from './match-ticket.ts';
import { type Answer, planAnswer } from './plan-answer.ts';
import { planSideAnswer, type Side } from './side-answer.ts';
import { type Writer, writerOf } from './writer.ts';

/** The part of the log row that matters here; a dry run has none. */
interface Filing {
  rowId: number;
  receivedAt: Instant;
  forwardedTo: readonly string[];
  /** An agent released it: forgery, floods and automatic mail do not hold it. */
  isReleased: boolean;
  spamCheck: SpamCheck | null;
}

export type Plan = Fate & {
  reason: string;
  matched: Ticket | null;
  ticketId: number | null;
  isReopening: boolean;
  /** Who From names: what is proven is proven of them. */
  sender: string | null;
  writer: Writer | null;
  /** What introduces the note that it becomes. Null: it is a customer's message. */
  note: string | null;
  /** The new ticket is spam. */
  isSpam: boolean;
  trace: RuleTrace[];
  deeds: RuleDeed[];
  /** Of mail to the address at which an agent answers. */
  answer: Answer | null;
  /** Of mail that answers a side conversation. */
  side: Side | null;
};

export interface CarriedOut {
  reason?: string;
  ticketId?: number | null;
}

export type Result = Fate & {
  reason: string;
  ticketId?: number | null;
  isReopening?: boolean;
  trace?: readonly RuleTrace[];
  deeds?: readonly RuleDeed[];
  writer?: Writer | null;
};

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
    writer: null,
    note: null,
    isSpam: false,
    trace: [],
    deeds: [],
    answer: null,
    side: null,
  };
  const earlier =
    message.messageId === null
      ? undefined
      : earlierDelivery(
          tx,
          { id: filing.rowId, siteId: site.id },
          keptMailIds(ctx, message.messageId),
          recipientsOf(message),
          message.contentHash,
        );
  if (earlier) {
    const reason = `The same message is #${earlier.id} in the inbound log.`;
    return { ...plan, outcome: 'duplicate', reason, ticketId: earlier.ticketId };
  }
  if (classified.kind === 'own') return { ...plan, outcome: 'ignored_auto_reply', reason: classified.reason };
  if (classified.kind === 'bounce') return { ...plan, outcome: 'bounce_recorded', reason: classified.reason };
  const answered = planAnswer(tx, ctx, site, filing, understood);
  if (answered !== null) return { ...plan, ...answered };
  const aside = planSideAnswer(tx, ctx, site, filing.isReleased, understood);
  if (aside !== null) return { ...plan, ...aside };
  const matched = matchTicket(tx, ctx, site, message, classified.isList);
  const ticketId = matched?.id ?? null;
  if (classified.kind === 'automatic' && !filing.isReleased)
    return { ...plan, outcome: 'ignored_auto_reply', reason: classified.reason, matched, ticketId };
  if (message.forgedBy !== null && !filing.isReleased)
    return { ...plan, ...held('forged', forgedText(message.forgedBy)), matched };
  const sender = message.from === null ? null : normaliseEmail(message.from.address);
  if (sender === null) return { ...plan, reason: reasonWithoutSender(message) };
  const listed = listingOf(sender, site.settings);
  const writer = writerOf(tx, ctx, site, understood, { sender, matched, isAllowed: listed === 'allowed' });
  const people = [...new Set([sender, writer.email])];
  const blocked = people.find((email) => listingOf(email, site.settings) === 'blocked');
  if (blocked !== undefined && !filing.isReleased)
    return {
      ...plan,
      outcome: 'discarded',
      reason: heldText('blocked_sender', { address: blocked }),
      matched,
      sender,
      writer,
    };

  const note = matched === null ? null : noteIntroduction(tx, site, matched, message, { sender, writer });
  const surroundings = surroundingsOf(tx, site, 'active');
  const mail = { message, isList: classified.isList, receivedAt: filing.receivedAt };
  let gathered: Gathering | null = null;
  const gather = () =>
    (gathered ??= gathering(tx, ctx, site, { matched, sender, writer: writer.email, isNoted: note !== null, mail }));
  const asked = rulesToAsk(
    tx,
    site,
    listed === 'allowed' ? withoutScore(understood) : understood,
    matched,
    gather,
    surroundings,
  );
  if (asked !== null && asked.key !== answer?.key) return { ...asked, question: asked.question() };
  const { trace, effects } = asked === null || answer === null ? noRules : answer.outcome;
  const ruled = { trace, effects, surroundings };
  const circle = circleOf(effects.participants, gather);
  const sentTo = senderAmong(tx, site, recipientsOf(message));
  const settle = (fate: RuleSubject['fate']) =>
    settleRules(
      ruled.trace,
      subjectOf(tx, site, ruled, {
        fate,
        matched,
        sender: sentTo,
        isNoted: note !== null,
        forwardedTo: filing.forwardedTo,
        circle,
      }),
    );
  const decided = { ...plan, matched, sender, writer, note };
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
    const nowhere = heldText('forward_bounces', { rule: discard.ruleId, address: forwards[0]?.address ?? '' });
    return { ...decided, ...settle('held'), ...held('forward_bounces', nowhere) };
  }
  const limited = writer.isRelayed ? writer.email : sender;
  const isJudged = (note === null || writer.isClaimed) && !filing.isReleased && listed !== 'allowed';
  const marked = isJudged ? markedAsSpam(tx, site, matched, [limited, writer.email]) : null;
  if (marked !== null) return { ...decided, ...settle('held'), ...held('spam', marked) };
  const spam = isJudged
    ? spamFate(filing.spamCheck, site.settings, { isReply: matched !== null, verdict: message.verdict })
    : null;
  if (spam?.fate === 'held') return { ...decided, ...settle('held'), ...held('spam', spam.reason) };
  const isReopening = note === null && (matched?.status === 'resolved' || matched?.status === 'closed');
  const isFlood = (kind: 'opened' | 'reopened') =>
    !filing.isReleased && !ctx.isSilent && isTooMuch(tx, site, writer, limited, ctx.now - hourMs, kind);
  if (matched ? isReopening && isFlood('reopened') : isFlood('opened')) {
    const reason = floodReason(matched, limited);
    return { ...decided, ...settle('held'), ...held('too_much', reason) };
  }
  const settled = settle('filed');
  if (!matched)
    return {
      ...decided,
      ...settled,
      outcome: 'ticket_created',
      reason: spam?.reason ?? 'No ticket matched.',
      isSpam: spam !== null,
    };
  return { ...decided, ...settled, outcome: 'reply_added', reason: 'Matched to a ticket.', ticketId, isReopening };
}

/** Agents write notes, except on a ticket of their own; and so does who is not on the ticket and answers what only agents got. */
function noteIntroduction(
  tx: Tx,
  site: Site,
  ticket: Ticket,
  { inReplyTo, references, verdict }: ReadMessage,
  { sender, writer }: { sender: string; writer: Writer },
): string | null {
  const { email } = writer;
  if (authorById(tx, ticket.authorId)?.email === email) return null;
  const agent = agentsSeeingSite(tx, site.id).find((one) => normaliseEmail(one.email) === email);
  if (agent !== undefined && !writer.isClaimed && verdict === 'pass') return `${agent.name} wrote by mail:`;
  const answered = [...(inReplyTo === null ? [] : [inReplyTo]), ...references];
  const isInside = agent !== undefined || (!hasParticipant(tx, ticket.id, email) && wentToAgent(tx, site.id, answered));
  return isInside ? `From ${sender}, not proven:` : null;
}

function markedAsSpam(tx: Tx, site: Site, matched: Ticket | null, people: readonly string[]): string | null {
  if (matched?.isSpam) return heldText('answers_spam');
  const marked = [...new Set(people)].find((email) => hasSpamFrom(tx, site.id, email));
  return marked === undefined ? null : heldText('spam_sender', { address: marked });
}

const floodReason = (matched: Ticket | null, address: string) =>
  heldText(matched ? 'reopened_too_many' : 'opened_too_many', { address, count: floodLimit });

/** Many senders together must not write to one person more than one of them is let. */
function isTooMuch(
  tx: Tx,
  site: Site,
  { email, isClaimed, isRelayed }: Writer,
  limited: string,
  since: Instant,
  kind: 'opened' | 'reopened',
): boolean {
  const isForOther = kind === 'opened' && isClaimed && !isRelayed;
  return (
    countFromSender(tx, site.id, limited, since, kind) >= floodLimit ||
    (isForOther && countOpenedFor(tx, site.id, email, since) >= floodLimit)
  );
}

/** Only read when a rule adds someone. */
function circleOf(named: readonly string[], gather: () => Gathering): Circle {
  if (named.length === 0) return { size: 0, refused: new Map() };
  const { people, refusal } = gather();
  const refused = new Map<string, string>();
  for (const email of named) {
    const why = refusal(email);
    if (why !== null) refused.set(email, why);
  }
  return { size: people.length, refused };
}

function reasonWithoutSender({ headers }: ReadMessage): string {
  return (headers.from?.at(-1) ?? '').includes('@')
    ? "The desk cannot answer the sender's address. The message is stored as it arrived."
    : 'The message names no sender.';
}

function withoutScore(understood: Understood): Understood {
  return { ...understood, message: { ...understood.message, spamScore: null } };
}

const noRules: RuleOutcome = { trace: [], effects: noEffects() };
