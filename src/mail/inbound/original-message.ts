// The mail that a provider's request brought, as a message that mail programs open: the sender's own, or put together again.

import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { isAddress } from '../../domain/address.ts';
import type { ProviderName } from '../../domain/inbound.ts';
import { readForm } from './form.ts';
import { object, parseJsonObject, text } from './json.ts';
import type { InboundMessage, MailAddress } from './message.ts';
import { rawInNotice } from './providers/ses.ts';
import { type InboundRequest, readInbound } from './providers.ts';

/** Throws MailRefusal where the request cannot be read. */
export async function originalOf(provider: ProviderName, request: InboundRequest): Promise<Uint8Array> {
  const raw = await rawIn(provider, request);
  if (raw !== null) return raw;
  const read = await readInbound(provider, request);
  if (read.kind !== 'message') throw new Error(`${provider} sent no message`);
  return await putTogether(read.message);
}

async function rawIn(provider: ProviderName, { headers, body }: InboundRequest): Promise<Uint8Array | null> {
  const field = async (name: string) => (await readForm(headers['content-type'] ?? '', body)).bytes(name);
  switch (provider) {
    case 'raw':
    case 'cloudflare':
      return body;
    case 'mailgun':
      return await field('body-mime');
    case 'sendgrid':
      return await field('email');
    case 'postmark': {
      const raw = text(parseJsonObject(body), 'RawEmail');
      return raw === '' ? null : Buffer.from(raw, 'utf8');
    }
    case 'ses': {
      const notice = parseJsonObject(text(parseJsonObject(body), 'Message'));
      return rawInNotice(notice, object(notice, 'receipt'));
    }
  }
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
    // What is written in it names no file and no address that would be read here.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return await mail.compile().build();
}
