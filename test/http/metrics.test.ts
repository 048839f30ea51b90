// Who may read /metrics: this machine itself, and anyone with the token, but no one through a proxy without it.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { answerMetrics } from '../../src/http/api/metrics.ts';
import { type TestApp, testApp } from '../support/app.ts';

const token = 'scrape-me-0123456789';
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface Asked {
  peer: string | null;
  url?: string;
  method?: string;
  headers?: Record<string, string>;
  isOpen?: boolean;
}

function asked({ peer, url = 'http://127.0.0.1:8080/metrics', method = 'GET', headers = {}, isOpen = false }: Asked) {
  const door = { token: isOpen ? token : null, text: () => Promise.resolve('desk 1\n') };
  return answerMetrics(app.edge, door, new Request(url, { method, headers }), peer);
}

const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });

describe('this machine itself', () => {
  test.each([
    ['127.0.0.1', 'http://127.0.0.1:8080/metrics'],
    ['127.8.9.1', 'http://localhost:8080/metrics'],
    ['::ffff:127.0.0.1', 'http://localhost/metrics'],
    ['::1', 'http://[::1]:8080/metrics'],
  ])('%s may ask without a token', async (peer, url) => {
    for (const isOpen of [false, true]) {
      const answer = await asked({ peer, url, isOpen });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(await answer.text()).toBe('desk 1\n');
    }
  });

  test.each([
    'Forwarded',
    'Via',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'X-Real-IP',
    'CF-Connecting-IP',
    'Fly-Client-IP',
    'True-Client-IP',
  ])('is not whom a proxy on it speaks for: %s', async (name) => {
    // Not even a proxy that claims to be the machine itself.
    for (const value of ['203.0.113.9', '127.0.0.1', '']) {
      const answer = await asked({ peer: '127.0.0.1', headers: { [name]: value } });
      expect([value, answer.status]).toEqual([value, 404]);
    }
  });

  test.each(['http://desk.example.org/metrics', 'http://127.0.0.1.example.org/metrics', 'http://10.0.0.5/metrics'])(
    'is not who calls it %s',
    async (url) => {
      expect((await asked({ peer: '127.0.0.1', url })).status).toBe(404);
    },
  );
});

describe('others', () => {
  test.each(['192.0.2.1', '10.0.0.7', '::ffff:192.0.2.1', '2001:db8::1', 'nonsense', null])(
    '%s finds nothing while there is no token, whatever it sends',
    async (peer) => {
      for (const headers of [{}, bearer(token), bearer('')]) {
        for (const method of ['GET', 'POST']) {
          const answer = await asked({ peer, headers, method });
          expect(answer.status).toBe(404);
          expect(await answer.json()).toEqual({
            message: 'This path does not exist.',
            code: 'not_found',
            request_id: answer.headers.get('x-request-id'),
          });
        }
      }
    },
  );

  test('read with the token, also through a proxy', async () => {
    expect((await asked({ peer: '192.0.2.1', headers: bearer(token), isOpen: true })).status).toBe(200);
    const forwarded = { ...bearer(token), 'X-Forwarded-For': '203.0.113.9' };
    expect((await asked({ peer: '127.0.0.1', headers: forwarded, isOpen: true })).status).toBe(200);
  });

  test.each([
    ['without one', {}, 'missing_token'],
    ['with another', bearer('scrape-me-0123456780'), 'unknown_token'],
    ['with a part of it', bearer(token.slice(0, -1)), 'unknown_token'],
    ['with more than it', bearer(`${token}0`), 'unknown_token'],
    ['with another scheme', { Authorization: `Basic ${token}` }, 'missing_token'],
    ['with a team token', { Authorization: 'Bearer hdt_0123456789' }, 'unknown_token'],
  ])('are refused %s', async (_, headers, code) => {
    const answer = await asked({ peer: '192.0.2.1', headers, isOpen: true });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    const body = (await answer.json()) as { code: string; request_id: string };
    expect(body.code).toBe(code);
    expect(body.request_id).toBe(answer.headers.get('x-request-id') ?? '');
  });

  test('who guess tokens are told to wait, each by the address behind the proxy', async () => {
    const limited = await testApp({ authFailures: 3 });
    const guess = (client: string) =>
      answerMetrics(
        limited.edge,
        { token, text: () => Promise.resolve('') },
        new Request('http://desk.example/metrics', { headers: { ...bearer('guess'), 'X-Forwarded-For': client } }),
        '10.0.0.1',
      );
    const statuses = [];
    for (let at = 0; at < 5; at += 1) statuses.push((await guess('203.0.113.9')).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await guess('203.0.113.10')).status).toBe(401);
    expect(Number((await guess('203.0.113.9')).headers.get('retry-after'))).toBeGreaterThan(0);
    await limited.close();
  });
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s is refused by name', async (method) => {
  const answer = await asked({ peer: '127.0.0.1', method });
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toBe('GET, HEAD');
  expect(((await answer.json()) as { code: string }).code).toBe('method_not_allowed');
});

test('an error while measuring is a 500 and not an empty answer', async () => {
  const broken = answerMetrics(
    app.edge,
    { token: null, text: () => Promise.reject(new Error('no room')) },
    new Request('http://127.0.0.1/metrics'),
    '127.0.0.1',
  );
  await expect(broken).rejects.toThrow('no room');
});
