// Reading addresses and networks, compared with the runtime's own block list.

import { describe, expect, test } from 'bun:test';
import { BlockList } from 'node:net';
import fc from 'fast-check';
import { parseAllowList } from '../../src/net/allow-list.ts';
import { isInBlock, isPublicAddress, parseAddress, parseBlock } from '../../src/net/ip-address.ts';

test('any address lies in the blocks that the runtime says it lies in', () => {
  // Plain IPv6 only: the runtime treats ::ffff:0:0/96 as IPv4, while this code keeps the families apart.
  const family4 = fc.record({ a: fc.ipV4(), b: fc.ipV4(), prefix: fc.integer({ min: 0, max: 32 }) });
  const family6 = fc.record({
    a: fc.ipV6().map((text) => (text.startsWith(':') ? `2001:db8${text.slice(1)}` : text)),
    b: fc.ipV6(),
    prefix: fc.integer({ min: 0, max: 128 }),
  });
  fc.assert(
    fc.property(fc.oneof(family4, family6), ({ a, b, prefix }) => {
      const type = a.includes('.') && !a.includes(':') ? 'ipv4' : 'ipv6';
      const block = parseBlock(`${a}/${prefix}`);
      if (!block) return true;
      const oracle = new BlockList();
      oracle.addSubnet(a, prefix, type);
      return [a, b].every((text) => isInBlock(block, parseAddress(text)!) === oracle.check(text, type));
    }),
  );
});

test.each([
  ['::', 0n],
  ['::1', 1n],
  ['1::', 1n << 112n],
  ['::ffff:1.2.3.4', 0xffff01020304n],
  ['2001:DB8::1', (0x20010db8n << 96n) + 1n],
])('%s is read right', (text, value) => {
  expect(parseAddress(text)).toEqual({ family: 6, value });
});

test.each(['', '1.2.3', '0x7f.0.0.1', '127.1', '1.2.3.4.5', '256.1.1.1', 'fe80::1%eth0', '[::1]', ':::', 'a.example'])(
  '%p is no address',
  (text) => {
    expect(parseAddress(text)).toBeNull();
  },
);

test('the edges of every special block', () => {
  const isPublic = (text: string) => isPublicAddress(parseAddress(text)!);
  const edges: [string, string, string, string][] = [
    ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
    ['100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0'],
    ['126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0'],
    ['169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0'],
    ['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
    ['192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'],
    ['2001:200::', '2001::', '2001:1ff:ffff::', '2001:200::1'],
    ['2001:db7:ffff::', '2001:db8::', '2001:db8:ffff::', '2001:db9::'],
    ['2001:ffff::', '2002::', '2002:ffff::', '2003::'],
    ['2606:4700::1', '1fff::', '::', '3ffe::1'],
  ];
  for (const [before, first, last, after] of edges) {
    expect([before, first, last, after].map(isPublic)).toEqual([true, false, false, true]);
  }
});

describe('the allow list', () => {
  const permits = (list: string, host: string, port: number, address: string) =>
    parseAllowList(list).permits(host, port, parseAddress(address)!);

  test('takes networks, addresses and hosts, with or without a port', () => {
    const list = '10.0.0.0/8, 192.168.1.5:9000 receiver.lan,Hooks.Internal.:8443\n[fd00::1]:8080,fd12::/16';
    expect(permits(list, 'a.example', 80, '10.9.8.7')).toBe(true);
    expect(permits(list, 'a.example', 80, '11.9.8.7')).toBe(false);
    expect(permits(list, 'a.example', 9000, '192.168.1.5')).toBe(true);
    expect(permits(list, 'a.example', 9001, '192.168.1.5')).toBe(false);
    expect(permits(list, 'receiver.lan', 1, '127.0.0.1')).toBe(true);
    expect(permits(list, 'sub.receiver.lan', 1, '127.0.0.1')).toBe(false);
    expect(permits(list, 'hooks.internal', 8443, '127.0.0.1')).toBe(true);
    expect(permits(list, 'hooks.internal', 443, '127.0.0.1')).toBe(false);
    expect(permits(list, 'a.example', 8080, 'fd00::1')).toBe(true);
    expect(permits(list, 'a.example', 80, 'fd12:9::1')).toBe(true);
    expect(permits('', 'a.example', 80, '127.0.0.1')).toBe(false);
    expect(permits('10.0.0.0/8', 'a.example', 80, '::ffff:10.0.0.1')).toBe(false);
  });

  test.each([
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    'http://receiver.lan',
    'receiver.lan/hook',
    'a b@c',
    'host:99999',
    '*',
  ])('refuses %p with a sentence that names it', (text) => {
    expect(() => parseAllowList(text)).toThrow(text.split(' ').at(-1)!);
  });
});
