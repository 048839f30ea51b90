// Replies quote the desk's mails, and with them the recipient's link. What is stored has the link without its secret
// (docs/customers.md#links-that-replies-quote).

import type { InboundMessage } from './message.ts';

// Secrets of links, of links that rate, and access tokens, 43 characters each. Mail programs break long lines also within a link, and quote what follows;
// link scanners write some characters otherwise.
const secret = /hd[alr](?:_|%5F|-5F|=5F)(?:(?:=?\r?\n[ \t>]{0,20})?(?:[\w-]|=2D|=5F)){20,43}/gi;

const removed = 'removed';

function withoutLinkSecrets(text: string): string {
  return text.replace(secret, removed);
}

type Written = Pick<InboundMessage, 'subject' | 'text' | 'html' | 'embedded'>;

export function forgetLinkSecrets<Message extends Written>(message: Message): Message {
  const clean = (text: string | null) => (text === null ? null : withoutLinkSecrets(text));
  return {
    ...message,
    subject: withoutLinkSecrets(message.subject),
    text: clean(message.text),
    html: clean(message.html),
    embedded: message.embedded.map((one) => ({
      ...one,
      subject: withoutLinkSecrets(one.subject),
      text: clean(one.text),
      html: clean(one.html),
    })),
  };
}

const base64Line = /^[A-Za-z0-9+/]{4,}={0,2}\r?$/;
const deepest = 3;

/** The same for the source of a message, also inside of what is written in Base64. */
export function sourceWithoutLinkSecrets(source: Uint8Array): Buffer {
  // As bytes: the source can have several character sets.
  return Buffer.from(cleanSource(Buffer.from(source).toString('latin1'), 0), 'latin1');
}

function cleanSource(source: string, depth: number): string {
  const kept: string[] = [];
  let run: string[] = [];
  const endRun = () => {
    if (run.length > 0) kept.push(...cleanRun(run, depth));
    run = [];
  };
  for (const line of withoutLinkSecrets(source).split('\n')) {
    if (base64Line.test(line)) run.push(line);
    else {
      endRun();
      kept.push(line);
    }
  }
  endRun();
  return kept.join('\n');
}

function cleanRun(lines: string[], depth: number): string[] {
  const decoded = Buffer.from(lines.join(''), 'base64').toString('latin1');
  // UTF-16 has a zero in each letter.
  const isWide = decoded.replaceAll('\0', '').search(secret) !== -1 && decoded.search(secret) === -1;
  const clean = isWide ? removed : depth < deepest ? cleanSource(decoded, depth + 1) : withoutLinkSecrets(decoded);
  if (clean === decoded) return lines;
  const end = lines[0]?.endsWith('\r') ? '\r' : '';
  const encoded = Buffer.from(clean, 'latin1').toString('base64');
  return (encoded.match(/.{1,76}/g) ?? []).map((line) => line + end);
}
