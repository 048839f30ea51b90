// Addresses out of what mailparser read.
import type { AddressObject, EmailAddress, HeaderValue } from 'mailparser';
import { mailLimits } from './limits.ts';
import { cleanLine, type MailAddress } from './message.ts';

/** All addresses of a header that may occur once or often, groups flattened, duplicates kept. */
export function addressesOf(value: HeaderValue | undefined): MailAddress[] {
  const objects = (Array.isArray(value) ? value : [value]).filter(isAddressObject);
  const out: MailAddress[] = [];
  for (const object of objects) collect(object.value, out, 0);
  return out.slice(0, mailLimits.addresses);
}

/** True for what can be answered: one @ with something on both sides and no spaces. */
export function isAddress(text: string): boolean {
  return text.length <= 320 && /^[^\s@<>]+@[^\s@<>]+$/.test(text);
}

/** The part behind the @, lower-case; '' where there is none. */
export function domainOf(address: string): string {
  return address
    .slice(address.lastIndexOf('@') + 1)
    .toLowerCase()
    .replace(/\.$/, '');
}

/** Addresses in a header that is a bare list: Delivered-To, X-Original-To, a provider's recipient field. */
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
