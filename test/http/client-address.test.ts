// The client's address behind proxies: read from the right, past trusted proxies, and never from a value that is not an
// address.

import { expect, test } from 'bun:test';
import { clientAddress, createAddressList } from '../../src/http/credentials/client-address.ts';

const isTrusted = createAddressList(['10.0.0.0/8', 'fd00::/8']);
const client = (forwardedFor: string | undefined, peer = '10.0.0.1') => clientAddress(peer, forwardedFor, isTrusted);

test.each([
  ['an address', '192.0.2.7', '192.0.2.7'],
  ['an address with its port', '192.0.2.7:5678', '192.0.2.7'],
  ['an address of IPv6', '2001:db8::7', '2001:db8::7'],
  ['an address of IPv6 with its port', '[2001:db8::7]:80', '2001:db8::7'],
  ['an address of IPv6 in brackets', '[2001:db8::7]', '2001:db8::7'],
  ['an address of IPv4 written as IPv6', '::ffff:192.0.2.7', '192.0.2.7'],
  ['the same with a port', '[::ffff:192.0.2.7]:80', '192.0.2.7'],
  ['the same in hexadecimal', '::ffff:c000:207', '192.0.2.7'],
  [
    'trusted hops on the right, with and without ports',
    '192.0.2.7:1, 10.0.0.9:443, [fd00::9]:443, 10.0.0.8',
    '192.0.2.7',
  ],
  ['what the client wrote left of its address', '10.9.9.9, 198.51.100.1:1, 192.0.2.7:2', '192.0.2.7'],
  ['blanks around it', '  192.0.2.7:5678  ', '192.0.2.7'],
])('%s is read', (_what, forwardedFor, address) => {
  expect(client(forwardedFor)).toBe(address);
});

test.each([
  'unknown',
  '_hidden',
  '192.0.2.7:',
  '192.0.2.7:port',
  '192.0.2.7:65536',
  '192.0.2.7:123456',
  '192.0.2.7:1:2',
  '192.0.2.999',
  '192.0.2.999:80',
  '[192.0.2.7]',
  '[192.0.2.7]:80',
  '[2001:db8::7',
  '2001:db8::7]:80',
  '[2001:db8::7]80',
  '[2001:db8::g]:80',
  'fe80::1%eth0',
  '[fe80::1%eth0]:80',
  '"192.0.2.7"',
  'for=192.0.2.7',
  '3221225991',
  '0300.0000.0002.0007',
  '',
  '\u0661.2.3.4',
])('%p is no address: the request is the trusted hop before it', (garbage) => {
  expect(client(garbage)).toBe('10.0.0.1');
  expect(client(`192.0.2.1, ${garbage}, 10.0.0.5`)).toBe('10.0.0.5');
});

test('X-Forwarded-For of an untrusted peer is ignored', () => {
  expect(client('192.0.2.7:1', '198.51.100.4')).toBe('198.51.100.4');
  expect(client(undefined)).toBe('10.0.0.1');
});
