// The pages and the files that they load: headers, variants, and that nothing else is answered with them.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { silentLog } from '../../src/base/log.ts';
import { createApp } from '../../src/http/app.ts';
import { browserFiles } from '../../src/server/browser/files.ts';
import { type TestApp, testApp } from '../support/app.ts';

const paths = [
  '/sign-in',
  '/setup',
  '/invitation',
  '/reset',
  '/inbox/mine',
  '/tickets/01K4VJ8Q4N7RM2ZC6B0T3XWYDE',
  '/search',
  '/customers',
  '/customers/1',
  '/reports/created',
  '/settings/sites',
  '/settings/macros/1',
  '/profile',
];
let app: TestApp;
/** Of an agent who is signed in. */
let cookie: string;
beforeAll(async () => {
  app = await testApp({ other: 2, ingestCaller: 2 });
  cookie = (await app.signIn(app.agentId)).headers.Cookie ?? '';
});
afterAll(() => app.close());

async function assetsOf(path: string): Promise<string[]> {
  const { text } = await app.ask('GET', path, { headers: { Cookie: cookie } });
  return [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, name = '']) => name);
}

async function bytesOf(path: string, acceptEncoding: string): Promise<{ headers: Headers; bytes: Uint8Array }> {
  const request = new Request(`http://desk.example${path}`, { headers: { 'Accept-Encoding': acceptEncoding } });
  const response = await app.fetch(request);
  return { headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
}

const isConsole = (path: string) => !['/sign-in', '/setup', '/invitation', '/reset'].includes(path);

describe.each(paths)('the page %s', (path) => {
  test('is HTML that is never cached, under a policy without exceptions', async () => {
    const { status, headers, text } = await app.ask('GET', path, { headers: { Cookie: cookie } });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split('; ').sort()).toEqual(
      [
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "font-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "frame-src 'self'",
        "img-src 'self'",
        "require-trusted-types-for 'script'",
        "script-src 'self'",
        "style-src 'self'",
        ...(isConsole(path)
          ? ["manifest-src 'self'", 'trusted-types service-worker', "worker-src 'self'"]
          : ["trusted-types 'none'"]),
      ].sort(),
    );
    expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|<script>|javascript:/);
    expect(text).not.toMatch(/https?:/);
  });

  test('names only files that exist', async () => {
    const assets = await assetsOf(path);
    expect(assets.length).toBeGreaterThan(4);
    for (const asset of assets) expect((await app.ask('HEAD', asset)).status, asset).toBe(200);
  });

  test('answers HEAD without a body, and only reads', async () => {
    const head = await app.ask('HEAD', path, { headers: { Cookie: cookie } });
    expect([head.status, head.text]).toEqual([200, '']);
    const post = await app.ask('POST', path, { body: {} });
    expect([post.status, post.headers.get('allow'), post.json.code]).toEqual([405, 'GET, HEAD', 'method_not_allowed']);
  });
});

test.each([
  ['https://desk.example', 'same-origin'],
  ['http://localhost:8080', 'same-origin'],
  ['http://127.0.0.1:8080', 'same-origin'],
  // Browsers ignore it there, with an error in the console.
  ['http://desk.example', null],
])('at %s the opener policy is %p', async (baseUrl, policy) => {
  const edge = { ...app.edge, baseUrl };
  const other = createApp({ edge, routes: [], browserFiles, log: silentLog });
  const response = await other.fetch(new Request(`${baseUrl}/sign-in`), { peer: '192.0.2.1' });
  expect([response.status, response.headers.get('cross-origin-opener-policy')]).toEqual([200, policy]);
});

test('the page comes in the language that the browser prefers', async () => {
  for (const [accept, language] of [
    ['de-CH, fr;q=0.8', 'de'],
    ['pt, es;q=0.9, en;q=0.8', 'es'],
    ['nl;q=0.1, fr;q=0.9', 'fr'],
    ['ja', 'en'],
    ['', 'en'],
    ['de;q=0', 'en'],
    ['*;q=;;,=,', 'en'],
  ] as const) {
    const { text } = await app.ask('GET', '/sign-in', { headers: { 'Accept-Language': accept } });
    expect(text, accept).toContain(`<html lang="${language}">`);
    expect(text, accept).toMatch(new RegExp(`rel="modulepreload" href="/assets/${language}-\\w+\\.js"`));
  }
});

test('the root and the profile lead those who have no session to sign-in', async () => {
  const to = async (path: string, Cookie: string) => {
    const { status, headers } = await app.ask('GET', path, { headers: { Cookie } });
    return status === 302 ? headers.get('location') : status;
  };
  expect(await to('/', cookie)).toBe('/inbox/mine');
  for (const stranger of ['', 'helpdesk=hdp_unknown', cookie.replace('helpdesk', '__Host-helpdesk'), `x${cookie}`]) {
    expect(await to('/', stranger)).toBe('/sign-in');
    expect(await to('/profile?tab=a&b', stranger)).toBe('/sign-in?return_to=%2Fprofile%3Ftab%3Da%26b');
  }
  app.desk.store.writing.client.run('DELETE FROM sessions');
  expect(await to('/profile', cookie)).toBe('/sign-in?return_to=%2Fprofile');
  cookie = (await app.signIn(app.agentId)).headers.Cookie ?? '';
});

describe('a file', () => {
  test('is kept for ever, compressed, and the same in every encoding', async () => {
    const [script = ''] = (await assetsOf('/sign-in')).filter((name) => name.endsWith('.js')).slice(-1);
    const plain = await bytesOf(script, 'identity');
    const gzip = await bytesOf(script, 'gzip, deflate');
    const brotli = await bytesOf(script, 'gzip, deflate, br, zstd');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(gzip.headers.get('content-encoding')).toBe('gzip');
    expect(brotli.headers.get('content-encoding')).toBe('br');
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
    expect(brotli.bytes.length).toBeLessThan(gzip.bytes.length);
    for (const { headers, bytes } of [plain, gzip, brotli]) {
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('vary')).toBe('Accept-Encoding');
      expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-length')).toBe(String(bytes.length));
    }
    const tags = [plain, gzip, brotli].map(({ headers }) => headers.get('etag'));
    expect(new Set(tags).size).toBe(3);
  });

  test.each([
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=0', null],
    ['*', 'br'],
    ['*;q=0', null],
    ['BR', 'br'],
    ['zstd, deflate', null],
    ['', null],
  ])('for a browser that accepts %p comes as %s', async (accepted, encoding) => {
    const [script = ''] = (await assetsOf('/profile')).filter((name) => name.endsWith('.js')).slice(-1);
    expect((await bytesOf(script, accepted)).headers.get('content-encoding')).toBe(encoding);
  });

  test('for a browser that accepts a hundred thousand others comes as it is', async () => {
    const [script = ''] = (await assetsOf('/profile')).filter((name) => name.endsWith('.js')).slice(-1);
    const accepted = `${'x,'.repeat(100_000)}br`;
    expect((await bytesOf(script, accepted)).headers.get('content-encoding')).toBeNull();
  });

  test('that the browser has is not sent again', async () => {
    const [style = ''] = (await assetsOf('/sign-in')).filter((name) => name.endsWith('.css'));
    const etag = (await app.ask('GET', style, { headers: { 'Accept-Encoding': 'br' } })).headers.get('etag') ?? '';
    const headers = { 'Accept-Encoding': 'br', 'If-None-Match': etag };
    const again = await app.ask('GET', style, { headers });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    const other = await app.ask('GET', style, { headers: { ...headers, 'Accept-Encoding': 'gzip' } });
    expect(other.status).toBe(200);
  });

  test.each([
    '/assets/sign-in-00000000.js',
    '/assets/',
    '/assets/changes',
    '/assets/..%2f..%2fetc%2fpasswd',
    '/assets/constructor',
  ])('%s does not exist', async (path) => {
    const { status, headers, json } = await app.ask('GET', path, { peer: `192.0.2.${path.length}` });
    expect([status, json.code, headers.get('cache-control')]).toEqual([404, 'not_found', 'no-store']);
  });
});

test('paths without a page are never answered with one', async () => {
  for (const [index, path] of [
    '/sign-in/',
    '/signin',
    '/api',
    '/api/v1/nothing',
    '/profile/x',
    '/inbox/mine/x',
    '/tickets',
    '/tickets/01K4VJ8Q4N7RM2ZC6B0T3XWYDE/sla',
    '/customers/1/tickets',
    '/settings/macros/1/x',
    '/help',
    '/index.html',
  ].entries()) {
    const { status, headers } = await app.ask('GET', path, { peer: `198.51.100.${index}` });
    expect([path, status]).toEqual([path, 404]);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  }
});

describe('an address where there is nothing', () => {
  const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  let peers = 0;
  const ask = (path: string, headers: Record<string, string>, method = 'GET') => {
    peers += 1;
    return app.ask(method, path, { peer: `198.51.101.${peers}`, headers });
  };

  test.each(['/nope', '/inbox/mine/x', '/sign-in/', '/tickets/x/y'])('%s is a page for a browser', async (path) => {
    const inside = await ask(path, { ...browser, Cookie: cookie });
    expect([inside.status, inside.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect(inside.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(inside.text).toMatch(/src="\/assets\/console-/);
    const outside = await ask(path, { ...browser, 'Accept-Language': 'de' });
    expect([outside.status, outside.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(outside.text).toContain('Hier gibt es nichts');
    expect(outside.text).not.toContain('/assets/console');
    expect((await ask(path, browser, 'HEAD')).text).toBe('');
    expect((await ask(path, browser, 'POST')).json.code).toBe('not_found');
  });

  test.each(['/api', '/api/v1/nothing', '/assets/x.js', '/assets/', '/index.html', '/.env', '/apple-touch-icon.png'])(
    '%s is JSON for a browser, too',
    async (path) => {
      const { status, json } = await ask(path, { ...browser, Cookie: cookie });
      expect([status, json.code]).toEqual([404, 'not_found']);
    },
  );

  test.each(['/s/', '/s/shop/x/y', '/t/01K4VJ8Q4N7RM2ZC6B0T3XWYDE/x'])('%s is never the console', async (path) => {
    const { status, text } = await ask(path, { ...browser, Cookie: cookie });
    expect(status).toBe(404);
    expect(text).toContain('There is nothing here');
    expect(text).not.toContain('/assets/console');
  });
});

test('pages and files count against no limit', async () => {
  const peer = '203.0.113.7';
  const [script = ''] = (await assetsOf('/sign-in')).filter((name) => name.endsWith('.js'));
  for (let times = 0; times < 10; times += 1) {
    for (const path of ['/sign-in', script, '/assets/unknown.js', '/']) {
      const { status, headers } = await app.ask('GET', path, { peer });
      expect(status).not.toBe(429);
      expect(headers.has('x-ratelimit-limit')).toBe(false);
    }
  }
  expect((await app.ask('GET', '/nothing', { peer })).headers.get('x-ratelimit-remaining')).toBe('1');
});

describe('the console can be installed', () => {
  test('with a manifest that has the name of the desk, and pictures of the sizes that it says', async () => {
    const { status, headers, text } = await app.ask('GET', '/manifest.webmanifest');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/manifest+json']);
    const manifest = JSON.parse(text);
    expect(manifest).toMatchObject({ name: 'Helpdesk', start_url: '/', scope: '/', display: 'standalone' });
    expect(manifest.icons.map(({ purpose }: { purpose: string }) => purpose)).toEqual(['any', 'any', 'maskable']);
    for (const { src, sizes } of manifest.icons) {
      const { bytes } = await bytesOf(src, 'identity');
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      expect(`${view.getUint32(16)}x${view.getUint32(20)}`).toBe(sizes);
    }
    const page = await app.ask('GET', '/inbox/mine', { headers: { Cookie: cookie } });
    expect(page.text).toContain('<link rel="manifest" href="/manifest.webmanifest"/>');
  });

  test('with one service worker, which has no say over requests and is at no other address', async () => {
    const { status, headers, text } = await app.ask('GET', '/service-worker.js');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toStartWith('text/javascript');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; img-src 'self'");
    expect(headers.get('service-worker-allowed')).toBeNull();
    expect(text).not.toMatch(/"fetch"|caches|importScripts/);
    const again = await app.ask('GET', '/service-worker.js', {
      headers: { 'If-None-Match': headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    expect((await app.ask('GET', '/icons/__proto__')).status).toBe(404);
    expect((await app.ask('GET', '/icons/no.png')).status).toBe(404);
  });
});
