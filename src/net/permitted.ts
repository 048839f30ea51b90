// The addresses of a host that the desk may connect to: public ones, and those that a setting allows.

import type { AllowList } from './allow-list.ts';
import { type Address, isPublicAddress, parseAddress } from './ip-address.ts';
import type { Resolve } from './resolve.ts';

export interface Permission {
  allow: AllowList;
  resolve: Resolve;
  /** The setting that allows others. */
  setting: string;
}

export class Refused extends Error {}

/** None for an address, which is permitted itself. Throws `Refused`. */
export async function permittedAddresses(host: string, port: number, permission: Permission) {
  const literal = parseAddress(host);
  if (literal) {
    assertPermitted(literal, host, port, permission);
    return [];
  }
  const addresses = await permission.resolve(host);
  if (addresses.length === 0) throw new Error('its name has no address');
  for (const { address } of addresses) assertPermitted(parseAddress(address), host, port, permission);
  return addresses;
}

export function assertPermitted(
  address: Address | null,
  host: string,
  port: number,
  { allow, setting }: Pick<Permission, 'allow' | 'setting'>,
): void {
  if (address && (isPublicAddress(address) || allow.permits(host, port, address))) return;
  throw new Refused(`${host} is or resolves to an address that is not public (see ${setting})`);
}
