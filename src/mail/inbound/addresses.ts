// Addresses from parsed and unparsed headers.
import type { AddressObject, EmailAddress, HeaderValue } from 'mailparser';
import { isAddress } from '../../domain/mail/address.ts';
import { mailLimits } from './limits.ts';
import { cleanLine, type MailAddress } from './message.ts';

export function addressesOf(value: HeaderValue | undefined): MailAddress[] {
  const objects = (Array.isArray(value) ? value : [value]).filter(isAddressObject);
  const out: MailAddress[] = [];
  for (const object of objects) collect(object.value, out, 0);
  return out.slice(0, mailLimits.addresses);
}

const longestWritten = 1000;

/** Finds an address that the parser missed because comments or spaces split it (RFC 5322, A.5). */
export function addressWithin(header: string): MailAddress | null {
  const bare = withoutComments(header);
  const angle = /<([^<>]*)>/.exec(bare);
  const written = (angle?.[1] ?? bare).trim();
  // Thousands of spaces between two words would take seconds.
  if (written.length > longestWritten) return null;
  const address = written.replace(/\s*([.@])\s*/g, '$1');
  if (!isAddress(address)) return null;
  return { name: angle === null ? '' : cleanLine(bare.slice(0, angle.index).replaceAll('"', '')), address };
}

function withoutComments(header: string): string {
  let out = '';
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < header.length; at += 1) {
    const mark = header[at];
    if (mark === '\\') {
      if (depth === 0) out += header.slice(at, at + 2);
      at += 1;
    } else if (mark === '"' && depth === 0) {
      isQuoted = !isQuoted;
      out += mark;
    } else if (mark === '(' && !isQuoted) depth += 1;
    else if (mark === ')' && !isQuoted && depth > 0) depth -= 1;
    else if (depth === 0) out += mark;
  }
  return out;
}

export function domainOf(address: string): string {
  return address
    .slice(address.lastIndexOf('@') + 1)
    .toLowerCase()
    .replace(/\.$/, '');
}

export function bareAddresses(values: readonly string[]): string[] {
  const found = values.flatMap((value) => value.split(/[,;\s<>"]+/, 4 * mailLimits.addresses)).filter(isAddress);
  return [...new Set(found)].slice(0, mailLimits.addresses);
}

function isAddressObject(value: unknown): value is AddressObject {
  return typeof value === 'object' && value !== null && 'value' in value && Array.isArray(value.value);
}

function collect(addresses: readonly EmailAddress[], out: MailAddress[], depth: number) {
  for (const each of addresses) {
    if (out.length >= mailLimits.addresses) return;
    if (each.group !== undefined && depth < 3) collect(each.group, out, depth + 1);
    else if (each.address || each.name)
      out.push({ name: cleanLine(each.name ?? ''), address: cleanLine(each.address ?? '') });
  }
}
