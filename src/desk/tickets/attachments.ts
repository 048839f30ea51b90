// Attachments of tickets: the rows, once the bytes are safely on disk.

import { conflict, DeskError, invalid, notFound } from '../../domain/errors.ts';
import { type Instant, minuteMs } from '../../domain/instant.ts';
import { megabyte } from '../../domain/tickets/files.ts';
import { isUlid } from '../../domain/ulid.ts';
import type { Tx } from '../../engine/database.ts';
import { type Site, siteById } from '../../store/sites/sites.ts';
import {
  type Attachment,
  attachmentByUlid,
  bytesOfSite,
  countAttachments,
  deleteAttachment,
  erasedAtOf,
  insertAttachment,
  isLoose,
  type Message,
  messageById,
  sameUpload,
} from '../../store/tickets/messages.ts';
import { type DraftFile, draftFileByUlid } from '../../store/tickets/ticket-drafts.ts';
import { type Ticket, ticketById, updateTicket } from '../../store/tickets/tickets.ts';
import { authorise, findTicket, siteOfTicket } from '../access.ts';
import type { Context } from '../context.ts';
import { record } from '../record.ts';
import { followMerges } from './find-ticket.ts';

export interface StoredFile {
  ulid: string;
  filename: string;
  contentType: string;
  size: number;
  sha256: string;
  /** It came without an Idempotency-Key: the same again on the same message is the upload whose answer was lost. */
  mayRepeat?: boolean;
  /** A signature, or a mail whose words are shown: that it is not kept is not said in the text. */
  isUnsaid?: boolean;
}

const repeatMs = 10 * minuteMs;

// A ticket is shown with all its attachments; more than this is a mistake or an attack.
export const maxAttachmentsPerTicket = 500;

/** How many more bytes the site can keep in files. */
export function roomOfSite(tx: Tx, site: Pick<Site, 'id' | 'settings'>): number {
  const { attachments_total_mb: most } = site.settings;
  return most === null ? Number.POSITIVE_INFINITY : Math.max(0, most * megabyte - bytesOfSite(tx, site.id));
}

function uploaderOf({ actor }: Context): number | null {
  return actor.kind === 'agent' ? actor.agentId : null;
}

/** What a new file says of its scan. */
export const toBeScanned = ({ scansFiles, now }: Context) =>
  scansFiles
    ? ({ scanStatus: 'waiting', scanFound: null, scanNextAt: now } as const)
    : { scanStatus: null, scanFound: null, scanNextAt: null };

function attach(
  tx: Tx,
  ctx: Context,
  ticket: Ticket,
  file: StoredFile,
  by: { isAgent: boolean; messageId: number | null; isInternal: boolean },
): Attachment {
  const agentId = by.isAgent ? uploaderOf(ctx) : null;
  if (file.mayRepeat) {
    const first = sameUpload(tx, { ...by, ...file, ticketId: ticket.id, agentId }, ctx.now - repeatMs);
    if (first) return first;
  }
  const total = countAttachments(tx, ticket.id);
  if (total >= maxAttachmentsPerTicket)
    throw conflict(`A ticket can have at most ${maxAttachmentsPerTicket} attachments.`, 'too_many_attachments');
  if (file.size > roomOfSite(tx, siteOfTicket(tx, ticket)))
    throw invalid('file', 'must wait, because the space for files of this site is full.', 'storage_full');
  const attachment = insertAttachment(tx, {
    ulid: file.ulid,
    siteId: ticket.siteId,
    ticketId: ticket.id,
    messageId: by.messageId,
    filename: file.filename,
    contentType: file.contentType,
    size: file.size,
    sha256: file.sha256,
    isAgent: by.isAgent,
    isInternal: by.isInternal,
    createdAt: ctx.now,
    agentId,
    ...toBeScanned(ctx),
  });
  updateTicket(tx, ticket, { updatedAt: ctx.now });
  record(tx, ctx, {
    kind: 'ticket.attachment_added',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: { ticket_ulid: ticket.ulid, attachment_ulid: attachment.ulid, size: attachment.size },
  });
  return attachment;
}

export function attachAsCustomer(
  tx: Tx,
  ctx: Context,
  ticket: Ticket,
  file: StoredFile,
  messageId: number | null,
): Attachment {
  if (messageId !== null) {
    const message = messageById(tx, messageId);
    // A merged ticket has messages of several customers.
    const isOther = ctx.actor.kind === 'author' && message?.authorId !== ctx.actor.authorId;
    if (!message || message.ticketId !== ticket.id || message.isInternal || message.isAgent || isOther) {
      throw invalid('message_id', 'does not name one of your messages on this ticket.');
    }
  }
  return attach(tx, ctx, ticket, file, { isAgent: false, messageId, isInternal: false });
}

/** The customer sees it once a public reply names it (`attachment_ids`), or at once on a public message. */
export function attachAsAgent(
  tx: Tx,
  ctx: Context,
  name: string | number,
  file: StoredFile,
  messageId: number | null,
): Attachment {
  authorise(ctx, 'write');
  const ticket = findTicket(tx, ctx, name);
  if (ticket.mergedIntoId !== null)
    throw conflict('This ticket was merged into another one. Attach the file there instead.', 'ticket_merged');
  let isInternal = true;
  if (messageId !== null) {
    const message = messageById(tx, messageId);
    if (!message || message.ticketId !== ticket.id)
      throw invalid('message_id', 'does not name a message of this ticket.');
    isInternal = message.isInternal;
  }
  return attach(tx, ctx, ticket, file, { isAgent: true, messageId, isInternal });
}

/** One that belongs to no message; what an agent uploaded, only they remove. */
export function removeAttachment(tx: Tx, ctx: Context, name: string | number, ulid: string): void {
  authorise(ctx, 'write');
  const ticket = findTicket(tx, ctx, name);
  const attachment = isUlid(ulid) ? attachmentByUlid(tx, ulid.toUpperCase()) : undefined;
  if (attachment?.ticketId !== ticket.id) throw notFound('attachment');
  if (!isLoose(attachment) || !attachment.isAgent)
    throw conflict('This file belongs to a message, and stays with it.', 'attachment_in_use');
  if (attachment.agentId !== null && attachment.agentId !== uploaderOf(ctx))
    throw new DeskError('forbidden', 'Someone else uploaded this file.', { reason: 'other_agent' });
  deleteAttachment(tx, attachment.id);
  updateTicket(tx, ticket, {});
  record(tx, ctx, {
    kind: 'ticket.attachment_removed',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: { ticket_ulid: ticket.ulid, attachment_ulid: attachment.ulid },
  });
}

export function attachReceived(
  tx: Tx,
  ctx: Context,
  ticket: Ticket,
  file: StoredFile,
  { id, isInternal, isAgent }: Message,
): Attachment {
  return attach(tx, ctx, ticket, file, { isAgent, messageId: id, isInternal });
}

/** From someone outside: no reply and no page for customers has it. */
export function attachApart(tx: Tx, ctx: Context, ticket: Ticket, file: StoredFile): Attachment {
  return attach(tx, ctx, ticket, file, { isAgent: false, messageId: null, isInternal: true });
}

/**
 * What a signed link opens. Null once the file is on another ticket than the one that the link was shown on, and once the customer
 * of that ticket, or the writer of the message, was erased after the link was made.
 */
export function linkedFile(
  tx: Tx,
  ulid: string,
  { ticketId, madeAt }: { ticketId: number | null; madeAt: Instant },
): Attachment | DraftFile | null {
  // What waits for a new ticket belongs to no site.
  if (ticketId === null) return draftFileByUlid(tx, ulid) ?? null;
  const found = attachmentByUlid(tx, ulid);
  const shownOn = ticketById(tx, ticketId);
  if (found === undefined || shownOn === undefined || followMerges(tx, shownOn).id !== found.ticketId) return null;
  if (siteById(tx, found.siteId) === undefined) return null;
  const erasedAt = erasedAtOf(tx, found);
  return erasedAt === null || erasedAt < madeAt ? found : null;
}
