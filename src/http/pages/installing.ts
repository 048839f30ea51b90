// What makes the console an app: its manifest, its pictures and its service worker, at addresses that stay.

import type { Hono } from 'hono';
import type { Desk } from '../../desk/desk.ts';
import { readDeskSettings } from '../../store/desk-settings.ts';
import { isKnown } from '../wire/respond.ts';
import type { BrowserFileSource } from './browser-files.ts';
import { manifestPath, picturePath } from './page.tsx';
import { type Env, readOnly } from './read-only.ts';

/** At the top, or its scope would be a folder. It asks for nothing: what it shows came with the push. */
const workerPath = '/service-worker.js';
const workerPolicy = "default-src 'none'; img-src 'self'";

const pictures = [
  { src: 'icon-192.png', sizes: '192x192', purpose: 'any' },
  { src: 'icon-512.png', sizes: '512x512', purpose: 'any' },
  { src: 'icon-maskable-512.png', sizes: '512x512', purpose: 'maskable' },
];

function manifestOf(name: string): object {
  return {
    ...{ id: '/', name, short_name: name, start_url: '/', scope: '/', display: 'standalone' },
    ...{ theme_color: '#4f46d8', background_color: '#ffffff' },
    icons: pictures.map((one) => ({ ...one, src: picturePath + one.src, type: 'image/png' })),
  };
}

export function addInstalling(app: Hono<Env>, source: BrowserFileSource, desk: Desk): void {
  readOnly(app, manifestPath, () => {
    const { name } = desk.read((tx) => readDeskSettings(tx));
    const headers = { 'Content-Type': 'application/manifest+json', 'Cache-Control': 'no-cache' };
    return new Response(JSON.stringify(manifestOf(name)), { headers });
  });

  async function answer(name: string | undefined, ifNoneMatch: string | undefined, more: Record<string, string> = {}) {
    const file = name === undefined ? undefined : (await source.current()).files.get(name);
    if (file === undefined) return new Response(null, { status: 404 });
    const headers = { ETag: `"${name}"`, 'Cache-Control': 'no-cache', 'Content-Type': file.type, ...more };
    if (isKnown(ifNoneMatch, headers.ETag)) return new Response(null, { status: 304, headers });
    const bytes = await file.variants.identity();
    return new Response(bytes as BodyInit, { headers: { ...headers, 'Content-Length': String(bytes.length) } });
  }

  readOnly(app, workerPath, async (c) => {
    const { serviceWorker } = await source.current();
    return await answer(serviceWorker, c.req.header('if-none-match'), { 'Content-Security-Policy': workerPolicy });
  });
  readOnly(app, `${picturePath}:name`, async (c) => {
    const found = (await source.current()).pictures;
    const name = c.req.param('name') ?? '';
    return await answer(Object.hasOwn(found, name) ? found[name] : undefined, c.req.header('if-none-match'));
  });
}
