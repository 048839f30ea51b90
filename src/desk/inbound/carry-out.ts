// Carries out the plan for a message: tickets, replies, notes, files and bounces.

import { normaliseEmail } from '../../domain/address.ts';
import { automaticAnswerFrom, type InboundOutcome } from '../../domain/inbound.ts';
import type { RuleDeed } from '../../domain/rules/effects.ts';
import type { RuleTrace } from '../../domain/rules/rule.ts';
import { truncate } from '../../domain/text.ts';
import type { Classified } from '../../mail/inbound/classify.ts';
import type { ReadMessage } from '../../mail/inbound/message.ts';
import type { Tx } from '../../store/database.ts';
import { sentMail, ticketOfMailId } from '../../store/mail-threads.ts';
import { countAttachments, type Message, mailBytesOfTicket } from '../../store/messages.ts';
import { authorById } from '../../store/people.ts';
import type { Site } from '../../store/sites.ts';
import { liftSuppression, suppressAddress } from '../../store/suppressions.ts';
import { type Ticket, ticketById, updateTicket } from '../../store/tickets.ts';
import { attachReceived, maxAttachmentsPerTicket, type StoredFile } from '../attachments.ts';
import { findOrCreateAuthor } from '../authors.ts';
import type { Context } from '../context.ts';
import { addMessage } from '../messages.ts';
import { insertNote } from '../notes.ts';
import { noteBounced } from '../outbox/attempts.ts';
import { record } from '../record.ts';
import { reindexTicket } from '../search-index.ts';
import { changeStatus } from '../ticket-status.ts';
import { openFromMail } from '../tickets.ts';
import type { Plan } from './plan.ts';
import { applyRules } from './rule-actions.ts';
import type { Understood } from './rule-question.ts';

export interface MailMaterial extends Understood {
  html: string | null;
  files: StoredFile[];
  refused: string[];
  remark?: string | null;
}

export interface Result {
  outcome: InboundOutcome;
  reason: string;
  ticketId?: number | null;
  isReopening?: boolean;
  trace?: readonly RuleTrace[];
  deeds?: readonly RuleDeed[];
}

export function carryOut(tx: Tx, ctx: Context, site: Site, material: MailMaterial, plan: Plan): Partial<Result> {
  const { message, classified } = material;
  const { matched, agent, sender } = plan;
  if (plan.outcome === 'bounce_recorded' && classified.kind === 'bounce')
    return recordBounce(tx, ctx, site, classified);
  if (plan.outcome === 'ignored_auto_reply') {
    if (matched) noteAutomatic(tx, ctx, matched, material);
    return {};
  }
  if (plan.outcome === 'reply_added' && matched && agent) {
    // An agent's answer to a notification becomes a note: an address alone does not prove who wrote.
    const kept = withRoom(tx, matched, material);
    const { body, wholeBody } = bodiesOf(kept);
    const note = insertNote(tx, ctx, matched, `${agent.name} wrote by mail:\n\n${body}`, wholeBody);
    keepFiles(tx, ctx, matched, note, kept.files);
    applyRules(tx, ctx, site, matched.id, plan);
    return { reason: `From agent ${agent.name}, kept as note ${note.id}.` };
  }
  if (plan.outcome === 'reply_added' && matched && sender !== null) {
    liftSuppression(tx, site.id, sender);
    addReply(tx, ctx, site, matched, withRoom(tx, matched, material), sender);
    applyRules(tx, ctx, site, matched.id, plan);
    return {};
  }
  if (plan.outcome !== 'ticket_created' || sender === null) return {};
  liftSuppression(tx, site.id, sender);
  const { ticket, message: first } = openFromMail(tx, ctx, site, {
    email: sender,
    name: message.from?.name || null,
    subject: truncate(message.subject, 255) || '(no subject)',
    ...bodiesOf(material),
    senderVerified: verifiedBy(message),
    mayAcknowledge: classified.mayAcknowledge,
  });
  keepFiles(tx, ctx, ticket, first, material.files);
  applyRules(tx, ctx, site, ticket.id, plan);
  return { ticketId: ticket.id };
}

function verifiedBy(message: ReadMessage): boolean | null {
  return message.verdict === 'none' ? null : message.verdict === 'pass';
}

const mostRefused = 20;

function bodiesOf({ folded, html, refused }: MailMaterial) {
  const named = refused.slice(0, mostRefused).map((name) => truncate(name, 80));
  const more = refused.length > mostRefused ? ` and ${refused.length - mostRefused} more` : '';
  const note = refused.length === 0 ? '' : `\n\n[Not accepted: ${named.join(', ')}${more}]`;
  return {
    body: `${folded.body || '(no text)'}${note}`,
    html,
    wholeBody: folded.foldedAway || folded.isCut ? truncate(folded.whole, 200_000) : null,
  };
}

// A ticket is read with all its messages. Beyond this, replies keep only their text; the log keeps the message.
const mostMailBytes = 8 * 1024 * 1024;

function withRoom(tx: Tx, ticket: Ticket, material: MailMaterial): MailMaterial {
  const room = Math.max(0, maxAttachmentsPerTicket - countAttachments(tx, ticket.id));
  if (material.files.length <= room) return material;
  const refused = [...material.refused, ...material.files.slice(room).map(({ filename }) => filename)];
  return { ...material, files: material.files.slice(0, room), refused };
}

function keepFiles(tx: Tx, ctx: Context, ticket: Ticket, message: Message, files: readonly StoredFile[]): void {
  for (const file of files) attachReceived(tx, ctx, ticketById(tx, ticket.id) ?? ticket, file, message);
}

function recordBounce(
  tx: Tx,
  ctx: Context,
  site: Site,
  { bounce, reason }: Extract<Classified, { kind: 'bounce' }>,
): Result {
  const sent = bounce.originalMessageId === null ? undefined : sentMail(tx, bounce.originalMessageId);
  // Bounces are easily forged: only those for our own mail, to its recipient, count.
  if (!sent || sent.siteId !== site.id)
    return { outcome: 'bounce_recorded', reason: `${reason} It does not belong to mail that this site sent.` };
  const failed = bounce.recipients.find(({ address }) => normaliseEmail(address) === sent.recipient);
  if (bounce.recipients.length > 0 && !failed)
    return { outcome: 'bounce_recorded', reason: `${reason} It is about another recipient.` };
  const diagnostic = truncate(
    [failed?.status, failed?.diagnostic].filter((part) => part != null).join(' ') || 'The mail bounced.',
    500,
  );
  if (bounce.isFinal && failed?.action !== 'delayed') {
    suppressAddress(tx, site.id, sent.recipient, diagnostic, ctx.now);
    if (sent.messageId !== null) noteBounced(tx, ctx, sent.id, sent.messageId, diagnostic);
  }
  const ticketId = ticketOfMailId(tx, site.id, [bounce.originalMessageId ?? '']);
  return { outcome: 'bounce_recorded', reason: `${reason} ${diagnostic}`, ticketId };
}

function noteAutomatic(tx: Tx, ctx: Context, matched: Ticket, { folded, message }: MailMaterial): void {
  insertNote(
    tx,
    ctx,
    matched,
    `${automaticAnswerFrom(message.from?.address ?? 'an unknown sender')}\n\n${folded.body}`,
  );
}

function addReply(
  tx: Tx,
  ctx: Context,
  site: Site,
  ticket: Ticket,
  material: MailMaterial,
  sender: string,
): { ticket: Ticket } {
  const { message } = material;
  const owner = authorById(tx, ticket.authorId);
  // A verified author cannot be found by address alone.
  const author =
    owner?.email === sender
      ? owner
      : findOrCreateAuthor(tx, ctx, site.id, { externalId: null, email: sender, name: message.from?.name || null });
  const { body, html, wholeBody } = bodiesOf(material);
  const hasRoom = mailBytesOfTicket(tx, ticket.id) < mostMailBytes;
  const reply = addMessage(tx, ctx, ticket.id, {
    authorId: author.id,
    authorName: author.name ?? sender,
    body,
    source: 'email',
    // Only mail from the author's own address can prove the author.
    senderVerified: owner?.email === sender ? verifiedBy(message) : false,
    html: hasRoom ? html : null,
    wholeBody: hasRoom ? wholeBody : null,
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
  const opened = changeStatus(tx, asAuthor, site, changed, 'open');
  reindexTicket(tx, ticket.id);
  return { ticket: opened };
}
