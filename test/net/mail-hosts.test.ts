// Where the desk connects to for mail: private addresses only where the operator allows them, but for a relay of its own on this machine.

import { expect, test } from 'bun:test';
import { parseAllowList } from '../../src/net/allow-list.ts';
import { createMailHosts } from '../../src/net/mail-hosts.ts';

async function reached(host: string, port: number, address: string, isRelay: boolean): Promise<string> {
  const hosts = createMailHosts(parseAllowList(''), async () => [{ address, family: address.includes(':') ? 6 : 4 }]);
  const server = { host, port, tls: 'none', certificate_sha256: null } as const;
  return await hosts.reach(server, 'smtp', isRelay).then(
    (found) => found.address,
    (error: Error) => error.message,
  );
}

const refused = (host: string) => `${host} is or resolves to an address that is not public (see HELPDESK_MAIL_ALLOW)`;

test.each([
  ['localhost', 25, '127.0.0.1'],
  ['localhost', 587, '::1'],
  ['127.0.0.1', 2525, '127.0.0.1'],
])('the relay of the desk at %s:%d needs no setting, and one of a mailbox does', async (host, port, address) => {
  expect(await reached(host, port, address, true)).toBe(address);
  expect(await reached(host, port, address, false)).toBe(refused(host));
});

test.each([
  ['localhost', 6379, '127.0.0.1'],
  ['localhost', 25, '10.0.0.5'],
  ['relay.example', 25, '127.0.0.1'],
  ['10.0.0.5', 25, '10.0.0.5'],
])('the relay of the desk is not at %s:%d when that is %s', async (host, port, address) => {
  expect(await reached(host, port, address, true)).toBe(refused(host));
});
