// What the headers of a message say: decoded values, ids, the date and the sender.

import type { HeaderLines } from 'mailparser';
import { isAddress } from '../../domain/mail/address.ts';
import { addressWithin } from './addresses.ts';
import { decodeText } from './charset.ts';
import { mailLimits } from './limits.ts';
import { cleanLine, type MailAddress } from './message.ts';

export function headerMap(lines: HeaderLines, charset: string | null): Record<string, string[]> {
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

export function messageIds(values: readonly string[] | undefined): string[] {
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

export function isoDate(value: string | undefined): string | null {
  if (value === undefined || value.length > 200) return null;
  const time = Date.parse(value.replace(/\([^)]*\)/g, ' ').trim());
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

export function sender(
  candidates: readonly MailAddress[],
  header: string,
  envelopeFrom: string | null,
): MailAddress | null {
  const sound = candidates.find((each) => isAddress(each.address)) ?? addressWithin(header);
  if (sound !== null) return sound;
  const name = candidates.find((each) => each.name !== '')?.name ?? '';
  return envelopeFrom !== null && isAddress(envelopeFrom) ? { name, address: envelopeFrom } : null;
}
