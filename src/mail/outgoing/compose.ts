// Composes the mails that the desk sends, with headers that keep threads together and prevent loops.

import { invalid } from '../../domain/errors.ts';
import { isAddress } from '../../domain/mail/address.ts';
import { canaryHeader } from '../../domain/mail/canary.ts';
import { mailHeader } from '../../domain/mail/desk-headers.ts';
import { fit, oneLine } from '../../domain/plain-text.ts';
import type { MailAttachment, Mailbox, MailContent, MailFrame } from './mail-content.ts';
import { letterAsHtml, letterAsText } from './text-and-html.ts';
import { letterOf, subjectOf } from './wording.ts';

export interface ComposedMail {
  from: Mailbox;
  to: Mailbox[];
  cc?: Mailbox[];
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
  const to = (frame.readers?.to ?? [frame.to]).map((one) => mailbox('to', one));
  const cc = (frame.readers?.cc ?? []).map((one) => mailbox('cc', one));
  const goesTo = frame.readers?.goesTo.map((address) => mailbox('to', { name: '', address })) ?? to;
  if (goesTo.length === 0) throw invalid('to', 'has no address that mail can be sent to');
  const answers = answersTo(frame);
  const inReplyTo = frame.inReplyTo === null ? undefined : messageIds([frame.inReplyTo])[0];
  const references = messageIds([
    ...frame.references,
    ...(answers?.reference ?? []),
    ...(inReplyTo === undefined ? [] : [inReplyTo]),
  ]);
  const [messageId] = messageIds([frame.messageId]);
  if (messageId === undefined) throw invalid('messageId', 'is not a message id');
  const letter = letterOf(frame, content);
  const isMessage = content.kind === 'agent_reply' || content.kind === 'side_message';
  const isAutomatic = !isMessage || (content.kind === 'agent_reply' && content.isAutomated);
  return {
    from,
    to,
    ...(cc.length === 0 ? {} : { cc }),
    ...(answers === null ? {} : { replyTo: mailbox('replyTo', { name: frame.site.name, address: answers.address }) }),
    envelope: { from: from.address, to: goesTo.map(({ address }) => address) },
    subject: subjectOf(frame, content),
    messageId,
    ...(inReplyTo === undefined ? {} : { inReplyTo }),
    ...(references.length === 0 ? {} : { references }),
    date: new Date(frame.at),
    headers: {
      [deskHeader]: oneLine(frame.deskId),
      [mailHeader]: messageId,
      ...(content.kind === 'canary' ? { [canaryHeader]: oneLine(content.proof) } : {}),
      ...(frame.unsubscribeUrl
        ? { 'List-Unsubscribe': `<${frame.unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
        : {}),
      // Exchange follows Auto-Submitted only in part, but does follow X-Auto-Response-Suppress.
      ...(isAutomatic ? { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' } : {}),
    },
    text: letterAsText(letter),
    html: letterAsHtml(letter),
    attachments: isMessage || content.kind === 'forward' ? content.attachments.map(attached) : [],
  };
}

function answersTo({ answerAddress, ticket, replyTo, inboundDomain }: MailFrame) {
  if (replyTo) {
    const domain = replyTo.slice(replyTo.lastIndexOf('@'));
    return { address: replyTo, reference: answerAddress === null ? [] : [`<${answerAddress}${domain}>`] };
  }
  const local = answerAddress ?? (ticket && `ticket+${ticket.ulid}`);
  return local !== null && inboundDomain ? { address: `${local}@${inboundDomain}`, reference: [] } : null;
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
