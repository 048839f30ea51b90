// Files on tickets: the row, after the bytes are safe on the disk.

import { conflict, invalid } from '../domain/errors.ts';
import type { Tx } from '../store/database.ts';
import { type Attachment, countAttachments, insertAttachment, type Message, messageById } from '../store/messages.ts';
import { type Ticket, updateTicket } from '../store/tickets.ts';
import { authorise, findTicket } from './access.ts';
import { type Context, record } from './record.ts';

/** A file that was written, synced and named already. */
export interface StoredFile {
  ulid: string;
  filename: string;
  contentType: string;
  size: number;
  sha256: string;
}

// A thread is shown whole; more files than this on one ticket is somebody's mistake or malice.
export const maxAttachmentsPerTicket = 500;

function attach(
  tx: Tx,
  ctx: Context,
  ticket: Ticket,
  file: StoredFile,
  by: { isAgent: boolean; messageId: number | null; isInternal: boolean },
): Attachment {
  const total = countAttachments(tx, ticket.id);
  if (total >= maxAttachmentsPerTicket)
    throw conflict(`A ticket holds ${maxAttachmentsPerTicket} attachments at most.`, 'too_many_attachments');
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

/** A customer's file, on the ticket or on one of its public messages (docs/spec/api.md#ingest). */
export function attachAsCustomer(
  tx: Tx,
  ctx: Context,
  ticket: Ticket,
  file: StoredFile,
  messageId: number | null,
): Attachment {
  if (messageId !== null) {
    const message = messageById(tx, messageId);
    if (!message || message.ticketId !== ticket.id || message.isInternal || message.isAgent) {
      throw invalid('message_id', 'names no message of yours on this ticket.');
    }
  }
  return attach(tx, ctx, ticket, file, { isAgent: false, messageId, isInternal: false });
}

/**
 * An agent's file. Until a public reply names it (`attachment_ids`) the customer does not see it; with `message_id` it
 * goes where that message is seen.
 */
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
    throw conflict('This ticket was merged into another one; attach there.', 'ticket_merged');
  let isInternal = true;
  if (messageId !== null) {
    const message = messageById(tx, messageId);
    if (!message || message.ticketId !== ticket.id) throw invalid('message_id', 'names no message of this ticket.');
    isInternal = message.isInternal;
  }
  return attach(tx, ctx, ticket, file, { isAgent: true, messageId, isInternal });
}

/** A file that came with a mail, on the message that the mail became. */
export function attachReceived(
  tx: Tx,
  ctx: Context,
  ticket: Ticket,
  file: StoredFile,
  { id, isInternal }: Message,
): Attachment {
  return attach(tx, ctx, ticket, file, { isAgent: false, messageId: id, isInternal });
}
