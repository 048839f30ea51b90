// Files for a form that was just sent: by a token that adds to its message and opens nothing (docs/spec/customer.md#form).

import { isSameSecret } from '../../base/crypto.ts';
import { formLimits } from '../../domain/customers/portal.ts';
import { conflict, DeskError, notFound } from '../../domain/errors.ts';
import type { Tx } from '../../engine/database.ts';
import { authorById } from '../../store/customers/authors.ts';
import { type Attachment, attachmentsOfTicket, type Message, messageById } from '../../store/tickets/messages.ts';
import { type Ticket, ticketById } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { attachAsCustomer, type StoredFile } from '../tickets/attachments.ts';

const sign = ({ seal }: Pick<Context, 'seal'>, text: string) => seal.sign('form-upload', text);

export function uploadToken(ctx: Context, { id }: Pick<Message, 'id'>): string {
  const text = `${id}.${ctx.now + formLimits.uploadMs}`;
  return `hdu_${text}.${sign(ctx, text)}`;
}

const pattern = /^hdu_((\d{1,15})\.(\d{1,15}))\.([\w-]{43})$/;

/** The ticket that the token's message is on now. */
export function openUpload(tx: Tx, ctx: Context, token: string): { ticket: Ticket; message: Message; ctx: Context } {
  const [, text = '', id = '', expiresAt = '', signature = ''] = pattern.exec(token) ?? [];
  if (text === '' || !isSameSecret(sign(ctx, text), signature))
    throw new DeskError('unauthenticated', 'Send the upload token of the form as X-Upload-Token.', {
      reason: 'unknown_upload_token',
    });
  if (Number(expiresAt) <= ctx.now)
    throw new DeskError('unauthenticated', 'The time for files of this form is over. Send them with a reply.', {
      reason: 'upload_over',
    });
  const message = messageById(tx, Number(id));
  const ticket = message && ticketById(tx, message.ticketId);
  const author = message?.authorId == null ? undefined : authorById(tx, message.authorId);
  if (!message || !ticket || !author || author.anonymisedAt !== null) throw notFound('ticket');
  return {
    ticket,
    message,
    ctx: { ...ctx, actor: { kind: 'author', siteId: ticket.siteId, authorId: author.id, name: author.name } },
  };
}

export function attachToForm(tx: Tx, ctx: Context, token: string, file: StoredFile): Attachment {
  const upload = openUpload(tx, ctx, token);
  const { ticket, message } = upload;
  const files = attachmentsOfTicket(tx, ticket.id).filter(({ messageId }) => messageId === message.id);
  if (files.length >= formLimits.files)
    throw conflict(`A form can have at most ${formLimits.files} files.`, 'too_many_attachments');
  return attachAsCustomer(tx, upload.ctx, ticket, file, message.id);
}
