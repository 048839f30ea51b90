// Mail that arrived: written down first, then filed as a ticket, a reply, or whatever else it turned out to be.

import { toWire } from '../../base/clock.ts';
import { newUlid } from '../../base/ids.ts';
import { normaliseEmail } from '../../domain/address.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import {
  automaticAnswerFrom,
  filingMs,
  type InboundOutcome,
  longestTurnMs,
  type ProviderName,
  retryGapMs,
} from '../../domain/inbound.ts';
import type { RuleDeed } from '../../domain/rules/effects.ts';
import type { RuleTrace } from '../../domain/rules/rule.ts';
import { traceForDryRun, traceForLedger } from '../../domain/rules/trace.ts';
import { truncate } from '../../domain/text.ts';
import type { Classified } from '../../mail/inbound/classify.ts';
import type { ReadMessage } from '../../mail/inbound/message.ts';
import type { Tx } from '../../store/database.ts';
import {
  erasedMail,
  type InboundMail,
  inboundMailById,
  insertInboundMail,
  liftSuppression,
  listInboundMail,
  sentMail,
  suppressAddress,
  ticketOfMailId,
  updateInboundMail,
} from '../../store/inbound.ts';
import {
  countAttachments,
  insertMessage,
  type Message,
  mailBytesOfTicket,
  updateMessage,
} from '../../store/messages.ts';
import { authorById } from '../../store/people.ts';
import { inboundRuleRows, type Site } from '../../store/sites.ts';
import { type Ticket, ticketById, updateTicket } from '../../store/tickets.ts';
import { authorise, findSite, listScope } from '../access.ts';
import { attachReceived, maxAttachmentsPerTicket, type StoredFile } from '../attachments.ts';
import { findOrCreateAuthor } from '../authors.ts';
import { isErasedSince } from '../erasure.ts';
import { insertNote } from '../notes.ts';
import { queueForward } from '../outbox.ts';
import { type Context, record } from '../record.ts';
import { reindexTicket } from '../search-index.ts';
import { changeStatus, openFromMail } from '../tickets.ts';
import { type Plan, planMail, type RuleAnswer, type RulesToAsk, recipientOf, type Understood } from './plan.ts';
import { applyRules } from './rule-actions.ts';

/** Writes down that something arrived; its bytes are on the disk already. Answers the ledger row's id. */
export function receiveMail(
  tx: Tx,
  ctx: Context,
  site: Site,
  arrived: {
    ulid: string;
    provider: ProviderName;
    headers: Record<string, string>;
    size: number;
    /** Nobody has it in hand: it is filed with what else waits. */
    isLate?: boolean;
  },
): number {
  const { isLate = false, ...row } = arrived;
  return insertInboundMail(tx, {
    ...row,
    siteId: site.id,
    receivedAt: ctx.now,
    retryAt: ctx.now + (isLate ? 0 : filingMs),
  });
}

/** A parsed message, with its files on the disk. */
export interface MailMaterial extends Understood {
  /** Sanitised. */
  html: string | null;
  files: StoredFile[];
  /** Names of files that are not taken. */
  refused: string[];
  /** What the inbound log says beside the reason. */
  remark?: string | null;
}

export interface Filed {
  row: InboundMail;
  ticket: Ticket | null;
}

/** What an agent decides who has a message filed again. */
export interface Release {
  /** Whatever held it up. */
  isReleased: boolean;
  /** Also to addresses that it went to already. */
  forwardsAgain: boolean;
}
export const noRelease: Release = { isReleased: false, forwardsAgain: false };

interface Result {
  outcome: InboundOutcome;
  reason: string;
  ticketId?: number | null;
  isReopening?: boolean;
  trace?: readonly RuleTrace[];
  deeds?: readonly RuleDeed[];
}

/** What could not be filed, and why; with the message where it could be read. */
export function failMail(
  tx: Tx,
  ctx: Context,
  id: number,
  outcome: 'failed' | 'discarded',
  reason: string,
  message?: ReadMessage,
): Filed {
  return finish(tx, ctx, id, { outcome, reason }, message);
}

/** What cannot be filed just now waits, longer each time; after a day of that it has failed. Answers the row as it is then. */
export function postponeMail(tx: Tx, ctx: Context, id: number, reason: string): Filed {
  const row = inboundMailById(tx, id);
  if (!row) throw notFound('mail');
  if (row.status === 'done') return { row, ticket: null };
  const attempts = row.attempts + 1;
  const gapMs = retryGapMs(attempts);
  if (gapMs === null) return failMail(tx, ctx, id, 'failed', `${reason} It was tried ${attempts} times; replay it.`);
  updateInboundMail(tx, id, { attempts, reason, retryAt: ctx.now + gapMs });
  return { row: inboundMailById(tx, id) ?? row, ticket: null };
}

/** Has a message wait for its sender's turn; where that is too far away, until somebody releases it. */
export function delayMail(tx: Tx, ctx: Context, id: number, message: ReadMessage, waitMs: number): Filed {
  const row = inboundMailById(tx, id);
  if (!row) throw notFound('mail');
  if (row.status === 'done' || row.erasedAt !== null) return { row, ticket: null };
  const reason = `${message.from?.address ?? 'Somebody without an address'} sends more than one sender may.`;
  if (waitMs > longestTurnMs) return finish(tx, ctx, id, { outcome: 'held', reason }, message);
  const { contentHash: _notYet, ...marks } = marksOf(message);
  updateInboundMail(tx, id, { ...marks, reason: `${reason} It waits for its turn.`, retryAt: ctx.now + waitMs });
  return { row: inboundMailById(tx, id) ?? row, ticket: null };
}

function finish(tx: Tx, ctx: Context, id: number, found: Result, read?: ReadMessage): Filed {
  const row = inboundMailById(tx, id);
  if (!row) throw notFound('mail');
  // Whatever came of it, nothing is written down of whom it was from.
  const isErased = row.erasedAt !== null;
  const result: Result = isErased ? { outcome: 'discarded', reason: erasedMail.reason } : found;
  const message = isErased ? undefined : read;
  const { trace = [], deeds = [] } = result;
  const forwarded = deeds.flatMap(({ forwards }) => forwards.map((address) => address.toLowerCase()));
  const change = {
    status: 'done' as const,
    outcome: result.outcome,
    reason: result.reason,
    ticketId: result.ticketId ?? null,
    isReopening: result.isReopening ?? false,
    matchedRules: trace.flatMap(({ outcome, ruleId, name }) => (outcome === 'matched' ? [{ id: ruleId, name }] : [])),
    trace: traceForLedger(trace),
    forwardedTo: [...new Set([...row.forwardedTo, ...forwarded])],
    attempts: row.attempts + 1,
    retryAt: null,
    processedAt: ctx.now,
    ...(message === undefined ? {} : marksOf(message)),
  };
  updateInboundMail(tx, id, change);
  const ticket = result.ticketId == null ? null : (ticketById(tx, result.ticketId) ?? null);
  return { row: { ...row, ...change }, ticket };
}

/** The sender's address, also where it is none that can be answered: the person behind it can still be found and erased. */
function senderOf({ from, headers }: ReadMessage): string | null {
  if (from !== null) return normaliseEmail(from.address);
  const written = headers.from?.at(-1) ?? '';
  const address = (/<([^<>@]*@[^<>]*)>\s*$/.exec(written)?.[1] ?? written).trim();
  return address.includes('@') ? truncate(normaliseEmail(address), 320) : null;
}

/** What the ledger shows of a message, and knows it by. */
function marksOf(message: ReadMessage) {
  return {
    sender: senderOf(message),
    recipient: recipientOf(message),
    subject: truncate(message.subject, 255),
    mailMessageId: message.messageId,
    contentHash: message.contentHash,
  };
}

/**
 * Files a message as planned (inbound-plan.ts). Everything is one step: the ledger's outcome commits with what it caused.
 * @returns what to ask the rules, and nothing is changed, where the answer is missing or no longer to what they would be asked
 */
export function fileMail(
  tx: Tx,
  ctx: Context,
  site: Site,
  id: number,
  material: MailMaterial,
  release: Release,
  answer: RuleAnswer | null,
): Filed | RulesToAsk {
  const row = inboundMailById(tx, id);
  if (!row) throw notFound('mail');
  // Somebody else was faster: a replay beside the pick-up at start.
  if (row.status === 'done')
    return { row, ticket: row.ticketId === null ? null : (ticketById(tx, row.ticketId) ?? null) };
  const { from } = material.message;
  // They were erased while this waited: filing it would bring them back.
  if (from !== null && isErasedSince(tx, ctx, site, normaliseEmail(from.address), row.receivedAt)) {
    updateInboundMail(tx, id, { ...erasedMail, erasedAt: ctx.now });
    ctx.noteErasure?.([row.ulid]);
  }
  if (inboundMailById(tx, id)?.erasedAt != null) return finish(tx, ctx, id, { outcome: 'discarded', reason: '' });
  const mail: Context = { ...ctx, actor: { kind: 'mail', siteId: site.id } };
  const plan = planMail(tx, mail, site, filingOf(row, release), material, answer);
  if ('question' in plan) return plan;
  for (const address of plan.deeds.flatMap(({ forwards }) => forwards))
    queueForward(tx, mail, site.id, address, id, material.message.subject);
  const result = { ...plan, ...carryOut(tx, mail, site, material, plan) };
  const reason = [result.reason, material.remark].filter((part) => part != null).join(' ');
  return finish(tx, ctx, id, { ...result, reason }, material.message);
}

function filingOf({ id, forwardedTo }: InboundMail, release: Release) {
  return { rowId: id, forwardedTo: release.forwardsAgain ? [] : forwardedTo, isReleased: release.isReleased };
}

/** What filing this message will ask the rules; null where it asks nothing. */
export function rulesBefore(
  tx: Tx,
  ctx: Context,
  site: Site,
  id: number,
  material: MailMaterial,
  release: Release,
): RulesToAsk | null {
  const row = inboundMailById(tx, id);
  if (!row || row.status === 'done') return null;
  const plan = planMail(tx, ctx, site, filingOf(row, release), material, null);
  return 'question' in plan ? plan : null;
}

/** Does what the plan says of tickets; answers what only doing it could tell. */
function carryOut(tx: Tx, ctx: Context, site: Site, material: MailMaterial, plan: Plan): Partial<Result> {
  const { message, classified } = material;
  const { matched, agent, sender } = plan;
  if (plan.outcome === 'bounce_recorded' && classified.kind === 'bounce')
    return recordBounce(tx, ctx, site, classified);
  if (plan.outcome === 'ignored_auto_reply') {
    if (matched) noteAutomatic(tx, ctx, matched, material);
    return {};
  }
  if (plan.outcome === 'reply_added' && matched && agent) {
    // An agent who answers a notification: kept for the team, since an address alone proves nobody.
    const kept = withRoom(tx, matched, material);
    const { body, wholeBody } = bodiesOf(kept);
    const note = insertNote(tx, ctx, matched, `${agent.name} wrote by mail:\n\n${body}`, wholeBody);
    keepFiles(tx, ctx, matched, note, kept.files);
    applyRules(tx, ctx, site, matched.id, plan);
    return { reason: `From the agent ${agent.name}, kept as note ${note.id}.` };
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

/** So many files that were not taken are named; hundreds of them would drown what was said. */
const mostRefused = 20;

function bodiesOf({ folded, html, refused }: MailMaterial) {
  const named = refused.slice(0, mostRefused).map((name) => truncate(name, 80));
  const more = refused.length > mostRefused ? ` and ${refused.length - mostRefused} more` : '';
  const note = refused.length === 0 ? '' : `\n\n[Not taken: ${named.join(', ')}${more}]`;
  return {
    body: `${folded.body || '(no text)'}${note}`,
    html,
    wholeBody: folded.foldedAway || folded.isCut ? truncate(folded.whole, 200_000) : null,
  };
}

/**
 * Whoever opens a ticket gets all of its messages at once: beyond this they keep their text, and the log of mail the message
 * itself. A crowd of large replies would otherwise make each look at the ticket a long one for everybody.
 */
const mostMailBytes = 8 * 1024 * 1024;

/** What a full ticket has no room for is named as not taken. */
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
  // A bounce is easily forged: it counts only for a mail of ours, to the address that it went to.
  if (!sent || sent.siteId !== site.id)
    return { outcome: 'bounce_recorded', reason: `${reason} It is of no mail that this site sent.` };
  const failed = bounce.recipients.find(({ address }) => normaliseEmail(address) === sent.recipient);
  if (bounce.recipients.length > 0 && !failed)
    return { outcome: 'bounce_recorded', reason: `${reason} It is of another recipient.` };
  const diagnostic = truncate(
    [failed?.status, failed?.diagnostic].filter((part) => part != null).join(' ') || 'It came back.',
    500,
  );
  if (bounce.isFinal && failed?.action !== 'delayed') {
    suppressAddress(tx, site.id, sent.recipient, diagnostic, ctx.now);
    if (sent.messageId !== null)
      updateMessage(tx, sent.messageId, { delivery: { status: 'bounced', at: toWire(ctx.now), error: diagnostic } });
  }
  const ticketId = ticketOfMailId(tx, site.id, [bounce.originalMessageId ?? '']);
  return { outcome: 'bounce_recorded', reason: `${reason} ${diagnostic}`, ticketId };
}

function noteAutomatic(tx: Tx, ctx: Context, matched: Ticket, { folded, message }: MailMaterial): void {
  insertNote(tx, ctx, matched, `${automaticAnswerFrom(message.from?.address ?? 'somebody')}\n\n${folded.body}`);
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
  // The author may be a verified one, whom mail alone would not find again.
  const author =
    owner?.email === sender
      ? owner
      : findOrCreateAuthor(tx, ctx, site.id, { externalId: null, email: sender, name: message.from?.name || null });
  const { body, html, wholeBody } = bodiesOf(material);
  const hasRoom = mailBytesOfTicket(tx, ticket.id) < mostMailBytes;
  const reply = insertMessage(tx, {
    ulid: newUlid(ctx.now),
    ticketId: ticket.id,
    authorId: author.id,
    agentId: null,
    agentName: null,
    authorName: author.name ?? sender,
    body,
    bodyFormat: 'text',
    isInternal: false,
    isAutomated: false,
    isAgent: false,
    source: 'email',
    // Only the author's own address can be proven to be the author's.
    senderVerified: owner?.email === sender ? verifiedBy(message) : false,
    delivery: null,
    html: hasRoom ? html : null,
    wholeBody: hasRoom ? wholeBody : null,
    createdAt: ctx.now,
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

export interface Preview {
  kind: Classified['kind'];
  plan: Plan;
  rules: RuleTrace[];
}

/** What the dry run tells (docs/spec/api.md#inbound-mail): the same plan that filing the message would carry out. */
export function previewMail(
  tx: Tx,
  ctx: Context,
  siteName: string,
  material: Understood,
  answer: RuleAnswer | null,
): Preview | RulesToAsk {
  authorise(ctx, 'write');
  const site = findSite(tx, ctx, siteName);
  const plan = planMail(tx, ctx, site, { rowId: 0, forwardedTo: [], isReleased: false }, material, answer);
  if ('question' in plan) return plan;
  const rules = plan.trace.length > 0 ? plan.trace : unasked(tx, site, plan);
  return { kind: material.classified.kind, plan, rules: traceForDryRun(rules) };
}

/** A dry run tells of every rule, also where none is asked. */
function unasked(tx: Tx, site: Site, { reason }: Plan): RuleTrace[] {
  return inboundRuleRows.list(tx, site.id).map(({ id, name }) => ({
    ruleId: id,
    name,
    outcome: 'not_reached',
    explanation: `The rules are not asked. ${reason}`,
    conditions: [],
    decidedBy: null,
    actions: [],
    isLast: false,
  }));
}

/** @param siteName null for every site that the actor sees */
export function listLedger(
  tx: Tx,
  ctx: Context,
  siteName: string | null,
  outcomes: readonly string[],
  limit: number,
  offset: number,
) {
  return listInboundMail(tx, { sites: listScope(tx, ctx, siteName), outcomes }, limit, offset);
}

/** @param siteName null where the actor names no site and any that it sees will do */
export function readLedger(
  tx: Tx,
  ctx: Context,
  siteName: string | null,
  id: number,
): { site: Site; row: InboundMail } {
  authorise(ctx, 'read');
  const named = siteName === null ? null : findSite(tx, ctx, siteName);
  const row = inboundMailById(tx, id);
  if (!row || (named !== null && row.siteId !== named.id)) throw notFound('mail');
  return { site: named ?? findSite(tx, ctx, row.siteId), row };
}

/**
 * Opens a row to be filed again through today's rules; what made a ticket or a reply already is not filed twice, and what
 * was forwarded is not sent to the same address twice unless the release says so.
 */
export function reopenMail(tx: Tx, ctx: Context, siteName: string | null, id: number): InboundMail {
  authorise(ctx, 'manage');
  const { row } = readLedger(tx, ctx, siteName, id);
  if (row.erasedAt !== null)
    throw conflict('This mail cannot be run again: its sender was erased, and the stored message with them.', 'erased');
  if (row.outcome === 'ticket_created' || row.outcome === 'reply_added') {
    throw conflict('This mail was filed already; running it again would say everything twice.', 'already_filed');
  }
  // Whoever replays it has it in hand: the pick-up would file it without what they decided.
  updateInboundMail(tx, id, { status: 'received', outcome: null, reason: null, retryAt: ctx.now + filingMs });
  return inboundMailById(tx, id) ?? row;
}
