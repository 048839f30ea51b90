// Requests between machines: only holders of the key can sign them, for one request and one minute.

import { describe, expect, test } from 'bun:test';
import { createSeal } from '../../src/base/crypto.ts';
import { processName } from '../../src/base/process.ts';
import { createPeers } from '../../src/cluster/peers.ts';

const seal = createSeal(Buffer.alloc(32, 3));
const peers = createPeers(seal, 'http://{hostname}:8080');
const strangers = createPeers(createSeal(Buffer.alloc(32, 4)), 'http://{hostname}:8080');

const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex');

describe('a signature', () => {
  test('tells who sent it, whose request it passes on, and which body it was made for', () => {
    const signed = peers.sign('POST', '/api/v1/tickets?x=1', '203.0.113.9', 'a body');
    expect(peers.verify('POST', '/api/v1/tickets?x=1', signed)).toEqual({
      sender: processName,
      client: '203.0.113.9',
      bodyHash: sha256('a body'),
    });
    const own = peers.verify('GET', '/internal/node', peers.sign('GET', '/internal/node'));
    expect(own).toMatchObject({ client: null, bodyHash: sha256('') });
    const passed = peers.sign('POST', '/x', '203.0.113.9', null);
    expect(peers.verify('POST', '/x', passed)).toMatchObject({ bodyHash: null });
  });

  const signed = peers.sign('POST', '/api/v1/tickets', '203.0.113.9');
  const changed = (at: number, to: string) => signed.split(' ').toSpliced(at, 1, to).join(' ');
  const rows: [why: string, method: string, target: string, header: string | null][] = [
    ['another method', 'DELETE', '/api/v1/tickets', signed],
    ['another path', 'POST', '/api/v1/sites', signed],
    ['another query', 'POST', '/api/v1/tickets?a', signed],
    ['another version', 'POST', '/api/v1/tickets', changed(0, 'v1')],
    ['another moment', 'POST', '/api/v1/tickets', changed(1, String(Date.now() + 5))],
    ['another sender', 'POST', '/api/v1/tickets', changed(2, 'else:1:1')],
    ['another client', 'POST', '/api/v1/tickets', changed(3, '127.0.0.1')],
    ['another nonce', 'POST', '/api/v1/tickets', changed(4, 'n_x')],
    ['another body', 'POST', '/api/v1/tickets', changed(5, sha256('x'))],
    ['a body that is not signed', 'POST', '/api/v1/tickets', changed(5, '-')],
    ['another signature', 'POST', '/api/v1/tickets', changed(6, 'x'.repeat(43))],
    ['no signature', 'POST', '/api/v1/tickets', changed(6, '')],
    ['something behind it', 'POST', '/api/v1/tickets', `${signed} x`],
    ['nothing', 'POST', '/api/v1/tickets', null],
    ['another key', 'POST', '/api/v1/tickets', strangers.sign('POST', '/api/v1/tickets', '203.0.113.9')],
    ['a moment that is none', 'POST', '/api/v1/tickets', changed(1, '-1e9')],
  ];
  for (const [why, method, target, header] of rows) {
    test(`does not hold for ${why}`, () => {
      expect(peers.verify(method, target, header)).toBeNull();
    });
  }

  test('holds once', () => {
    const once = peers.sign('POST', '/api/v1/tickets', '203.0.113.9', 'a body');
    expect(peers.verify('POST', '/api/v1/tickets', once)).not.toBeNull();
    expect(() => peers.verify('POST', '/api/v1/tickets', once)).toThrow('sent before');
    expect(
      peers.verify('POST', '/api/v1/tickets', peers.sign('POST', '/api/v1/tickets', null, 'a body')),
    ).not.toBeNull();
  });

  test('does not hold an hour later or earlier, nor when a process before this one may have taken it', () => {
    const at = (moment: number) => {
      const fields = ['v2', String(moment), processName, '-', 'n_x', sha256('')];
      return [...fields, seal.sign('peer', [...fields, 'GET', '/internal/node'].join('\n'))].join(' ');
    };
    for (const shift of [-3_600_000, 3_600_000])
      expect(() => peers.verify('GET', '/internal/node', at(Date.now() + shift))).toThrow('too long ago');
    const restarted = createPeers(seal, 'http://{hostname}:8080');
    expect(() => restarted.verify('GET', '/internal/node', at(Date.now() - 10_000))).toThrow('too long ago');
    expect(restarted.verify('GET', '/internal/node', at(Date.now()))).not.toBeNull();
  });
});

test('an address is made of the template, IPv6 in brackets', () => {
  expect(peers.addressOf('node-1')).toBe('http://node-1:8080');
  expect(peers.addressOf('fdaa::3')).toBe('http://[fdaa::3]:8080');
});
