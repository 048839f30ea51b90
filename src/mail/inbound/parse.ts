// Parses raw MIME into an InboundMessage: refuses bombs and survives broken bytes.
import { type Attachment, type HeaderLines, type Headers, simpleParser } from 'mailparser';
import { isAddress } from '../../domain/address.ts';
import type { ProviderName } from '../../domain/inbound.ts';
import { addressesOf, addressWithin, bareAddresses } from './addresses.ts';
import { calendarText } from './calendar-text.ts';
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
import { decodeBody, type TakenBody } from './mime-bodies.ts';
import { type SlimMessage, slimDown, takenToken } from './prepare-mime.ts';
import { findUuencoded } from './transfer-encoding.ts';

type ParseOptions = {
  provider?: ProviderName;
  /** Known to the provider; Return-Path fills the gaps. */
  envelope?: { from?: string | null; to?: readonly string[] };
  /** Less than mailLimits.allBodiesBytes for a message that proved expensive. */
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

/** Shared by a message and the messages inside it. */
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
  const body = wordsFrom({ text: put.text, html: parsed.html }, parsed.attachments, attachments);
  const text = takeUuencoded(body.text, attachments);
  const froms = addresses('from');
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
    hasSeveralFrom: froms.filter((each) => isAddress(each.address)).length > 1 || (headers.from?.length ?? 0) > 1,
    replyTo: addresses('reply-to').find((each) => isAddress(each.address)) ?? null,
    to: addresses('to'),
    cc: addresses('cc'),
    deliveredTo: bareAddresses(deliveryHeaders.flatMap((name) => headers[name] ?? [])),
    envelope: { from: envelopeFrom, to: [...(options.envelope?.to ?? [])] },
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
  };
  message.contentHash = contentHash({ ...message, dateHeader: headers.date?.[0] ?? '' });
  return message;
}

const deliveryHeaders = [
  'delivered-to',
  'x-original-to',
  'envelope-to',
  'x-envelope-to',
  'x-forwarded-to',
  'apparently-to',
];

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

function attachmentOf(attachment: Attachment, body: TakenBody | undefined, index: number): InboundAttachment {
  const uuencoded = body?.encoding === 'uuencode' ? findUuencoded(body.bytes.toString('latin1')) : null;
  const contentType = cleanLine(attachment.contentType ?? '') || 'application/octet-stream';
  const cid = cleanLine(attachment.cid ?? '') || null;
  return {
    filename: cleanLine(attachment.filename ?? '') || uuencoded?.filename || filenameFor(contentType, index),
    contentType,
    bytes: uuencoded?.bytes ?? (body === undefined ? attachment.content : decodeBody(body)),
    cid,
    isInline: attachment.contentDisposition === 'inline' || (cid !== null && attachment.related === true),
  };
}

function loneAttachment(body: TakenBody, index: number): InboundAttachment {
  const uuencoded = body.encoding === 'uuencode' ? findUuencoded(body.bytes.toString('latin1')) : null;
  const plainType = body.contentType || 'application/octet-stream';
  const charset = body.charset !== null && /^[\w.:-]{1,40}$/.test(body.charset) ? `; charset=${body.charset}` : '';
  return {
    filename: uuencoded?.filename ?? (body.token === null ? filenameFor(plainType, -1) : filenameFor(plainType, index)),
    contentType: uuencoded === null ? plainType + charset : 'application/octet-stream',
    bytes: uuencoded?.bytes ?? decodeBody(body),
    cid: null,
    isInline: false,
  };
}

const extensions: Record<string, string> = {
  'text/plain': 'txt',
  'text/html': 'html',
  'text/calendar': 'ics',
  'message/rfc822': 'eml',
  'message/delivery-status': 'txt',
  'text/rfc822-headers': 'txt',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'application/pdf': 'pdf',
};

function filenameFor(contentType: string, index: number): string {
  const extension = extensions[contentType.toLowerCase()] ?? 'bin';
  return index < 0 ? `message.${extension}` : `attachment-${index + 1}.${extension}`;
}

/** Old programs put files into the text, between "begin 644 name" and "end". */
function takeUuencoded(text: string | null, attachments: InboundAttachment[]): string | null {
  let rest = text;
  for (let count = 0; rest !== null && count < 20; count++) {
    const file = findUuencoded(rest);
    if (file === null) break;
    attachments.push({
      filename: cleanLine(file.filename),
      contentType: 'application/octet-stream',
      bytes: file.bytes,
      cid: null,
      isInline: false,
    });
    rest = rest.slice(0, file.start) + rest.slice(file.end);
  }
  return rest;
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
      attachments.push(...inner.attachments.filter((each) => each.contentType !== 'message/rfc822'));
    } catch {
      // Not a mail: it stays an attachment.
    }
  }
  return out;
}

function headerMap(lines: HeaderLines, charset: string | null): Record<string, string[]> {
  const map: Record<string, string[]> = Object.create(null);
  for (const { key, line } of lines) {
    const colon = line.indexOf(':');
    const name = key.trim();
    if (colon === -1 || name === '') continue;
    const value = cleanLine(decodeHeaderBytes(line.slice(colon + 1).replace(/\r?\n/g, ''), charset));
    const values = map[name];
    if (values === undefined) map[name] = [value];
    else values.push(value);
  }
  return map;
}

/** mailparser returns header bytes in a string: UTF-8, else the body's charset, else Windows-1252. */
function decodeHeaderBytes(line: string, charset: string | null): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for anything beyond ASCII
  if (/^[\x00-\x7f]*$/.test(line)) return line;
  const bytes = Buffer.from(line, 'latin1');
  return decodeText(bytes, 'utf-8', true) ?? decodeText(bytes, charset ?? 'windows-1252', false) ?? line;
}

function decodeText(bytes: Uint8Array, charset: string, isFatal: boolean): string | null {
  try {
    return new TextDecoder(charset, { fatal: isFatal }).decode(bytes);
  } catch {
    return null;
  }
}

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
  const charset = /charset="?([\w.:-]+)/i.exec(attachment.headers.get('content-type')?.toString() ?? '')?.[1];
  const words = cleanText(
    decodeText(bytes, charset ?? 'utf-8', false) ?? decodeText(bytes, 'windows-1252', false) ?? '',
  );
  if (attachment.contentType === 'text/calendar') return { text: calendarText(words), html: null };
  attachments.splice(index, 1);
  return attachment.contentType === 'text/html' ? { text: body.text, html: words } : { text: words, html: null };
}

function sender(candidates: readonly MailAddress[], header: string, envelopeFrom: string | null): MailAddress | null {
  const sound = candidates.find((each) => isAddress(each.address)) ?? addressWithin(header);
  if (sound !== null) return sound;
  const name = candidates.find((each) => each.name !== '')?.name ?? '';
  return envelopeFrom !== null && isAddress(envelopeFrom) ? { name, address: envelopeFrom } : null;
}

function messageIds(values: readonly string[] | undefined): string[] {
  if (values === undefined) return [];
  const text = values.join(' ');
  const bracketed = text.match(/<[^<>\s]{1,500}>/g) ?? [];
  const found =
    bracketed.length > 0
      ? bracketed
      : text.split(/[\s,]+/).filter((word) => /[^<]@[^>]/.test(word) && word.length < 500);
  const normal = found.map((id) => (id.startsWith('<') ? id : `<${id.replace(/[<>]/g, '')}>`));
  // Keeps the root of the thread and the newest.
  const unique = [...new Set(normal)];
  return unique.length <= mailLimits.addresses ? unique : [unique[0]!, ...unique.slice(1 - mailLimits.addresses)];
}

function isoDate(value: string | undefined): string | null {
  if (value === undefined || value.length > 200) return null;
  const time = Date.parse(value.replace(/\([^)]*\)/g, ' ').trim());
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

function stringOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
