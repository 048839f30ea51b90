// Rebuilds a message from a provider's fields: the headers go through the same parser as raw mail.

import type { ProviderName } from '../../domain/mail/inbound.ts';
import { mailLimits } from './limits.ts';
import { cleanLine, cleanText, contentHash, type InboundAttachment, type InboundMessage } from './message.ts';
import { parseMail } from './parse.ts';
import { textInSevenBits } from './seven-bits.ts';
import { takeTnef } from './tnef.ts';
import { isWrapped } from './wrapped-parts.ts';

type MessageFields = {
  provider: ProviderName;
  headers: readonly (readonly [string, string])[] | string;
  otherwise: readonly (readonly [string, string])[];
  text: string | null;
  html: string | null;
  attachments: InboundAttachment[];
  envelope: { from: string | null; to: readonly string[] };
  size: number;
};

export async function fromFields(fields: MessageFields): Promise<InboundMessage> {
  const given = typeof fields.headers === 'string' ? splitBlock(fields.headers) : fields.headers;
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  const all = [...given, ...fields.otherwise.filter(([name, value]) => !names.has(name.toLowerCase()) && value !== '')];
  const block = all.filter(([name]) => /^[!-9;-~]+$/.test(name) && !describesBody(name)).map(headerLine);
  const message = await parseMail(Buffer.from(block.join('') + '\r\n'), {
    provider: fields.provider,
    envelope: fields.envelope,
  });
  for (const [name, value] of all.filter(([name]) => describesBody(name))) {
    message.headers[name.toLowerCase()] = [cleanLine(value)];
  }
  // A provider may have put the headers into another order.
  message.envelope.to = [...fields.envelope.to];
  message.rawKind = 'fields';
  message.size = fields.size;
  message.attachments = [...fields.attachments];
  message.text = cutText(message, fields.text, 'txt', mailLimits.textBytes);
  message.html = cutText(message, fields.html, 'html', mailLimits.htmlBytes);
  if (message.text === null && message.html === null) Object.assign(message, await wordsInFiles(message.attachments));
  message.contentHash = contentHash({ ...message, dateHeader: message.headers.date?.[0] ?? '' });
  return message;
}

/** Of a mail whose words are within a file, as of a signed one. */
async function wordsInFiles(attachments: InboundAttachment[]): Promise<Partial<InboundMessage>> {
  for (const [at, { contentType, filename, bytes }] of attachments.entries()) {
    if (!isWrapped({ contentType, filename })) continue;
    const head = 'Content-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: base64\r\n\r\n';
    const { text, html, order, isCut, ...inner } = await parseMail(
      Buffer.from(head + Buffer.from(bytes).toString('base64')),
    );
    if (text === null && html === null) continue;
    return {
      text,
      html,
      order,
      isCut,
      embedded: inner.embedded,
      attachments: attachments.toSpliced(at, 1, ...inner.attachments),
    };
  }
  return { ...takeTnef({ text: null, html: null }, attachments), attachments };
}

function cutText(message: InboundMessage, text: string | null, kind: 'txt' | 'html', most: number): string | null {
  if (text === null || text.trim() === '') return null;
  const clean = cleanText(textInSevenBits(text, null) ?? text).replaceAll('\r\n', '\n');
  if (clean.length <= most) return clean;
  const contentType = kind === 'txt' ? 'text/plain; charset=utf-8' : 'text/html; charset=utf-8';
  message.attachments.push({
    filename: `message.${kind}`,
    contentType,
    bytes: Buffer.from(clean),
    cid: null,
    isInline: false,
  });
  message.isCut = true;
  return clean.slice(0, most).toWellFormed();
}

/** These headers describe the original body and would mislead the parser. */
function describesBody(name: string): boolean {
  return /^(content-|mime-version$)/i.test(name);
}

function headerLine([name, value]: readonly [string, string]): string {
  return `${name}: ${value.replace(/[\r\n]+[ \t]*/g, ' ')}\r\n`;
}

function splitBlock(block: string): [string, string][] {
  const out: [string, string][] = [];
  for (const line of block.split(/\r?\n/)) {
    const last = out.at(-1);
    const colon = line.indexOf(':');
    if (/^[ \t]/.test(line) && last !== undefined) last[1] += ` ${line.trim()}`;
    else if (colon > 0) out.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
  }
  return out;
}
