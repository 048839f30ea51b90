// What an e-mail address is, for every door by which one comes in, and the one form in which it is kept and compared.

import { domainToUnicode } from 'node:url';

/** RFC 5321 allows a path of 256 octets with its angle brackets. */
export const maxAddressLength = 254;

// Letters of any script, and nothing that could break out of a header or an address list. A local part that needs quotes
// is no address here: mail programs and servers disagree on how to read one.
const localPattern = /^[^\s@"<>()[\]\\,;:\p{C}]+$/u;
const label = String.raw`[\p{L}\p{N}\p{So}_](?:[\p{L}\p{M}\p{N}\p{So}_-]{0,61}[\p{L}\p{M}\p{N}\p{So}_])?`;
// One label is enough: hosts of a local network have no dot in their name.
const domainPattern = new RegExp(String.raw`^${label}(?:\.${label})*$`, 'u');
const literalPattern = /^\[(?:\d{1,3}(?:\.\d{1,3}){3}|ipv6:[0-9a-f:.]{2,45})\]$/;

/**
 * The address in the form in which it is kept: lower-case, composed (NFC), without needless quotes, the domain in letters
 * and without a dot at its end. Null for what is no address.
 */
export function canonicalAddress(text: string): string | null {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  if (at < 1 || trimmed.length > 4 * maxAddressLength) return null;
  const local = composed(trimmed.slice(0, at).replace(/^"([^"\\]+)"$/, '$1'));
  const domain = canonicalDomain(trimmed.slice(at + 1));
  const address = `${local}@${domain}`;
  return domain !== null && localPattern.test(local) && address.length <= maxAddressLength ? address : null;
}

export function isAddress(text: string): boolean {
  return canonicalAddress(text) !== null;
}

/** The form in which an address is looked for; what is no address is only trimmed and put in lower case. */
export function normaliseEmail(email: string): string {
  return canonicalAddress(email) ?? email.trim().toLowerCase();
}

/**
 * The forms under which an address may have been kept: the present one, and as it was typed, since earlier versions kept
 * from mail what is no address any more.
 */
export function keptForms(email: string): string[] {
  return [...new Set([normaliseEmail(email), email.trim().toLowerCase()])];
}

/** Lower case may take a composed letter apart again. */
function composed(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC');
}

function canonicalDomain(text: string): string | null {
  const domain = composed(text).replace(/\.$/, '');
  if (literalPattern.test(domain)) return domain;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for anything beyond ASCII
  const isPlain = /^[\x00-\x7f]*$/.test(domain) && !/(?:^|\.)xn--/.test(domain);
  const readable = isPlain ? domain : domainToUnicode(domain).replace(/\.$/, '');
  return domainPattern.test(readable) ? readable : null;
}
