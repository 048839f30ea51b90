// E-mail addresses: which ones the desk accepts, and the one form in which it stores and compares them.

import { domainToUnicode } from 'node:url';

export const maxAddressLength = 254;

// Nothing that could break out of a list. Quoted local parts are refused, because programs read them differently.
const localPattern = /^[^\s@"<>()[\]\\,;:\p{C}]+$/u;
const label = String.raw`[\p{L}\p{N}\p{So}_](?:[\p{L}\p{M}\p{N}\p{So}_-]{0,61}[\p{L}\p{M}\p{N}\p{So}_])?`;
// One label is enough: hosts on a local network have no dot in their name.
const domainPattern = new RegExp(String.raw`^${label}(?:\.${label})*$`, 'u');
const literalPattern = /^\[(?:\d{1,3}(?:\.\d{1,3}){3}|ipv6:[0-9a-f:.]{2,45})\]$/;

/** The stored form: lower case, composed (NFC), no needless quotes, the domain in letters without a final dot. Null for anything else. */
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

export function normaliseEmail(email: string): string {
  return canonicalAddress(email) ?? email.trim().toLowerCase();
}

/** What someone typed: `bo@example.org`, or `Bo Berg <bo@example.org>`. The address can still be none. */
export function personIn(text: string): { email: string; name: string | null } {
  const [, name = '', email = text] = /^([^<>]*)<([^<>]*)>\s*$/.exec(text) ?? [];
  return { email: normaliseEmail(email), name: name.trim().replace(/^(["'])(.*)\1$/s, '$2') || null };
}

/** `@example.org` stands for every address of that domain, without its subdomains. */
export function normaliseEmailOrDomain(text: string): string {
  const [, domain] = /^\s*@(.*)$/s.exec(text) ?? [];
  return domain === undefined
    ? normaliseEmail(text)
    : `@${canonicalDomain(domain.trim()) ?? domain.trim().toLowerCase()}`;
}

/** Every form under which an address may be stored: earlier versions stored mail senders that are no longer accepted as addresses. */
export function keptForms(email: string): string[] {
  return [...new Set([normaliseEmail(email), email.trim().toLowerCase()])];
}

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
