// Requests to real servers on loopback that answer well, badly or not at all, and to names that lie.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseAllowList } from '../../src/net/allow-list.ts';
import { checkDestination, type Guard, guardedFetch, guardedRead } from '../../src/net/guarded-fetch.ts';
import type { Resolve } from '../../src/net/resolve.ts';
import { type Receiver, startRawReceiver, startReceiver } from '../outbox/receiver.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`./fixtures/hooks.example.test.${name}.pem`, import.meta.url), 'utf8');
const [key, cert] = [fixture('key'), fixture('cert')];

/** What is not about silence ends by itself, however slow the machine is. */
const guard: Guard = { allow: parseAllowList('127.0.0.1'), timeoutMs: 60_000 };
const impatient: Guard = { ...guard, timeoutMs: 200 };
const closedGuard: Guard = { ...guard, allow: parseAllowList('') };
const post = (url: string, by: Guard = guard, headers: Record<string, string> = {}, body = '{}') =>
  guardedFetch({ method: 'POST', url, headers, body }, by);
const resolvesTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

describe('a receiver', () => {
  test('gets the very bytes, the headers and no connection kept open', async () => {
    const body = '{"title":"Grüße 👋"}';
    const answer = await post(receiver.url('/ok?a=b#c'), guard, { 'x-helpdesk-event': 'ticket.created' }, body);
    expect(answer).toEqual({
      ended: { kind: 'answered', status: 200, retryAfter: null },
      excerpt: 'thank you',
      error: null,
    });
    const got = receiver.received.at(-1)!;
    expect(got).toMatchObject({ method: 'POST', path: '/ok?a=b', body });
    expect(got.headers).toMatchObject({
      host: `127.0.0.1:${receiver.port}`,
      'x-helpdesk-event': 'ticket.created',
      'content-length': String(Buffer.byteLength(body)),
      'accept-encoding': 'identity',
      connection: 'close',
    });
  });

  test('gets the name and password of its URL as a header', async () => {
    await post(receiver.url('/ok').replace('//', '//desk:p%40ss@'));
    expect(receiver.received.at(-1)!.headers.authorization).toBe(`Basic ${btoa('desk:p@ss')}`);
  });

  test.each([
    ['/500', 500, null],
    ['/429', 429, '120'],
    ['/410', 410, null],
  ])('at %s is heard with its status', async (path, status, retryAfter) => {
    expect((await post(receiver.url(path))).ended).toEqual({ kind: 'answered', status, retryAfter });
  });

  test('can be asked without a body', async () => {
    const answer = await guardedFetch({ method: 'GET', url: receiver.url('/ok'), headers: {}, body: '' }, guard);
    expect(answer.excerpt).toBe('thank you');
    expect(receiver.received.at(-1)).toMatchObject({ method: 'GET', body: '' });
  });

  test('that redirects is not followed', async () => {
    const before = receiver.received.length;
    expect((await post(receiver.url('/redirect'))).ended).toMatchObject({ kind: 'answered', status: 307 });
    expect(receiver.received.length).toBe(before + 1);
  });

  test('that says nothing is given up when the time is over', async () => {
    expect(await post(receiver.url('/nothing'), impatient)).toEqual({
      ended: { kind: 'timed_out' },
      excerpt: '',
      error: 'no answer within 0.2 s',
    });
  });

  test('that hangs up or is not there is unreachable', async () => {
    expect((await post(receiver.url('/hang-up'))).ended).toEqual({ kind: 'unreachable' });
    expect(await post('http://127.0.0.1:1/')).toEqual({
      ended: { kind: 'unreachable' },
      excerpt: '',
      error: 'connection refused',
    });
  });

  test('is never sent a header that was smuggled in', async () => {
    const before = receiver.received.length;
    for (const headers of [{ 'x-a': 'b\r\nx-evil: 1' }, { 'x-a\r\nx-evil': '1' }] as Record<string, string>[]) {
      expect((await post(receiver.url('/ok'), guard, headers)).ended).toEqual({ kind: 'refused' });
    }
    await post(receiver.url('/ok?\r\nx-evil: 1'));
    expect(receiver.received.slice(before).some((got) => 'x-evil' in got.headers)).toBe(false);
  });
});

describe('an answer', () => {
  const head = (length: number | null) =>
    `HTTP/1.1 200 OK\r\n${length === null ? '' : `Content-Length: ${length}\r\n`}\r\n`;
  const ok = { kind: 'answered', status: 200, retryAfter: null } as const;

  async function answerOf(write: (socket: Socket) => void, by = guard) {
    const server = await startRawReceiver(write);
    try {
      const answer = await post(server.url, by);
      await until(() => server.openSockets() === 0);
      return answer;
    } finally {
      await server.close();
    }
  }

  /** Writes without end, as fast as the other side reads. */
  function pour(socket: Socket, chunk: string): void {
    while (!socket.destroyed && socket.writable && socket.write(chunk));
    socket.once('drain', () => pour(socket, chunk));
  }

  test('that never ends is read to 2 KiB, then the connection is closed', async () => {
    const answer = await answerOf((socket) => {
      socket.write(head(null));
      pour(socket, 'a'.repeat(65_536));
    });
    expect(answer).toMatchObject({ ended: ok, excerpt: 'a'.repeat(2048) });
  });

  test('of 100 MB is read to 2 KiB, and most of it never sent', async () => {
    let sender: Socket | undefined;
    const answer = await answerOf((socket) => {
      sender = socket;
      socket.write(head(100_000_000));
      pour(socket, 'a'.repeat(65_536));
    });
    expect(answer).toMatchObject({ ended: ok, excerpt: 'a'.repeat(2048) });
    expect(sender!.bytesWritten).toBeWithin(2048, 20_000_000);
  });

  test('that drips is a success by its status line, and over when the time is', async () => {
    const answer = await answerOf((socket) => {
      socket.write(head(1000));
      const drip = setInterval(() => socket.write('a'), 10);
      socket.on('close', () => clearInterval(drip));
    }, impatient);
    expect(answer.ended).toEqual(ok);
    expect(answer.excerpt).toMatch(/^a+$/);
  });

  test('cut off in the middle is a success by its status line', async () => {
    const answer = await answerOf((socket) => socket.end(`${head(1000)}half`));
    expect(answer).toMatchObject({ ended: ok, excerpt: 'half', error: null });
  });

  test('whose headers drip or never end is none', async () => {
    const dripping = await answerOf((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('X-A: b\r\n'), 10);
      socket.on('close', () => clearInterval(drip));
    }, impatient);
    expect(dripping.ended).toEqual({ kind: 'timed_out' });
    const endless = await answerOf((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      pour(socket, `X-A: ${'b'.repeat(1000)}\r\n`);
    }, impatient);
    expect(endless.ended.kind).toBeOneOf(['timed_out', 'unreachable']);
  });

  test('is the one after the hints; changing the protocol is none that delivers', async () => {
    const hinted = await answerOf((socket) => socket.end(`HTTP/1.1 103 Early Hints\r\n\r\n${head(2)}ok`));
    expect(hinted).toMatchObject({ ended: ok, excerpt: 'ok' });
    const upgraded = await answerOf(
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
      impatient,
    );
    expect(upgraded.ended).not.toMatchObject({ status: 200 });
  });

  test('that is not HTTP is none', async () => {
    expect((await answerOf((socket) => socket.end('220 mail ready\r\n'))).ended).toEqual({ kind: 'unreachable' });
  });

  test('is never cut through a character', async () => {
    expect((await post(receiver.url('/euro-signs'))).excerpt).toBe('€'.repeat(682));
  });
});

describe('a destination', () => {
  test.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://localhost./',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://①②⑦.0.0.1/',
    'http://0/',
    'http://10.1.2.3:8080/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://168.63.129.16/',
    'http://192.0.0.192/',
    'http://198.18.0.1/',
    'http://203.0.113.9/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::]/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://[64:ff9b:1::1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:1::1]/',
    'http://[2001:db8::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[ff02::1]/',
    'http://[5f00::1]/',
    'https://user:pass@[::1]:443/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'javascript:alert(1)',
    'http://[::1%25lo]/',
    'example.com/hook',
    '',
  ])('%s is refused, when configured and when used', async (url) => {
    expect((await checkDestination(url, closedGuard)).kind).toBe('refused');
    expect((await post(url, closedGuard)).ended).toEqual({ kind: 'refused' });
  });

  test.each(['https://8.8.8.8/', 'https://[2606:4700::1111]/', 'http://172.32.0.1/', 'http://100.128.0.1:99/'])(
    '%s is fine',
    async (url) => {
      expect(await checkDestination(url, closedGuard)).toEqual({ kind: 'fine' });
    },
  );

  test.each(['10.0.0.1', '93.184.215.14 10.0.0.1', '2606:4700::1111 ::1', '::ffff:127.0.0.1', '127.1', 'fe80::1%eth0'])(
    'whose name has the addresses %s is refused',
    async (addresses) => {
      const lying = { ...closedGuard, resolve: resolvesTo(...addresses.split(' ')) };
      expect((await checkDestination('https://hooks.example.test/', lying)).kind).toBe('refused');
      expect((await post('https://hooks.example.test/', lying)).ended).toEqual({ kind: 'refused' });
    },
  );

  test('whose name flips between check and connection is refused, and nothing reaches it', async () => {
    const before = receiver.received.length;
    let lookups = 0;
    const flipping: Guard = {
      ...closedGuard,
      resolve: (host) => resolvesTo(lookups++ === 0 ? '93.184.215.14' : '127.0.0.1')(host),
    };
    const url = `http://hooks.example.test:${receiver.port}/ok`;
    expect((await checkDestination(url, flipping)).kind).toBe('fine');
    expect((await post(url, flipping)).ended).toEqual({ kind: 'refused' });
    expect(receiver.received.length).toBe(before);
  });

  test('is looked up once a try: the connection goes to the address that was checked', async () => {
    let lookups = 0;
    const counting: Guard = {
      ...guard,
      resolve: (host) => resolvesTo(lookups++ === 0 ? '127.0.0.1' : '127.0.0.2')(host),
    };
    expect((await post(`http://hooks.example.test:${receiver.port}/ok`, counting)).ended.kind).toBe('answered');
    expect(lookups).toBe(1);
    expect(receiver.received.at(-1)!.headers.host).toBe(`hooks.example.test:${receiver.port}`);
  });

  test('that turns out wrong on the open connection gets not a byte', async () => {
    let wasWrittenTo = false;
    const server = await startRawReceiver(() => {
      wasWrittenTo = true;
    });
    let checks = 0;
    const relenting: Guard = { ...guard, resolve: resolvesTo('127.0.0.1'), allow: { permits: () => checks++ === 0 } };
    expect((await post(server.url.replace('127.0.0.1', 'hooks.example.test'), relenting)).ended).toEqual({
      kind: 'refused',
    });
    await until(() => server.openSockets() === 0);
    expect({ checks, wasWrittenTo }).toEqual({ checks: 2, wasWrittenTo: false });
    await server.close();
  });

  test('with a second address is reached there when the first is down', async () => {
    const both = { ...guard, allow: parseAllowList('127.0.0.0/8'), resolve: resolvesTo('127.0.0.2', '127.0.0.1') };
    expect((await post(`http://hooks.example.test:${receiver.port}/ok`, both)).ended.kind).toBe('answered');
  });

  test('whose name has no address or is slow to resolve is unresolved, not refused', async () => {
    const nowhere: Guard = {
      ...guard,
      resolve: async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    };
    expect(await checkDestination('https://hooks.example.test/', nowhere)).toEqual({
      kind: 'unresolved',
      reason: 'its name does not exist',
    });
    expect((await post('https://hooks.example.test/', nowhere)).ended).toEqual({ kind: 'unreachable' });
    const stuck: Guard = { ...guard, timeoutMs: 50, resolve: () => new Promise(() => undefined) };
    expect((await checkDestination('https://hooks.example.test/', stuck)).kind).toBe('unresolved');
    expect((await post('https://hooks.example.test/', stuck)).ended).toEqual({ kind: 'timed_out' });
  });
});

describe('over TLS', () => {
  let secure: Receiver;
  const named: Guard = { ...guard, resolve: resolvesTo('127.0.0.1'), authoritiesPem: cert };
  beforeAll(async () => {
    secure = await startReceiver({ key, cert });
  });
  afterAll(() => secure.close());

  test('the certificate is held against the name of the URL, not the address', async () => {
    const answer = await post(`https://hooks.example.test:${secure.port}/ok`, named);
    expect(answer.ended).toMatchObject({ kind: 'answered', status: 200 });
    expect((await post(`https://other.example.test:${secure.port}/ok`, named)).error).toContain('altnames');
    expect((await post(secure.url('/ok'), named)).error).toContain('altnames');
    expect(secure.received.length).toBe(1);
  });

  test('a certificate that no one vouches for is refused', async () => {
    const { authoritiesPem: _, ...trusting } = named;
    const answer = await post(`https://hooks.example.test:${secure.port}/ok`, trusting);
    expect(answer.ended).toEqual({ kind: 'unreachable' });
    expect(answer.error).toContain('SELF_SIGNED');
    expect(secure.received.length).toBe(1);
  });
});

/** Otherwise the test times out. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(5);
}

describe('a whole answer', () => {
  const read = (path: string, mostBytes: number, by = guard) =>
    guardedRead({ method: 'GET', url: receiver.url(path), headers: {}, body: '' }, by, mostBytes);

  test('is read to its end, and no further than allowed', async () => {
    expect(await read('/euro-signs', 15_000)).toMatchObject({ status: 200, body: '€'.repeat(5000) });
    await expect(read('/euro-signs', 14_999)).rejects.toThrow('the answer has more than 14999 bytes');
  });

  test('that is an error or a redirect is an answer too', async () => {
    expect(await read('/500', 100)).toMatchObject({ status: 500, body: 'broken' });
    expect(await read('/redirect', 100)).toMatchObject({ status: 307 });
  });

  test('that never comes is an error that says so', async () => {
    await expect(read('/nothing', 100, impatient)).rejects.toThrow('no answer within 0.2 s');
    await expect(read('/hang-up', 100)).rejects.toThrow();
    const closed = { method: 'GET', url: receiver.url('/ok'), headers: {}, body: '' } as const;
    await expect(guardedRead(closed, closedGuard, 100)).rejects.toThrow('not public');
  });
});
