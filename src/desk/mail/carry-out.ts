// Carries out the plan for a message: tickets, replies, notes, files and bounces.

import { normaliseEmail } from '../../domain/mail/address.ts';
import { automaticAnswerFrom } from '../../domain/mail/inbound.ts';
import { truncate } from '../../domain/text.ts';
import type { Addressee } from '../../domain/tickets/participant.ts';
import { noSubject, subjectOr } from '../../domain/tickets/subject.ts';
import type { Tx } from '../../engine/database.ts';
import type { Classified } from '../../mail/inbound/classify.ts';
import type { ReadMessage } from '../../mail/inbound/message.ts';
import { authorById } from '../../store/customers/authors.ts';
import { indexLater } from '../../store/lists/search-waiting.ts';
import type { InboundMail } from '../../store/mail/inbound.ts';
import { isSuppressed, liftSuppression, suppressAddress } from '../../store/mail/suppressions.ts';
import { type SentMail, sentMail, sentMailTo, ticketOfMailId } from '../../store/mail/threads.ts';
import type { Site } from '../../store/sites/sites.ts';
import { mailBytesOfTicket, messageById } from '../../store/tickets/messages.ts';
import { sentAside } from '../../store/tickets/side-conversations.ts';
import { type Ticket, ticketById, updateTicket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { findOrCreateAuthor } from '../customers/authors.ts';
import { noteBounced } from '../outbox/attempts.ts';
import { isMeant } from '../outbox/reply-mails.ts';
import { record } from '../record.ts';
import { applyRules } from '../rules/actions.ts';
import { senderAmong } from '../sites/site-senders.ts';
import { hearAuthor } from '../sla/clocks.ts';
import { backToTeam } from '../tickets/back-to-team.ts';
import { addMessage } from '../tickets/messages.ts';
import { insertNote } from '../tickets/notes.ts';
import { bringInByMail, gathering, peopleIn, tellPaused } from '../tickets/participants.ts';
import { changeStatus } from '../tickets/ticket-status.ts';
import { openFromMail } from '../tickets/tickets.ts';
import { fileAnswer } from './agent-answer.ts';
import { readAnswerAddress } from './answer-address.ts';
import { recipientsOf, ticketAt } from './match-ticket.ts';
import { bodiesOf, keepFiles, type MailMaterial, withRoom } from './material.ts';
import type { CarriedOut, Plan } from './plan.ts';
import { readSideAddress } from './side-address.ts';
import { fileSideAnswer } from './side-answer.ts';
import type { Writer } from './writer.ts';

export function carryOut(
  tx: Tx,
  ctx: Context,
  site: Site,
  material: MailMaterial,
  plan: Plan,
  { id: inboundId, receivedAt }: Pick<InboundMail, 'id' | 'receivedAt'>,
): CarriedOut {
  const { message, classified } = material;
  const { matched, note: introduction, sender, writer, answer, side } = plan;
  if (answer !== null) return fileAnswer(tx, ctx, site, material, answer);
  if (side !== null) {
    fileSideAnswer(tx, ctx, material, side);
    return {};
  }
  const mail = { message, isList: classified.isList, receivedAt };
  if (plan.outcome === 'bounce_recorded' && classified.kind === 'bounce')
    return recordBounce(tx, ctx, site, classified);
  if (plan.outcome === 'ignored_auto_reply') {
    if (matched) noteAutomatic(tx, ctx, matched, material);
    return {};
  }
  if (plan.outcome === 'reply_added' && matched && introduction !== null) {
    const kept = withRoom(tx, site, matched, material);
    const { body, wholeBody } = bodiesOf(kept);
    const note = insertNote(tx, ctx, matched, `${introduction}\n\n${body}`, wholeBody);
    keepFiles(tx, ctx, matched, note, kept.files);
    applyRules(tx, ctx, site, matched.id, plan);
    return { reason: `Not a customer's message, kept as note ${note.id}.` };
  }
  if (sender === null || writer === null) return {};
  if (plan.outcome === 'reply_added' && matched) {
    hearFrom(tx, site, writer);
    const { people } = gathering(tx, ctx, site, { matched, sender, writer: writer.email, isNoted: false, mail });
    addReply(tx, ctx, site, matched, { ...withRoom(tx, site, matched, material), inboundId }, writer, people);
    bringInByMail(tx, ctx, site, ticketById(tx, matched.id) ?? matched, sender, mail);
    applyRules(tx, ctx, site, matched.id, plan);
    return {};
  }
  if (plan.outcome !== 'ticket_created') return {};
  hearFrom(tx, site, writer);
  const kept = withRoom(tx, site, null, material);
  const { ticket, message: first } = openFromMail(tx, ctx, site, {
    email: writer.email,
    name: writer.name,
    subject: subjectOr(noSubject, truncate(message.subject, 255)),
    ...bodiesOf(kept),
    senderVerified: writer.isClaimed ? false : verifiedBy(message),
    mayAcknowledge: classified.mayAcknowledge,
    cc: peopleIn(tx, ctx, site, mail),
    senderId: senderAmong(tx, site, recipientsOf(message)),
    inboundId,
    isSpam: plan.isSpam,
  });
  keepFiles(tx, ctx, ticket, first, kept.files);
  applyRules(tx, ctx, site, ticket.id, plan);
  return { ticketId: ticket.id };
}

/** Mail from an address shows that it works again. That someone names it does not. */
function hearFrom(tx: Tx, site: Site, { email, isClaimed }: Writer): void {
  if (!isClaimed) liftSuppression(tx, site.id, email);
}

function verifiedBy(message: ReadMessage): boolean | null {
  return message.verdict === 'none' ? null : message.verdict === 'pass';
}

type Bounce = Extract<Classified, { kind: 'bounce' }>['bounce'];
type Failed = Bounce['recipients'][number];

function recordBounce(
  tx: Tx,
  ctx: Context,
  site: Site,
  { bounce, reason }: Extract<Classified, { kind: 'bounce' }>,
): CarriedOut {
  const sent = mailThatBounced(tx, ctx, site, bounce);
  // Bounces are easily forged: only those for our own mail, of which only its readers know, count.
  if (!sent || sent.siteId !== site.id) return { reason: `${reason} It does not belong to mail that this site sent.` };
  const message = sent.messageId === null ? undefined : messageById(tx, sent.messageId);
  const went = message?.recipients?.filter((one) => isMeant(sent, one)).map(({ email }) => email) ?? [sent.recipient];
  const named = bounce.recipients.filter(({ address }) => went.includes(normaliseEmail(address)));
  if (named.length === 0 && bounce.recipients.length > 0 && went.length !== 1)
    return { reason: `${reason} It is about another recipient.` };
  // Some bounces name no one, others whom the recipient's mailbox forwards to. What went to one can only be about that one.
  const other = bounce.recipients.find(({ action }) => action === 'failed');
  const failed: Partial<Failed>[] =
    named.length === 0 && went.length === 1 ? [{ ...other, address: went[0] ?? '' }] : named;
  const diagnosticOf = ({ status, diagnostic }: Partial<Failed>) =>
    truncate([status, diagnostic].filter((part) => part != null).join(' ') || 'The mail bounced.', 500);
  for (const one of failed) {
    if (!bounce.isFinal || (one.action !== undefined && one.action !== 'failed')) continue;
    const address = normaliseEmail(one.address ?? '');
    const ticket = message && !isSuppressed(tx, site.id, address) ? ticketById(tx, message.ticketId) : undefined;
    suppressAddress(tx, site.id, address, diagnosticOf(one), ctx.now);
    if (message) noteBounced(tx, ctx, sent.id, message.id, address, diagnosticOf(one));
    if (ticket) tellPaused(tx, ctx, ticket, address);
  }
  const diagnostic = diagnosticOf(failed[0] ?? {});
  return { reason: `${reason} ${diagnostic}`, ticketId: sent.ticketId };
}

/**
 * By its Message-ID. Where a server has replaced that, in mail that does not name it, by the thread, which only its readers know, and by whom it went to:
 * a recipient of the report, or the one in the To that came back.
 */
function mailThatBounced(
  tx: Tx,
  ctx: Context,
  site: Site,
  { originalMessageId, returned, recipients }: Bounce,
): SentMail | undefined {
  const known = [originalMessageId, returned?.messageId]
    .filter((id) => id != null)
    .map((id) => sentMail(tx, id))
    .find((sent) => sent !== undefined);
  if (known || returned === null) return known;
  const { replyTo, references, to, date } = returned;
  const ids = [
    ...replyTo.map((address) => ticketAt(tx, address)?.id),
    agentsTicket(readAnswerAddress(tx, ctx, [...replyTo, ...references])),
    ticketOfMailId(tx, site.id, references),
  ].filter((id) => id != null);
  const aside = readSideAddress(tx, ctx, [...replyTo, ...references]);
  const wentTo = (addresses: string[]) => {
    const emails = addresses.map(normaliseEmail);
    if (aside !== null && aside !== 'unknown') return sentAside(tx, aside.id, emails);
    return sentMailTo(tx, ids, emails, date);
  };
  return wentTo(recipients.map(({ address }) => address)) ?? (to.length === 1 ? wentTo(to) : undefined);
}

const agentsTicket = (named: ReturnType<typeof readAnswerAddress>) =>
  named === null || named === 'unknown' ? null : named.ticket.id;

function noteAutomatic(tx: Tx, ctx: Context, matched: Ticket, { folded, message }: MailMaterial): void {
  insertNote(
    tx,
    ctx,
    matched,
    `${automaticAnswerFrom(message.from?.address ?? 'an unknown sender')}\n\n${folded.body}`,
  );
}

// A ticket is read with all its messages. Beyond this, replies keep only their text; the log keeps the message.
const mostMailBytes = 8 * 1024 * 1024;

function addReply(
  tx: Tx,
  ctx: Context,
  site: Site,
  ticket: Ticket,
  material: MailMaterial & { inboundId: number },
  { email: sender, name, isClaimed }: Writer,
  people: readonly Addressee[],
): { ticket: Ticket } {
  const { message, inboundId } = material;
  const owner = authorById(tx, ticket.authorId);
  // A verified author cannot be found by address only. One whom an agent opened a ticket for may have no name yet.
  const author =
    owner?.email === sender && (owner.externalId !== null || owner.name !== null)
      ? owner
      : findOrCreateAuthor(tx, ctx, site.id, { externalId: null, email: sender, name });
  const { body, html, wholeBody } = bodiesOf(material);
  const hasRoom = mailBytesOfTicket(tx, ticket.id) < mostMailBytes;
  const reply = addMessage(tx, ctx, ticket.id, {
    authorId: author.id,
    authorName: author.name ?? sender,
    body,
    source: 'email',
    // Only mail from the address of someone on the ticket can prove who wrote.
    senderVerified: !isClaimed && [owner, ...people].some((one) => one?.email === sender) ? verifiedBy(message) : false,
    html: hasRoom ? html : null,
    wholeBody: hasRoom ? wholeBody : null,
    inboundId,
  });
  keepFiles(tx, ctx, ticket, reply, material.files);
  const current = ticketById(tx, ticket.id) ?? ticket;
  const changed = updateTicket(tx, current, {
    messageCount: current.messageCount + 1,
    lastCustomerMessageAt: ctx.now,
    updatedAt: ctx.now,
  });
  const asAuthor: Context = {
    ...ctx,
    actor: { kind: 'author', siteId: site.id, authorId: author.id, name: author.name },
  };
  record(tx, asAuthor, {
    kind: 'ticket.replied',
    siteId: site.id,
    ticketId: ticket.id,
    data: { ticket_ulid: ticket.ulid, message_ulid: reply.ulid, is_agent: false },
  });
  const opened = hearAuthor(tx, ctx, site, changeStatus(tx, asAuthor, site, backToTeam(tx, asAuthor, changed), 'open'));
  indexLater(tx, 'ticket_search', ticket.id);
  return { ticket: opened };
}
