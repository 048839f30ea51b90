// Parses raw MIME into an InboundMessage: refuses bombs and survives broken bytes.
import { type Attachment, type HeaderLines, type Headers, simpleParser } from 'mailparser';
import { isAddress } from '../../domain/mail/address.ts';
import type { ProviderName } from '../../domain/mail/inbound.ts';
import { addressesOf, addressWithin, bareAddresses } from './addresses.ts';
import { attachmentOf, loneAttachment, takeUuencoded } from './attachments.ts';
import { calendarText } from './calendar-text.ts';
import { decodeText, readable } from './charset.ts';
import { headerMap, isoDate, messageIds, sender } from './header-values.ts';
import { MailRefusal, mailLimits } from './limits.ts';
import {
  cleanLine,
  cleanText,
  contentHash,
  type EmbeddedMessage,
  type InboundAttachment,
  type InboundMessage,
  type MailAddress,
} from './message.ts';
import { type SlimMessage, slimDown, takenToken } from './prepare-mime.ts';
import { takeTnef } from './tnef.ts';

type ParseOptions = {
  provider?: ProviderName;
  /** Known to the provider; Return-Path fills the gaps. */
  envelope?: { from?: string | null; to?: readonly string[] };
  bodiesBytes?: number;
};

type Parsed = {
  headers: Headers;
  lines: HeaderLines;
  text: string | null;
  html: string | null;
  attachments: Attachment[];
};

const parserOptions = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  keepCidLinks: true,
  keepDeliveryStatus: true,
  ignoreEmbedded: true,
};

/** Throws only MailRefusal. The verdict and the spam score depend on the provider and are set later. */
export async function parseMail(raw: Uint8Array, options: ParseOptions = {}): Promise<InboundMessage> {
  try {
    return await read(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), options, 0, { embedded: 0 });
  } catch (error) {
    if (error instanceof MailRefusal) throw error;
    throw new MailRefusal('invalid', 'unreadable', 'The message could not be read as mail.');
  }
}

type Budget = { embedded: number };

async function read(raw: Buffer, options: ParseOptions, depth: number, budget: Budget): Promise<InboundMessage> {
  const slim = slimDown(
    raw,
    depth === 0 ? (options.bodiesBytes ?? mailLimits.allBodiesBytes) : mailLimits.embeddedBodiesBytes,
  );
  const parsed = await runParser(slim.message);
  const put = putBack(parsed, slim);
  const headers = headerMap(parsed.lines, slim.charset);
  const addresses = (name: string) => addressesOf(parsed.headers.get(name));
  const attachments = put.attachments;
  const told = wordsFrom({ text: put.text, html: parsed.html }, parsed.attachments, attachments);
  const body = takeTnef(told, attachments);
  const text = takeUuencoded(body.text, attachments);
  const froms = addresses('from');
  const repliesTo = addresses('reply-to').filter((each) => isAddress(each.address));
  const returnPath = headers['return-path']?.[0];
  const envelopeFrom =
    options.envelope?.from ?? (returnPath === undefined ? null : (bareAddresses([returnPath])[0] ?? ''));
  const rawSubject = headers.subject?.at(-1) ?? '';
  const subject = rawSubject.includes('=?')
    ? cleanLine(stringOf(parsed.headers.get('subject')) ?? rawSubject)
    : rawSubject;
  const message: InboundMessage = {
    provider: options.provider ?? 'raw',
    rawKind: 'mime',
    messageId: messageIds(headers['message-id']).at(-1) ?? null,
    inReplyTo: messageIds(headers['in-reply-to'])[0] ?? null,
    references: messageIds(headers.references),
    from: sender([...froms, ...addresses('sender')], headers.from?.at(-1) ?? '', envelopeFrom),
    hasSeveralFrom:
      slim.hasCutHeaders ||
      froms.filter((each) => isAddress(each.address)).length > 1 ||
      (headers.from?.length ?? 0) > 1,
    hasCutHeaders: slim.hasCutHeaders,
    replyTo: repliesTo[0] ?? null,
    repliesTo: repliesTo.slice(0, mailLimits.replyAddresses),
    originalFrom: originalFrom(headers),
    to: addresses('to'),
    cc: addresses('cc'),
    deliveredTo: bareAddresses([...deliveryHeaders.flatMap((name) => headers[name] ?? []), ...namedOnTheWay(headers)]),
    envelope: { from: envelopeFrom, to: [...(options.envelope?.to ?? []), ...namedOnArrival(parsed.lines)] },
    subject,
    date: isoDate(headers.date?.[0]),
    headers,
    text,
    html: body.html,
    order: slim.order,
    isCut: slim.taken.some((body) => body.token === null),
    embedded: slim.isReport || depth > 1 ? [] : await embeddedMessages(attachments, depth, budget),
    attachments,
    size: raw.length,
    contentHash: '',
    spamScore: null,
    verdict: 'none',
    forgedBy: null,
  };
  message.contentHash = contentHash({ ...message, dateHeader: headers.date?.[0] ?? '' });
  return message;
}

/** As Google writes it when it passes mail on in its own name. The parser knows neither header. */
function originalFrom(headers: Record<string, string[]>): MailAddress[] {
  const written = [headers['x-original-from']?.at(-1), headers['x-original-sender']?.at(-1)];
  return written.flatMap((value) => {
    const found = value === undefined ? null : addressWithin(value);
    // What is encoded is left to From, which names the person too.
    return found === null ? [] : [{ ...found, name: found.name.includes('=?') ? '' : found.name }];
  });
}

/**
 * To whom the last mail server delivered it, and under which address it came there. Each server puts its Received line on
 * top of what it gets, so no stranger can write above the first one.
 */
function namedOnArrival(lines: HeaderLines): string[] {
  const border = lines.findIndex(({ key }) => key === 'received');
  const own = lines.slice(0, Math.max(0, border)).filter(({ key }) => arrivalHeaders.includes(key));
  return bareAddresses(own.map(({ line }) => line.slice(line.indexOf(':') + 1)));
}

const arrivalHeaders = ['delivered-to', 'x-original-to', 'envelope-to'];

const deliveryHeaders = [...arrivalHeaders, 'x-envelope-to', 'x-forwarded-to', 'x-forwarded-for', 'apparently-to'];

/** An address that a server of others forwards to the desk: it took the mail for that one recipient (RFC 5321, 4.4). */
function namedOnTheWay({ received = [] }: Record<string, string[]>): string[] {
  return received.flatMap((line) => /\sfor\s{1,9}(<[^<>\s]{3,320}>)/i.exec(line)?.[1] ?? []);
}

async function runParser(message: Buffer): Promise<Parsed> {
  const mail = await simpleParser(message, parserOptions);
  const html = typeof mail.html === 'string' ? cleanText(mail.html) : null;
  const text = typeof mail.text === 'string' ? cleanText(mail.text) : null;
  return {
    headers: mail.headers ?? new Map(),
    lines: mail.headerLines ?? [],
    text: text === null || (text.trim() === '' && html !== null) ? null : text,
    html,
    attachments: mail.attachments,
  };
}

/** Puts extracted bodies back in place of their tokens; the rest become attachments. */
function putBack(parsed: Parsed, slim: SlimMessage): { text: string | null; attachments: InboundAttachment[] } {
  const waiting = new Map(slim.taken.flatMap((body) => (body.token === null ? [] : [[body.token, body] as const])));
  const attachments = parsed.attachments.map((attachment, index) => {
    const token = attachment.content.length < 40 ? attachment.content.toString('latin1').trim() : '';
    const body = waiting.get(token);
    waiting.delete(token);
    return attachmentOf(attachment, body, index);
  });
  // In one pass: five hundred passes would copy the text each time.
  const text = parsed.text?.replace(takenToken, (token) => (waiting.has(token) ? '' : token)) ?? null;
  for (const body of waiting.values()) attachments.push(loneAttachment(body, attachments.length));
  for (const body of slim.taken) if (body.token === null) attachments.push(loneAttachment(body, attachments.length));
  return { text, attachments };
}

/** Reads attached messages too: their file type is not an allowed attachment. */
async function embeddedMessages(
  attachments: InboundAttachment[],
  depth: number,
  budget: Budget,
): Promise<EmbeddedMessage[]> {
  const out: EmbeddedMessage[] = [];
  for (const attachment of attachments.filter((each) => each.contentType === 'message/rfc822')) {
    if (++budget.embedded > mailLimits.embeddedMessages) break;
    try {
      const bytes = attachment.bytes;
      const inner = await read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {}, depth + 1, budget);
      const { from, to, subject, date, text, html } = inner;
      out.push({ from, to, subject, date, text, html }, ...inner.embedded);
      attachment.isShown = true;
      attachments.push(...inner.attachments.filter((each) => each.contentType !== 'message/rfc822'));
    } catch {
      // Not a mail: it stays an attachment.
    }
  }
  return out;
}

function stringOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

// The text of a message whose only text is labelled as a file.

/** Uses a part that is labelled as a file when the message has no other text. */
function wordsFrom(
  body: { text: string | null; html: string | null },
  parsed: readonly Attachment[],
  attachments: InboundAttachment[],
): { text: string | null; html: string | null } {
  if ((body.text ?? '').trim() !== '' || body.html !== null) return body;
  const index = parsed.findIndex(
    (each) =>
      each.contentType === 'text/calendar' ||
      (!each.filename && /^text\/(plain|html|enriched|richtext|markdown)$/.test(each.contentType)),
  );
  const attachment = parsed[index];
  const bytes = attachments[index]?.bytes;
  if (attachment === undefined || bytes === undefined || bytes.length > mailLimits.textBytes) return body;
  const type = attachment.headers.get('content-type');
  const charset = typeof type === 'object' && 'params' in type ? (type.params.charset ?? null) : null;
  const { contentType } = attachment;
  const utf8 = readable(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { charset, contentType });
  const words = cleanText(
    utf8?.toString('utf8') ??
      decodeText(bytes, charset ?? 'utf-8', false) ??
      decodeText(bytes, 'windows-1252', false) ??
      '',
  );
  if (attachment.contentType === 'text/calendar') return { text: calendarText(words), html: null };
  attachments.splice(index, 1);
  return attachment.contentType === 'text/html' ? { text: body.text, html: words } : { text: words, html: null };
}
