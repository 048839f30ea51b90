// Forwarding a request: completely, once, in the client's name, and with an honest answer when no one answers.

import { afterEach, describe, expect, test } from 'bun:test';
import { createSeal } from '../../src/base/crypto.ts';
import { createForward, endToEnd } from '../../src/cluster/forward.ts';
import type { Node } from '../../src/cluster/node.ts';
import { createPeers, peerHeader } from '../../src/cluster/peers.ts';
import type { Role } from '../../src/cluster/role.ts';
import { DeskError } from '../../src/domain/errors.ts';

const peers = createPeers(createSeal(Buffer.alloc(32, 3)), 'http://127.0.0.1:{hostname}');
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Taken {
  method: string;
  target: string;
  headers: Headers;
  body: string;
}

function primary(answer: (request: Request) => Response | Promise<Response> = () => new Response('done')) {
  const taken: Taken[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const body = await request.text();
      taken.push({ method: request.method, target: pathname + search, headers: request.headers, body });
      return await answer(request);
    },
  });
  closing.push(() => void server.stop(true));
  return { taken, host: String(server.port) };
}

function forwardTo(
  host: string | null,
  { role = 'replica' as Role, isOnFly = false, stallMs = 5_000, by = peers } = {},
) {
  const node = { role: () => role, primaryHost: () => host } as Pick<Node, 'role' | 'primaryHost'> as Node;
  const forward = createForward({ node, peers: by, isOnFly, stallMs });
  return (request: Request) => forward({ request, client: '203.0.113.9', requestId: 'req-1' });
}

const post = (body: BodyInit | null, headers: Record<string, string> = {}) =>
  new Request('http://desk.example/api/v1/x?a=%20b&c=1', { method: 'POST', body, headers });

async function refusalOf(promise: Promise<unknown>): Promise<DeskError> {
  const error = await promise.then(
    () => null,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(DeskError);
  return error as DeskError;
}

describe('a request', () => {
  test('arrives as it was sent, signed for the client, without what belongs to the connection', async () => {
    const { taken, host } = primary();
    const headers = {
      Authorization: 'Bearer x',
      Cookie: 'a=1; b=2',
      'Content-Type': 'application/json',
      'If-Match': '"1"',
      Connection: 'close, X-Hop',
      'X-Hop': 'only this far',
      TE: 'trailers',
      'Keep-Alive': 'timeout=5',
      Upgrade: 'websocket',
      'Proxy-Authorization': 'Basic x',
      [peerHeader]: 'v1 1 forged 127.0.0.1 x',
      'X-Request-Id': 'from the client',
    };
    const answer = await forwardTo(host)(post('{"a": "ü"}', headers));
    expect([answer.status, await answer.text()]).toEqual([200, 'done']);
    expect(taken).toHaveLength(1);
    const [one] = taken;
    expect(one).toMatchObject({ method: 'POST', target: '/api/v1/x?a=%20b&c=1', body: '{"a": "ü"}' });
    expect(one?.headers.get('authorization')).toBe('Bearer x');
    expect(one?.headers.get('cookie')).toBe('a=1; b=2');
    expect(one?.headers.get('if-match')).toBe('"1"');
    expect(one?.headers.get('content-type')).toBe('application/json');
    expect(one?.headers.get('x-request-id')).toBe('req-1');
    for (const name of ['x-hop', 'te', 'keep-alive', 'upgrade', 'proxy-authorization'])
      expect(one?.headers.get(name)).toBeNull();
    const signed = one?.headers.get(peerHeader);
    expect(peers.verify('POST', '/api/v1/x?a=%20b&c=1', signed)).toMatchObject({ client: '203.0.113.9' });
  });

  test('of unknown length is streamed, whatever its size', async () => {
    const { taken, host } = primary((request) => new Response(request.headers.get('content-length')));
    let left = 200;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        left -= 1;
        if (left < 0) controller.close();
        else controller.enqueue(new Uint8Array(20_000).fill(0x61));
      },
    });
    const answer = await forwardTo(host)(post(body));
    expect(await answer.text()).toBe('');
    expect(taken[0]?.body.length).toBe(4_000_000);
  });

  test('without a body has none', async () => {
    const { taken, host } = primary(() => new Response(null, { status: 204 }));
    const answer = await forwardTo(host)(new Request('http://desk.example/api/v1/x/1', { method: 'DELETE' }));
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect(taken[0]).toMatchObject({ method: 'DELETE', body: '' });
  });
});

describe('an answer', () => {
  test('comes back as it is: status, cookies, a redirect, compressed bytes', async () => {
    const packed = Bun.gzipSync(new TextEncoder().encode('{"a": 1}'));
    const { host } = primary(() => {
      const headers = new Headers({
        'Content-Encoding': 'gzip',
        ETag: '"7"',
        Location: 'https://elsewhere.example/',
        'X-Helpdesk-Position': 'p',
      });
      headers.append('Set-Cookie', 'a=1');
      headers.append('Set-Cookie', 'b=2');
      return new Response(packed, { status: 303, headers });
    });
    const answer = await forwardTo(host)(post('x'));
    expect(answer.status).toBe(303);
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(answer.headers.get('etag')).toBe('"7"');
    expect(answer.headers.get('location')).toBe('https://elsewhere.example/');
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(packed))).toBe(true);
  });

  test('that stops in the middle is not made to look whole', async () => {
    const { host } = primary(
      () =>
        new Response(
          new ReadableStream({
            start(controller) {
              controller.enqueue(new TextEncoder().encode('half'));
            },
          }),
        ),
    );
    const answer = await forwardTo(host, { stallMs: 150 })(post('x'));
    expect(answer.status).toBe(200);
    expect(await answer.text().catch(() => 'cut')).toBe('cut');
  });

  test('keeps only headers that go from end to end', () => {
    const kept = endToEnd(
      new Headers({ Connection: 'X-One, , bad name', 'X-One': '1', 'Transfer-Encoding': 'chunked', 'X-Two': '2' }),
    );
    expect([...kept]).toEqual([['x-two', '2']]);
  });
});

describe('no one answers', () => {
  test('because no one listens: nothing was stored, and a read or a write may be tried again', async () => {
    // No one listens on a port below 1024 that has no service.
    const host = '1';
    for (const request of [post('x'), new Request('http://desk.example/api/v1/x')]) {
      const refused = await refusalOf(forwardTo(host)(request));
      expect(refused).toMatchObject({ code: 'unavailable', reason: undefined, retryAfterSeconds: 2 });
      expect(refused.message).toMatch(new RegExp(`primary, ${host}, cannot be reached; nothing was stored`));
    }
  });

  test('in time: of a write it is said that nothing is known, of a read it is not', async () => {
    const { host, taken } = primary(() => new Promise<Response>(() => undefined));
    const refused = await refusalOf(forwardTo(host, { stallMs: 150 })(post('x')));
    expect(refused.message).toMatch(/may or may not have been.*Idempotency-Key/);
    const read = await refusalOf(forwardTo(host, { stallMs: 150 })(new Request('http://desk.example/api/v1/x')));
    expect(read.message).toContain('cannot be reached');
    // Each sent once: a write is never repeated on its own.
    expect(taken.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  test('and the primary has changed meanwhile: no one waits for the former one for long', async () => {
    let named: string | null = null;
    let looks = 0;
    const { host } = primary(() => {
      named = null;
      looks = 0;
      return new Promise<Response>(() => undefined);
    });
    named = host;
    const primaryHost = () => {
      looks += 1;
      return named;
    };
    const node = { role: () => 'replica', primaryHost } as unknown as Node;
    const forward = createForward({ node, peers, isOnFly: false });
    const asked = refusalOf(forward({ request: post('x'), client: '203.0.113.9', requestId: 'r' }));
    expect((await asked).message).toMatch(/may or may not have been/);
    // Five seconds of four looks each.
    expect(looks).toBe(20);
  }, 30_000);

  test('because there is no primary, or two', async () => {
    expect((await refusalOf(forwardTo(null)(post('x')))).message).toMatch(/no primary at the moment/);
    expect((await refusalOf(forwardTo(null, { role: 'conflict' })(post('x')))).message).toMatch(/Two machines/);
    expect((await refusalOf(forwardTo(null, { role: 'unknown' })(post('x')))).message).toMatch(/LiteFS/);
  });

  test('because the client has gone: the primary is let go as well', async () => {
    const gone = Promise.withResolvers<void>();
    const { host } = primary((request) => {
      request.signal.addEventListener('abort', () => gone.resolve());
      return new Promise<Response>(() => undefined);
    });
    const leaving = new AbortController();
    const request = new Request('http://desk.example/api/v1/x', { method: 'POST', body: 'x', signal: leaving.signal });
    const asked = refusalOf(forwardTo(host)(request));
    await Bun.sleep(100);
    leaving.abort();
    await asked;
    await gone.promise;
  });
});

describe('on Fly', () => {
  const machine = '148e21b7c45089';
  const replays: [why: string, request: () => Request][] = [
    ['a small body', () => post('{}', { 'Content-Length': '2' })],
    ['no body', () => new Request('http://desk.example/api/v1/x/1', { method: 'DELETE' })],
    ['a read that could not wait', () => new Request('http://desk.example/api/v1/tickets')],
  ];
  for (const [why, request] of replays) {
    test(`the proxy is asked to take it there: ${why}`, async () => {
      const answer = await forwardTo(machine, { isOnFly: true })(request());
      expect(answer.headers.get('fly-replay')).toBe(`instance=${machine}`);
      // For clients that did not come through that proxy.
      expect([answer.status, (await answer.json()).code]).toEqual([409, 'conflict']);
    });
  }

  const proxied: [why: string, headers: Record<string, string>, body: BodyInit][] = [
    ['a body over what the proxy keeps', { 'Content-Length': '1000001' }, 'x'.repeat(1_000_001)],
    ['a body of unknown length', {}, 'x'],
    ['one that was replayed once', { 'Content-Length': '1', 'fly-replay-src': 'instance=a' }, 'x'],
  ];
  for (const [why, headers, body] of proxied) {
    test(`the desk passes it on itself: ${why}`, async () => {
      const { host, taken } = primary();
      // A machine's name as the proxy knows it, which here is a folder of the one primary.
      const template = createPeers(createSeal(Buffer.alloc(32, 3)), `http://127.0.0.1:${host}/{hostname}`);
      const answer = await forwardTo(machine, { isOnFly: true, by: template })(post(body, headers));
      expect([answer.headers.get('fly-replay'), await answer.text()]).toEqual([null, 'done']);
      expect(taken[0]?.target).toStartWith(`/${machine}/api/v1/x`);
    });
  }

  test('a primary that is no machine of Fly is asked by the desk itself', async () => {
    const { host, taken } = primary();
    const answer = await forwardTo(host, { isOnFly: true })(post('x'));
    expect(answer.headers.get('fly-replay')).toBeNull();
    expect(taken).toHaveLength(1);
  });
});
