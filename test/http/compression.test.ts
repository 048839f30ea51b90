// JSON answers are compressed where that helps and tells nothing to others.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { baseUrl, type TestApp, testApp } from '../support/app.ts';

let app: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  app = await testApp();
  ({ headers } = await app.person('owner'));
  for (let at = 0; at < 60; at += 1) await app.open({ subject: `Question ${at}`, message: `${at} `.repeat(200) });
});
afterAll(() => app.close());

const get = (path: string, accept: string | null, more: Record<string, string> = {}) => {
  const accepting: Record<string, string> = accept === null ? {} : { 'Accept-Encoding': accept };
  return app.fetch(new Request(`${baseUrl}/api/v1${path}`, { headers: { ...headers, ...accepting, ...more } }));
};
const list = '/tickets?per_page=50';

test.each([
  ['br', 'gzip, deflate, br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['gzip', 'br;q=0, *', gunzipSync],
] as const)('as %s for %s', async (encoding, accept, decompress) => {
  const plain = await get(list, null);
  const packed = await get(list, accept);
  expect(packed.headers.get('content-encoding')).toBe(encoding);
  expect(packed.headers.get('content-type')).toBe('application/json; charset=utf-8');
  for (const answer of [plain, packed]) {
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-request-id')).toBeTruthy();
  }
  const bytes = await packed.arrayBuffer();
  expect(JSON.parse(decompress(bytes).toString())).toEqual(await plain.json());
  expect(bytes.byteLength).toBeLessThan(15_000);
});

test('not where it is short, not asked for, or no JSON', async () => {
  const bare: [string, string | null, Record<string, string>?][] = [
    ['/views/counts', 'br'],
    [list, null],
    [list, 'identity'],
    [list, 'br;q=0'],
    ['/audit?format=csv', 'br'],
    ['/events', 'br', { Accept: 'text/event-stream' }],
  ];
  for (const [path, accept, more] of bare) {
    const answer = await get(path, accept, more);
    expect([answer.status, answer.headers.get('content-encoding')], `${path} ${accept}`).toEqual([200, null]);
    await answer.body?.cancel();
  }
});

test('not for a page of another site, which could watch how long the answer is', async () => {
  for (const site of ['cross-site', 'same-site']) {
    const answer = await get(list, 'br', { 'Sec-Fetch-Site': site });
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, null]);
  }
});

test('and an ETag still spares the answer', async () => {
  const { ulid } = await app.open({ message: 'long '.repeat(1000) });
  const first = await get(`/tickets/${ulid}`, 'br');
  const etag = first.headers.get('etag') ?? '';
  expect([first.headers.get('content-encoding'), etag === '']).toEqual(['br', false]);
  const again = await get(`/tickets/${ulid}`, 'br', { 'If-None-Match': etag });
  expect([again.status, again.headers.get('content-encoding')]).toEqual([304, null]);
});
