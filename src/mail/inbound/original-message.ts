// The original message of a request: as it was sent, or rebuilt from its parts.

import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { isAddress } from '../../domain/mail/address.ts';
import type { ProviderName } from '../../domain/mail/inbound.ts';
import type { InboundMessage, MailAddress } from './message.ts';
import { type InboundRequest, providers, readInbound } from './providers.ts';

export async function originalOf(provider: ProviderName, request: InboundRequest): Promise<Uint8Array> {
  const raw = await providers[provider].rawMessage(request);
  if (raw !== null) return raw;
  const read = await readInbound(provider, request);
  if (read.kind !== 'message') throw new Error(`${provider} sent no message`);
  return await putTogether(read.message);
}

async function putTogether(message: InboundMessage): Promise<Buffer> {
  const { from, replyTo, to, cc, subject, date, messageId, inReplyTo, references, html, attachments } = message;
  const sound = (people: readonly MailAddress[]) => people.filter(({ address }) => isAddress(address));
  const mail = new MailComposer({
    ...(from === null ? {} : { from }),
    ...(replyTo === null ? {} : { replyTo }),
    to: sound(to),
    cc: sound(cc),
    subject,
    ...(date === null ? {} : { date: new Date(date) }),
    ...(messageId === null ? {} : { messageId }),
    ...(inReplyTo === null ? {} : { inReplyTo }),
    references,
    text: message.text ?? '',
    ...(html === null ? {} : { html }),
    attachments: attachments.map(({ filename, contentType, bytes, cid, isInline }) => ({
      filename,
      contentType,
      content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      ...(cid === null ? {} : { cid }),
      contentDisposition: isInline ? 'inline' : 'attachment',
    })),
    // Nodemailer must not read files or URLs that the mail names.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return await mail.compile().build();
}
