// On real sockets: bodies that no one wants end with their connection, from any client and in any framing.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { maxRequestBytes } from '../../src/http/body.ts';
import { guardConnection } from '../../src/http/connection.ts';
import { mostUploadBytes } from '../../src/http/upload.ts';
import type { Server } from '../../src/platform/http-server.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { until } from '../support/litefs.ts';
import { chunk, converse, requestHead } from '../support/raw-http.ts';
import { serve } from '../support/serving.ts';

const maxUploadBytes = mostUploadBytes({ maxBytes: 10 * 1024 * 1024 });

let app: TestApp;
let server: Server;
let url: string;
beforeEach(async () => {
  app = await testApp();
  server = await serve(
    guardConnection((request: Request) => app.fetch(request)),
    maxRequestBytes,
  );
  url = `http://127.0.0.1:${server.port}`;
});
afterEach(async () => {
  await server.stop(true);
  await app.close();
});

// What the kernel and this process buffer until a busy machine has noticed that the other end is gone.
const mostTaken = 150_000_000;
const endless = 600_000_000;
const json = { 'Content-Type': 'application/json' };
const multipart = { 'Content-Type': 'multipart/form-data; boundary=b' };

describe('the connection of an endless body closes with the answer', () => {
  const doors: [
    what: string,
    method: string,
    path: () => string,
    headers: () => Record<string, string>,
    status: string,
  ][] = [
    ['no credential', 'POST', () => '/api/v1/public/tickets', () => json, '401'],
    ['a wrong credential', 'POST', () => '/api/v1/tickets', () => ({ ...json, Authorization: 'Bearer x' }), '401'],
    ['no such path', 'POST', () => '/nowhere', () => json, '404'],
    ['no such method', 'PUT', () => '/api/v1/tickets', () => json, '405'],
    ['a wrong secret for mail', 'POST', () => '/api/webhooks/raw/inbound/x', () => json, '404'],
    ['a wrong media type', 'POST', () => '/api/v1/public/tickets', () => ({ 'X-Site-Token': app.siteToken }), '4'],
    ['a GET', 'GET', () => '/api/v1/openapi.json', () => ({}), '400'],
    ['a HEAD', 'HEAD', () => '/api/v1/openapi.json', () => ({}), '400'],
    ['an OPTIONS', 'OPTIONS', () => '/api/v1/tickets', () => ({}), '405'],
    ['a DELETE', 'DELETE', () => '/api/v1/sites/x?confirm=x', () => ({}), '401'],
    [
      'an endless JSON text',
      'POST',
      () => '/api/v1/public/tickets',
      () => ({ ...json, 'X-Site-Token': app.siteToken }),
      '413',
    ],
  ];
  test.each(doors)('%s', async (_what, method, path, headers, status) => {
    for (const framing of ['chunked', 'length']) {
      const isChunked = framing === 'chunked';
      const own: Record<string, string> = isChunked
        ? { 'Transfer-Encoding': 'chunked' }
        : { 'Content-Length': String(maxRequestBytes - 1) };
      const talk = converse(url, requestHead(method, path(), { ...headers(), ...own }));
      const piece = Buffer.alloc(65_536, 0x20);
      await talk.flood(isChunked ? chunk(piece) : piece, isChunked ? endless : maxRequestBytes - 65_536);
      expect(talk.sent(), framing).toBeLessThan(mostTaken);
      await talk.closed;
      if (talk.said() !== '') {
        expect(talk.said(), framing).toStartWith(`HTTP/1.1 ${status}`);
        expect(talk.said().toLowerCase()).toContain('connection: close');
      }
    }
    expect((await fetch(`${url}/api/v1/openapi.json`)).status).toBe(200);
  });

  test('a client that stops sending to read the answer gets the usual error', async () => {
    const head = requestHead('POST', '/api/v1/public/tickets', { ...json, 'Transfer-Encoding': 'chunked' });
    const talk = converse(url, head);
    talk.send(chunk(Buffer.alloc(65_536, 0x20)));
    await talk.closed;
    expect(talk.said()).toStartWith('HTTP/1.1 401');
    expect(talk.said()).toContain('"code":"missing_token"');
    expect(talk.said().toLowerCase()).toContain('connection: close');
  });
});

describe('a connection stays', () => {
  const next = requestHead('GET', '/api/v1/openapi.json', {});

  test.each([
    ['a small body that no one reads', { 'Content-Length': '20000' }, 'x'.repeat(20_000)],
    ['a larger one that ends', { 'Content-Length': '200000' }, 'x'.repeat(200_000)],
    [
      'one in chunks that ends',
      { 'Transfer-Encoding': 'chunked' },
      `${Buffer.from(chunk('x'.repeat(90_000)))}0\r\n\r\n`,
    ],
  ])('after %s', async (_what, headers, body) => {
    const talk = converse(url, requestHead('POST', '/api/v1/public/tickets', { ...json, ...headers }) + body);
    await talk.until(/HTTP\/1\.1 401[\s\S]*\}$/);
    expect(talk.said().toLowerCase()).not.toContain('connection: close');
    talk.send(next);
    await talk.until(/HTTP\/1\.1 200/);
    talk.socket.destroy();
  });

  test.each(['length', 'chunked'])('after an upload that is too large, and is dropped (%s)', async (framing) => {
    const { ulid, accessToken } = await app.open();
    const total = maxUploadBytes + 4 * 1024 * 1024;
    const path = `/api/v1/public/tickets/${ulid}/attachments?access_token=${accessToken}`;
    const length: Record<string, string> =
      framing === 'chunked' ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(total) };
    const head = requestHead('POST', path, { ...multipart, ...length, 'X-Site-Token': app.siteToken });
    const talk = converse(url, head);
    const before = talk.sent();
    const piece = Buffer.alloc(65_536, 0x20);
    await talk.flood(framing === 'chunked' ? chunk(piece) : piece, before + total);
    if (framing === 'chunked') talk.send('0\r\n\r\n');
    await talk.until(/HTTP\/1\.1 4\d\d[\s\S]*\}$/);
    expect(talk.said()).toContain('HTTP/1.1 413');
    expect(talk.said().toLowerCase()).not.toContain('connection: close');
    talk.send(next);
    await talk.until(/HTTP\/1\.1 200/);
    talk.socket.destroy();
  });

  test.each([
    ['a file that is too large, and whose rest is dropped', 'photo.png', 14 * 1024 * 1024, '10485760'],
    ['a file whose type is not allowed', 'setup.exe', 6 * 1024 * 1024, 'file'],
  ])('after %s', async (_what, name, size, detail) => {
    const { ulid, accessToken } = await app.open();
    const path = `/api/v1/public/tickets/${ulid}/attachments?access_token=${accessToken}`;
    const part = `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
    const end = '\r\n--b--\r\n';
    const length = { 'Content-Length': String(part.length + size + end.length) };
    const talk = converse(url, requestHead('POST', path, { ...multipart, ...length, 'X-Site-Token': app.siteToken }));
    talk.send(part);
    const before = talk.sent();
    await talk.flood(Buffer.alloc(65_536, 0x20), before + size);
    talk.send(end);
    await talk.until(/HTTP\/1\.1 4\d\d[\s\S]*\}$/);
    expect(talk.said()).toContain('HTTP/1.1 422');
    expect(talk.said()).toContain(detail);
    expect(talk.said().toLowerCase()).not.toContain('connection: close');
    talk.send(next);
    await talk.until(/HTTP\/1\.1 200/);
    talk.socket.destroy();
  });

  test('after a body that was accepted', async () => {
    const body = JSON.stringify({ email: 'mia@example.org', subject: 'Hello', message: 'x'.repeat(9_000) });
    const headers = { ...json, 'X-Site-Token': app.siteToken, 'Transfer-Encoding': 'chunked' };
    const talk = converse(url, requestHead('POST', '/api/v1/public/tickets', headers));
    talk.send(chunk(body));
    talk.send('0\r\n\r\n');
    await talk.until(/HTTP\/1\.1 201[\s\S]*\}$/);
    expect(talk.said().toLowerCase()).not.toContain('connection: close');
    talk.send(next);
    await talk.until(/HTTP\/1\.1 200/);
    talk.socket.destroy();
  });
});

describe('every byte of a multipart body counts', () => {
  const disposition = 'Content-Disposition: form-data; name="file"; filename="a.txt"\r\n';
  const part = `--b\r\n${disposition}\r\nwords\r\n`;
  const tricks: [string, start: string, more: string][] = [
    ['a preamble', '', 'a line before the first boundary\r\n'],
    ['the headers of a part', `--b\r\n${disposition}`, 'X-Padding: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'],
    ['one header', `--b\r\nX-Padding: `, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['an epilogue', `${part}--b--\r\n`, 'a line after the last boundary\r\n'],
    ['a part that is skipped', `${part}--b\r\nX: y\r\n\r\n`, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    [
      'a field',
      `--b\r\nContent-Disposition: form-data; name="message_id"\r\n\r\n`,
      'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    ],
    ['boundaries', part, '--b\r\n\r\n'],
    ['boundaries that are none', part, '\r\n--a'],
    ['a file', `--b\r\n${disposition}\r\n`, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
  ];

  test.each(tricks)('%s', async (_what, start, more) => {
    const { ulid, accessToken } = await app.open();
    const path = `/api/v1/public/tickets/${ulid}/attachments?access_token=${accessToken}`;
    const headers = { ...multipart, 'X-Site-Token': app.siteToken, 'Transfer-Encoding': 'chunked' };
    const talk = converse(url, requestHead('POST', path, headers));
    talk.send(chunk(start));
    const piece = more.repeat(Math.ceil(65_536 / more.length));
    await talk.flood(chunk(piece), endless);
    await talk.closed;
    expect(talk.sent()).toBeLessThan(maxUploadBytes + mostTaken);
    if (talk.said() !== '') expect(talk.said()).toMatch(/^HTTP\/1\.1 4(?:00|13|22)/);
    expect(app.counts().attachments).toBe(0);
    // The desk removes what it had of the file after it has closed the connection.
    await until(() => readdirSync(join(app.blobFolder, 'staging')).length === 0, 'nothing is left of the upload');
  });
});

describe('a request names one Host', () => {
  test.each([
    ['two', 'Host: a.example\r\nHost: b.example\r\n'],
    ['the same twice', 'Host: a.example\r\nhost: a.example\r\n'],
    ['an empty one beside it', 'Host: a.example\r\nHost:\r\n'],
  ])('%s', async (_what, hosts) => {
    for (const path of ['/api/v1/openapi.json', '/api/docs', '/nowhere']) {
      const talk = converse(url, `GET ${path} HTTP/1.1\r\n${hosts}\r\n`);
      await talk.until(/\}$/);
      expect(talk.said()).toStartWith('HTTP/1.1 400');
      expect(talk.said()).toContain('A request must have exactly one Host.');
      talk.socket.destroy();
    }
  });
});
