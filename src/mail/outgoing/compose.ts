// Composes the mails that the desk sends, with headers that keep threads together and prevent loops.

import { isAddress } from '../../domain/address.ts';
import { invalid } from '../../domain/errors.ts';
import { fit, oneLine } from '../../domain/plain-text.ts';
import type { MailAttachment, Mailbox, MailContent, MailFrame } from './mail-content.ts';
import { letterAsHtml, letterAsText } from './text-and-html.ts';
import { letterOf, subjectOf } from './wording.ts';

export interface ComposedMail {
  from: Mailbox;
  to: Mailbox;
  replyTo?: Mailbox;
  envelope: { from: string; to: string[] };
  subject: string;
  messageId: string;
  inReplyTo?: string;
  references?: string[];
  date: Date;
  headers: Record<string, string>;
  text: string;
  html: string;
  attachments: { filename: string; contentType: string; content: Buffer; contentDisposition: 'attachment' }[];
}

export const deskHeader = 'X-Helpdesk-Desk';

export function composeMail(frame: MailFrame, content: MailContent): ComposedMail {
  const from = mailbox('from', frame.from);
  const to = mailbox('to', frame.to);
  const inReplyTo = frame.inReplyTo === null ? undefined : messageIds([frame.inReplyTo])[0];
  const references = messageIds(inReplyTo === undefined ? frame.references : [...frame.references, inReplyTo]);
  const [messageId] = messageIds([frame.messageId]);
  if (messageId === undefined) throw invalid('messageId', 'is not a message id');
  const letter = letterOf(frame, content);
  return {
    from,
    to,
    ...(frame.ticket && frame.inboundDomain
      ? {
          replyTo: mailbox('replyTo', {
            name: frame.site.name,
            address: ticketAddress(frame.ticket.ulid, frame.inboundDomain),
          }),
        }
      : {}),
    envelope: { from: from.address, to: [to.address] },
    subject: subjectOf(frame, content),
    messageId,
    ...(inReplyTo === undefined ? {} : { inReplyTo }),
    ...(references.length === 0 ? {} : { references }),
    date: new Date(frame.at),
    headers: {
      [deskHeader]: oneLine(frame.deskId),
      // Exchange follows Auto-Submitted only in part, but does follow X-Auto-Response-Suppress.
      ...(content.kind === 'agent_reply'
        ? {}
        : { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' }),
    },
    text: letterAsText(letter),
    html: letterAsHtml(letter),
    attachments: content.kind === 'agent_reply' || content.kind === 'forward' ? content.attachments.map(attached) : [],
  };
}

function ticketAddress(ulid: string, inboundDomain: string): string {
  return `ticket+${ulid}@${inboundDomain}`;
}

function mailbox(field: string, { name, address }: Mailbox): Mailbox {
  // A header or an SMTP command must not read more than one address.
  if (!isAddress(address)) throw invalid(field, 'is not an e-mail address');
  return { name: fit(oneLine(name), 100), address: address.trim() };
}

/** Keeps the first, which started the thread, and the newest. */
function messageIds(texts: readonly string[]): string[] {
  const ids = [...new Set(texts.map((text) => text.trim()).filter((text) => /^<[!-;=?-~]{1,250}>$/.test(text)))];
  return ids.length <= 20 ? ids : [ids[0]!, ...ids.slice(-19)];
}

function attached({ filename, contentType, content }: MailAttachment) {
  return {
    filename: fit(oneLine(filename).replace(/[/\\]/g, '_'), 200) || 'attachment',
    contentType: /^[\w.+-]+\/[\w.+-]+$/.test(contentType) ? contentType : 'application/octet-stream',
    content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    contentDisposition: 'attachment' as const,
  };
}
