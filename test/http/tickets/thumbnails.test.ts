// Thumbnails of pictures: small where the runtime makes them, and otherwise the whole file, whatever its bytes are.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { crc32, deflateSync } from 'node:zlib';
import { canShrinkImages } from '#platform/image.ts';
import type { Server } from '../../../src/platform/http-server.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { serve } from '../../support/serving.ts';
import { file } from '../walks/step.ts';

let app: TestApp;
let ticket: { ulid: string; accessToken: string };
let server: Server;
beforeEach(async () => {
  app = await testApp();
  ticket = await app.open();
  server = await serve((request) => app.fetch(request));
});
afterEach(async () => {
  await server.stop(true);
  await app.close();
});

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** @param said the width in the header, if that is not true */
function pngOf(width: number, height: number, said = width): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(said, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  // Noise: what compresses well would be smaller than its thumbnail.
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let at = 0; at < rows.length; at += 1) rows[at] = at % (width * 3 + 1) === 0 ? 0 : (at * 2_654_435_761) >>> 24;
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows, { level: 1 })), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), ...parts]);
}

async function uploaded(name: string, content: Buffer | string): Promise<string> {
  const { ulid, accessToken } = ticket;
  const path = `/api/v1/public/tickets/${ulid}/attachments?access_token=${accessToken}`;
  const answer = await app.asSite('POST', path, file(name, content as string));
  expect(answer.status, answer.text).toBe(201);
  const { pathname, search } = new URL(answer.json.attachment.url);
  return pathname + search;
}

async function got(link: string) {
  const answer = await fetch(`http://127.0.0.1:${server.port}${link}&thumbnail=1`);
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    bytes: Buffer.from(await answer.arrayBuffer()),
    headers: answer.headers,
  };
}

/** Of a lossy or lossless WebP. */
function sizeOf(webp: Buffer): [width: number, height: number] {
  expect(webp.toString('latin1', 8, 16)).toBe('WEBPVP8 ');
  return [webp.readUInt16LE(26) & 0x3fff, webp.readUInt16LE(28) & 0x3fff];
}

test('of a picture has at most 320 pixels each way, and the rights and headers of the file', async () => {
  const png = pngOf(900, 450);
  const link = await uploaded('photo.png', png);
  const [first, second] = await Promise.all([got(link), got(link)]);
  expect(second.bytes.equals(first.bytes)).toBe(true);
  expect(first.headers.get('x-content-type-options')).toBe('nosniff');
  expect(first.headers.get('content-security-policy')).toContain('sandbox');
  expect(first.headers.get('cache-control')).toBe('no-store');
  if (canShrinkImages) {
    expect([first.type, ...sizeOf(first.bytes)]).toEqual(['image/webp', 320, 160]);
    expect(first.bytes.length).toBeLessThan(png.length / 5);
  } else expect(first.bytes.equals(png)).toBe(true);
  expect((await got(link.replace(/signature=./, 'signature=!'))).status).toBe(404);
});

const others: [what: string, name: string, content: () => Buffer | string][] = [
  ['has another type', 'words.txt', () => 'plain words'],
  ['says that it is huge', 'photo.png', () => pngOf(40, 40, 60_000)],
  ['is cut off', 'photo.png', () => pngOf(400, 400).subarray(0, 5000)],
];

test.each(others)('is the whole file when it %s', async (_, name, content) => {
  const whole = content();
  const answer = await got(await uploaded(name, whole));
  expect(answer.status).toBe(200);
  expect(answer.bytes.equals(Buffer.from(whole))).toBe(true);
});
