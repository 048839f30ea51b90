// Mail that arrived: written down first, then filed as a ticket, a reply, or whatever else it turned out to be.

import { toWire } from '../base/clock.ts';
import { newUlid } from '../base/ids.ts';
import { normaliseEmail } from '../domain/author.ts';
import { conflict, DeskError, notFound } from '../domain/errors.ts';
import { floodLimit, type InboundOutcome, type ProviderName } from '../domain/inbound.ts';
import {
  evaluateRules,
  nextInTurn,
  type Rule,
  type RuleEffects,
  type RuleSurroundings,
  type RuleTrace,
} from '../domain/rule.ts';
import { truncate } from '../domain/text.ts';
import { maxTags } from '../domain/ticket.ts';
import type { FoldedBody } from '../mail/body.ts';
import type { Classified } from '../mail/classify.ts';
import type { InboundMessage } from '../mail/message.ts';
import { ruleMessageOf } from '../mail/rule-message.ts';
import type { Tx } from '../store/database.ts';
import {
  countFromSender,
  earlierDelivery,
  hasWrittenOn,
  type InboundMail,
  inboundMailById,
  insertInboundMail,
  liftSuppression,
  listInboundMail,
  sentMail,
  suppressAddress,
  ticketOfMailId,
  updateInboundMail,
} from '../store/inbound.ts';
import { countAttachments, insertMessage, type Message, updateMessage } from '../store/messages.ts';
import { agentsOfSite, authorById } from '../store/people.ts';
import { categoryRows, inboundRuleRows, priorityRows, type Site, updateSite } from '../store/sites.ts';
import { type Ticket, ticketById, ticketByUlid, updateTicket } from '../store/tickets.ts';
import { authorise, findSite } from './access.ts';
import { attachReceived, maxAttachmentsPerTicket, type StoredFile } from './attachments.ts';
import { findOrCreateAuthor } from './authors.ts';
import { queueForward } from './outbox.ts';
import { type Context, record } from './record.ts';
import { reindexTicket } from './search-index.ts';
import { changeStatus, changeTicket, followMerges, openFromMail } from './tickets.ts';

/** Writes down that something arrived; its bytes are on the disk already. Answers the ledger row's id. */
export function receiveMail(
  tx: Tx,
  ctx: Context,
  site: Site,
  arrived: { ulid: string; provider: ProviderName; headers: Record<string, string>; size: number },
): number {
  return insertInboundMail(tx, { ...arrived, siteId: site.id, receivedAt: ctx.now });
}

/** A parsed message, with its files on the disk. */
export interface MailMaterial {
  message: InboundMessage;
  classified: Classified;
  folded: FoldedBody;
  /** Sanitised. */
  html: string | null;
  files: StoredFile[];
  /** Names of files that are not taken. */
  refused: string[];
}

export interface Filed {
  row: InboundMail;
  ticket: Ticket | null;
}

interface Result {
  outcome: InboundOutcome;
  reason: string;
  ticketId?: number | null;
  isReopening?: boolean;
  rules?: { id: number; name: string }[];
  trace?: RuleTrace[];
}

const hourMs = 60 * 60 * 1000;

/** What could not be filed, and why; with the message where it could be read. */
export function failMail(
  tx: Tx,
  ctx: Context,
  id: number,
  outcome: 'failed' | 'discarded',
  reason: string,
  message?: InboundMessage,
): Filed {
  return finish(tx, ctx, id, { outcome, reason }, message);
}

function finish(tx: Tx, ctx: Context, id: number, result: Result, message?: InboundMessage): Filed {
  const row = inboundMailById(tx, id);
  if (!row) throw notFound('mail');
  updateInboundMail(tx, id, {
    status: 'done',
    outcome: result.outcome,
    reason: result.reason,
    ticketId: result.ticketId ?? null,
    isReopening: result.isReopening ?? false,
    matchedRules: result.rules ?? [],
    trace: result.trace ?? [],
    attempts: row.attempts + 1,
    processedAt: ctx.now,
    ...(message === undefined ? {} : { ...marksOf(message) }),
  });
  const ticket = result.ticketId == null ? null : (ticketById(tx, result.ticketId) ?? null);
  return { row: inboundMailById(tx, id) ?? row, ticket };
}

/** What the ledger shows of a message, and knows it by. */
function marksOf(message: InboundMessage) {
  return {
    sender: message.from === null ? null : normaliseEmail(message.from.address),
    recipient: recipientOf(message),
    subject: truncate(message.subject, 255),
    mailMessageId: message.messageId,
    contentHash: message.contentHash,
  };
}

function recipientsOf(message: InboundMessage): string[] {
  return [
    ...message.envelope.to,
    ...message.deliveredTo,
    ...message.to.map(({ address }) => address),
    ...message.cc.map(({ address }) => address),
  ].map(normaliseEmail);
}

function recipientOf(message: InboundMessage): string {
  return recipientsOf(message)[0] ?? '';
}

/**
 * Files a message in the order of semantics.md, Inbound mail: duplicate, bounce, automatic, own, forged, matched, ruled,
 * flood, and then a reply or a ticket. Everything is one step: the ledger's outcome commits with what it caused.
 */
export function fileMail(tx: Tx, ctx: Context, site: Site, id: number, material: MailMaterial): Filed {
  const row = inboundMailById(tx, id);
  if (!row) throw notFound('mail');
  // Somebody else was faster: a replay beside the pick-up at start.
  if (row.status === 'done')
    return { row, ticket: row.ticketId === null ? null : (ticketById(tx, row.ticketId) ?? null) };
  const mail: Context = { ...ctx, actor: { kind: 'mail', siteId: site.id } };
  return finish(tx, ctx, id, judge(tx, mail, site, row, material), material.message);
}

function judge(tx: Tx, ctx: Context, site: Site, row: InboundMail, material: MailMaterial): Result {
  const { message, classified } = material;
  const earlier =
    message.messageId === null
      ? undefined
      : earlierDelivery(tx, row, message.messageId, recipientOf(message), message.contentHash);
  if (earlier)
    return {
      outcome: 'duplicate',
      reason: `The same message was filed as #${earlier.id} of the ledger.`,
      ticketId: earlier.ticketId,
    };
  if (classified.kind === 'own') return { outcome: 'ignored_auto_reply', reason: classified.reason };
  if (classified.kind === 'bounce') return recordBounce(tx, ctx, site, classified);
  const matched = matchTicket(tx, site, message);
  if (classified.kind === 'automatic') return noteAutomatic(tx, ctx, matched, material, classified.reason);
  if (message.verdict === 'fail')
    return { outcome: 'held', reason: 'The provider says that the sender is forged.', ticketId: null };
  const sender = message.from === null ? null : normaliseEmail(message.from.address);
  if (sender === null) return { outcome: 'failed', reason: 'It names no sender.' };

  const { effects, trace } = runRules(tx, site, material, matched);
  const rules = trace.filter(({ outcome }) => outcome === 'matched').map(({ ruleId, name }) => ({ id: ruleId, name }));
  const ruled = { rules, trace };
  // Not with what is held: its replay would send them again.
  const forward = () => {
    for (const { address } of effects.forwards) queueForward(tx, ctx, site.id, address, row.id, message.subject);
  };
  if (effects.discard) {
    forward();
    const outcome = effects.forwards.length > 0 ? 'forwarded' : 'discarded';
    return { outcome, reason: `Rule ${effects.discard.ruleId}: ${effects.discard.reason}`, ...ruled };
  }

  const agent = agentsOfSite(tx, site.id).find(({ email }) => normaliseEmail(email) === sender);
  if (matched && agent) {
    forward();
    // An agent who answers a notification: kept for the team, since an address alone proves nobody.
    const kept = withRoom(tx, matched, material);
    const { body, wholeBody } = bodiesOf(kept);
    const note = insertNote(tx, ctx, matched, `${agent.name} wrote by mail:\n\n${body}`, wholeBody);
    keepFiles(tx, ctx, matched, note, kept.files);
    applyEffects(tx, ctx, site, ticketById(tx, matched.id) ?? matched, effects);
    noteSkipped(tx, ctx, matched, trace);
    return {
      outcome: 'reply_added',
      reason: `From the agent ${agent.name}, kept as note ${note.id}.`,
      ticketId: matched.id,
      ...ruled,
    };
  }
  if (matched) {
    const isReopening = matched.status === 'resolved' || matched.status === 'closed';
    if (isReopening && countFromSender(tx, site.id, sender, ctx.now - hourMs, 'reopened') >= floodLimit) {
      return {
        outcome: 'held',
        reason: `${sender} has reopened more than ${floodLimit} tickets within an hour.`,
        ...ruled,
      };
    }
    forward();
    liftSuppression(tx, site.id, sender);
    const said = addReply(tx, ctx, site, matched, withRoom(tx, matched, material), sender);
    applyEffects(tx, ctx, site, said.ticket, effects);
    noteSkipped(tx, ctx, said.ticket, trace);
    return { outcome: 'reply_added', reason: 'Matched to a ticket.', ticketId: matched.id, isReopening, ...ruled };
  }
  if (countFromSender(tx, site.id, sender, ctx.now - hourMs, 'opened') >= floodLimit) {
    return {
      outcome: 'held',
      reason: `${sender} has opened more than ${floodLimit} tickets within an hour.`,
      ...ruled,
    };
  }
  forward();
  liftSuppression(tx, site.id, sender);
  const { ticket, message: first } = openFromMail(tx, ctx, site, {
    email: sender,
    name: message.from?.name || null,
    subject: truncate(message.subject, 255) || '(no subject)',
    ...bodiesOf(material),
    senderVerified: verifiedBy(message),
    mayAcknowledge: classified.mayAcknowledge,
    categoryId: effects.categoryId,
    priorityId: effects.priorityId,
  });
  keepFiles(tx, ctx, ticket, first, material.files);
  applyEffects(tx, ctx, site, ticketById(tx, ticket.id) ?? ticket, { ...effects, categoryId: null, priorityId: null });
  noteSkipped(tx, ctx, ticket, trace);
  return { outcome: 'ticket_created', reason: 'No ticket matched.', ticketId: ticket.id, ...ruled };
}

function verifiedBy(message: InboundMessage): boolean | null {
  return message.verdict === 'none' ? null : message.verdict === 'pass';
}

function bodiesOf({ folded, html, refused }: MailMaterial) {
  const note = refused.length === 0 ? '' : `\n\n[Not taken: ${refused.join(', ')}]`;
  return {
    body: `${folded.body || '(no text)'}${note}`,
    html,
    wholeBody: folded.foldedAway || folded.isCut ? truncate(folded.whole, 200_000) : null,
  };
}

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

/** The plus address first, then the thread, then the reference in the subject, which proves something only from somebody known. */
function matchTicket(tx: Tx, site: Site, message: InboundMessage): Ticket | null {
  const ours = (ticket: Ticket | undefined) => (ticket && ticket.siteId === site.id ? followMerges(tx, ticket) : null);
  for (const address of recipientsOf(message)) {
    const ulid = /^ticket\+([0-9a-hjkmnp-tv-z]{26})@/i.exec(address)?.[1];
    const found = ulid === undefined ? null : ours(ticketByUlid(tx, ulid));
    if (found) return found;
  }
  for (const messageId of [message.inReplyTo, ...message.references.toReversed()]) {
    const ticketId = messageId === null ? null : ticketOfMailId(tx, site.id, messageId);
    const found = ticketId === null ? null : ours(ticketById(tx, ticketId));
    if (found) return found;
  }
  const reference = /\[#(\d{1,15})\]/.exec(message.subject)?.[1];
  const named = reference === undefined ? null : ours(ticketById(tx, Number(reference)));
  if (!named || message.from === null) return null;
  const sender = normaliseEmail(message.from.address);
  const isKnown = authorById(tx, named.authorId)?.email === sender || hasWrittenOn(tx, named.id, sender);
  return isKnown ? named : null;
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
  const ticketId = ticketOfMailId(tx, site.id, bounce.originalMessageId ?? '');
  return { outcome: 'bounce_recorded', reason: `${reason} ${diagnostic}`, ticketId };
}

function noteAutomatic(
  tx: Tx,
  ctx: Context,
  matched: Ticket | null,
  { folded, message }: MailMaterial,
  reason: string,
): Result {
  if (matched)
    insertNote(tx, ctx, matched, `Automatic answer from ${message.from?.address ?? 'somebody'}:\n\n${folded.body}`);
  return { outcome: 'ignored_auto_reply', reason, ticketId: matched?.id ?? null };
}

function insertNote(tx: Tx, ctx: Context, ticket: Ticket, body: string, wholeBody: string | null = null): Message {
  const note = insertMessage(tx, {
    ulid: newUlid(ctx.now),
    ticketId: ticket.id,
    authorId: null,
    agentId: null,
    agentName: null,
    authorName: null,
    body: truncate(body, 10_000),
    bodyFormat: 'text',
    isInternal: true,
    isAutomated: true,
    isAgent: false,
    source: 'email',
    senderVerified: null,
    delivery: null,
    html: null,
    wholeBody,
    createdAt: ctx.now,
  });
  const current = ticketById(tx, ticket.id) ?? ticket;
  updateTicket(tx, current, { messageCount: current.messageCount + 1, updatedAt: ctx.now });
  record(tx, ctx, {
    kind: 'ticket.note_added',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: { ticket_ulid: ticket.ulid, message_ulid: note.ulid, is_agent: false },
  });
  reindexTicket(tx, ticket.id);
  return note;
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
    html,
    wholeBody,
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

const isActive = (row: { isActive: boolean }) => row.isActive;

/** What rules may name: what is switched off is refused to a ticket as what is deleted. */
function surroundingsOf(tx: Tx, site: Site): RuleSurroundings {
  const agents = agentsOfSite(tx, site.id);
  return {
    categories: categoryRows
      .list(tx, site.id)
      .filter(isActive)
      .map(({ id, slug, name }) => ({ id, slug, name })),
    priorities: priorityRows
      .list(tx, site.id)
      .filter(isActive)
      .map(({ id, name }) => ({ id, name })),
    agents: agents.map(({ id, name }) => ({ id, name })),
    hasMembers: agents.length > 0,
  };
}

function runRules(
  tx: Tx,
  site: Site,
  { message, folded }: Pick<MailMaterial, 'message' | 'folded'>,
  matched: Ticket | null,
) {
  const surroundings = surroundingsOf(tx, site);
  const category = matched?.categoryId == null ? null : (categoryRows.get(tx, site.id, matched.categoryId) ?? null);
  const rules = inboundRuleRows.list(tx, site.id) as unknown as Rule[];
  return evaluateRules(rules, ruleMessageOf(message, folded, { isReply: matched !== null, category }), surroundings);
}

/** Does to a ticket what the rules asked for, in the history as theirs. */
function applyEffects(tx: Tx, ctx: Context, site: Site, ticket: Ticket, effects: RuleEffects): void {
  const asRule: Context = { ...ctx, actor: { kind: 'rule', siteId: site.id, ruleId: 0, name: 'inbound rules' } };
  const tags = [...new Set([...ticket.tags, ...effects.tags])].slice(0, maxTags);
  const assignee = effects.assign === 'round_robin' ? nextAgent(tx, site) : effects.assign;
  const change = {
    ...(effects.categoryId === null ? {} : { category_id: effects.categoryId }),
    ...(effects.priorityId === null ? {} : { priority_id: effects.priorityId }),
    ...(assignee === null ? {} : { assigned_to: assignee }),
    ...(tags.length === ticket.tags.length ? {} : { tags }),
  };
  if (Object.keys(change).length > 0) changeTicket(tx, asRule, ticket.id, change, null);
  if (Object.keys(effects.metadata).length > 0) {
    const current = ticketById(tx, ticket.id) ?? ticket;
    const metadata = { ...current.metadata, ...effects.metadata };
    updateTicket(tx, current, { metadata, updatedAt: ctx.now });
    record(tx, asRule, {
      kind: 'ticket.updated',
      siteId: site.id,
      ticketId: ticket.id,
      data: { ticket_ulid: ticket.ulid, changes: { metadata: { from: current.metadata, to: metadata } } },
    });
  }
  for (const { text } of effects.notes) insertNote(tx, asRule, ticketById(tx, ticket.id) ?? ticket, text);
  if (effects.status !== null) setStatus(tx, asRule, site, ticketById(tx, ticket.id) ?? ticket, effects.status);
}

function setStatus(tx: Tx, ctx: Context, site: Site, ticket: Ticket, to: Ticket['status']): void {
  try {
    changeStatus(tx, ctx, site, ticket, to);
  } catch (error) {
    // A rule that asks for a way that there is not has no effect; its trace says what it wanted.
    if (!(error instanceof DeskError) || error.reason !== 'no_such_transition') throw error;
  }
}

/** Round robin over the site's agents, remembered on the site. */
function nextAgent(tx: Tx, site: Site): number | null {
  const ids = agentsOfSite(tx, site.id).map(({ id }) => id);
  const next = nextInTurn(ids, findSiteRow(tx, site).lastAssignedAgentId);
  if (next !== null) updateSite(tx, site.id, { lastAssignedAgentId: next });
  return next;
}

function findSiteRow(tx: Tx, site: Site): Site {
  return findSite(tx, { actor: { kind: 'operator' } } as Context, site.id);
}

/** A rule that names something deleted was skipped, and says so in the history. */
function noteSkipped(tx: Tx, ctx: Context, ticket: Ticket, trace: readonly RuleTrace[]): void {
  for (const { outcome, ruleId, name, explanation } of trace) {
    if (outcome !== 'skipped') continue;
    record(
      tx,
      { ...ctx, actor: { kind: 'rule', siteId: ticket.siteId, ruleId, name } },
      {
        kind: 'ticket.updated',
        siteId: ticket.siteId,
        ticketId: ticket.id,
        data: { ticket_ulid: ticket.ulid, rule_skipped: explanation },
      },
    );
  }
}

/** What would happen to a message, without doing it (api.md, …/inbound-rules/test). */
export function previewMail(
  tx: Tx,
  ctx: Context,
  siteName: string,
  material: Pick<MailMaterial, 'message' | 'folded' | 'classified'>,
) {
  authorise(ctx, 'read');
  const site = findSite(tx, ctx, siteName);
  const matched = matchTicket(tx, site, material.message);
  const { effects, trace } = runRules(tx, site, material, matched);
  return { kind: material.classified.kind, ticket: matched, effects, trace };
}

export function listLedger(
  tx: Tx,
  ctx: Context,
  siteName: string,
  outcomes: readonly string[],
  limit: number,
  offset: number,
) {
  authorise(ctx, 'read');
  return listInboundMail(tx, { siteId: findSite(tx, ctx, siteName).id, outcomes }, limit, offset);
}

export function readLedger(tx: Tx, ctx: Context, siteName: string, id: number): { site: Site; row: InboundMail } {
  authorise(ctx, 'read');
  const site = findSite(tx, ctx, siteName);
  const row = inboundMailById(tx, id);
  if (!row || row.siteId !== site.id) throw notFound('mail');
  return { site, row };
}

/** Opens a row to be filed again through today's rules; what made a ticket or a reply already is not filed twice. */
export function reopenMail(tx: Tx, ctx: Context, siteName: string, id: number): InboundMail {
  authorise(ctx, 'manage');
  const { row } = readLedger(tx, ctx, siteName, id);
  if (row.outcome === 'ticket_created' || row.outcome === 'reply_added') {
    throw conflict('This mail was filed already; running it again would say everything twice.', 'already_filed');
  }
  updateInboundMail(tx, id, { status: 'received' });
  return inboundMailById(tx, id) ?? row;
}
