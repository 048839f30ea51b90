// Requests between machines: only who has the key can sign them, for one request and for a minute.

import { describe, expect, test } from 'bun:test';
import { createSeal } from '../../src/base/crypto.ts';
import { processName } from '../../src/base/process.ts';
import { createPeers } from '../../src/node/peers.ts';

const seal = createSeal(Buffer.alloc(32, 3));
const peers = createPeers(seal, 'http://{hostname}:8080');
const strangers = createPeers(createSeal(Buffer.alloc(32, 4)), 'http://{hostname}:8080');

describe('a signature', () => {
  test('tells who sent it and whose request it passes on', () => {
    const signed = peers.sign('POST', '/api/v1/tickets?x=1', '203.0.113.9');
    expect(peers.verify('POST', '/api/v1/tickets?x=1', signed)).toEqual({ sender: processName, client: '203.0.113.9' });
    expect(peers.verify('GET', '/internal/node', peers.sign('GET', '/internal/node'))).toMatchObject({ client: null });
    expect(peers.verify('POST', '/x', peers.sign('POST', '/x', null, 'a body'), 'a body')).not.toBeNull();
  });

  const signed = peers.sign('POST', '/api/v1/tickets', '203.0.113.9');
  const changed = (at: number, to: string) => signed.split(' ').toSpliced(at, 1, to).join(' ');
  const rows: [why: string, method: string, target: string, header: string | null, body?: string][] = [
    ['another method', 'DELETE', '/api/v1/tickets', signed],
    ['another path', 'POST', '/api/v1/sites', signed],
    ['another query', 'POST', '/api/v1/tickets?a', signed],
    ['another body', 'POST', '/api/v1/tickets', signed, 'x'],
    ['another version', 'POST', '/api/v1/tickets', changed(0, 'v2')],
    ['another moment', 'POST', '/api/v1/tickets', changed(1, String(Date.now() + 5))],
    ['another sender', 'POST', '/api/v1/tickets', changed(2, 'else:1:1')],
    ['another client', 'POST', '/api/v1/tickets', changed(3, '127.0.0.1')],
    ['another signature', 'POST', '/api/v1/tickets', changed(4, 'x'.repeat(43))],
    ['no signature', 'POST', '/api/v1/tickets', changed(4, '')],
    ['something behind it', 'POST', '/api/v1/tickets', `${signed} x`],
    ['nothing', 'POST', '/api/v1/tickets', null],
    ['another key', 'POST', '/api/v1/tickets', strangers.sign('POST', '/api/v1/tickets', '203.0.113.9')],
    ['a moment that is none', 'POST', '/api/v1/tickets', changed(1, '-1e9')],
  ];
  for (const [why, method, target, header, body] of rows) {
    test(`does not hold for ${why}`, () => {
      expect(peers.verify(method, target, header, body)).toBeNull();
    });
  }

  test('does not hold an hour later or earlier', () => {
    for (const shift of [-3_600_000, 3_600_000]) {
      const at = String(Date.now() + shift);
      const fields = ['v1', at, processName, '-', 'GET', '/internal/node'];
      const empty = new Bun.CryptoHasher('sha256').update('').digest('hex');
      const header = [...fields.slice(0, 4), seal.sign('peer', [...fields, empty].join('\n'))].join(' ');
      expect(peers.verify('GET', '/internal/node', header)).toBeNull();
    }
  });
});

test('an address is made of the template, IPv6 in brackets', () => {
  expect(peers.addressOf('node-1')).toBe('http://node-1:8080');
  expect(peers.addressOf('fdaa::3')).toBe('http://[fdaa::3]:8080');
});
