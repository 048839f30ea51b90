// Serves the pages and their files. These requests count against no limit, and no other path is answered with a page.

import type { Context, Hono } from 'hono';
import type { Desk } from '../../desk/desk.ts';
import { DeskError } from '../../domain/errors.ts';
import { portalPath } from '../../domain/sites/site.ts';
import { crashReply, errorReply, isKnown, type Reply, toResponse } from '../wire/respond.ts';
import type { BrowserFileSource } from './browser-files.ts';
import { brandStyle } from './customer/brand-style.ts';
import { addInstalling } from './installing.ts';
import { encodingFor, languageFor } from './negotiate.ts';
import { assetPath, changesPath, consoleHeaders, pageHeaders, pageHtml } from './page.tsx';
import { type Env, readOnly } from './read-only.ts';
import { answerSiteLogo } from './site-logo.ts';

interface Page {
  entry: string;
  needsSession: boolean;
}

const open: Page = { entry: 'sign-in', needsSession: false };
/** For a screen on the wall, by a link. */
const board: Page = { entry: 'board', needsSession: false };
/** The console. Its own router knows what each path shows. */
const inside: Page = { entry: 'console', needsSession: true };

const pages: Readonly<Record<string, Page>> = {
  '/sign-in': open,
  '/setup': open,
  '/invitation': open,
  '/reset': open,
  '/mailbox-consent': open,
  '/inbox': inside,
  '/inbox/:view': inside,
  '/tickets/:ticket': inside,
  '/search': inside,
  '/customers': inside,
  '/notifications': inside,
  '/customers/:customer': inside,
  '/reports/board': board,
  '/reports': inside,
  '/reports/:report': inside,
  '/settings': inside,
  '/settings/:section': inside,
  '/settings/:section/:id': inside,
  '/profile': inside,
};

const homePath = '/inbox/mine';

export function addPages(
  app: Hono<Env>,
  source: BrowserFileSource,
  desk: Desk,
  isSignedIn: (cookie: string | undefined) => boolean,
): void {
  for (const [path, { entry, needsSession }] of Object.entries(pages)) {
    readOnly(app, path, async (c) => {
      if (needsSession && !isSignedIn(c.req.header('cookie'))) {
        const { pathname, search } = new URL(c.req.url);
        return redirect(`/sign-in?return_to=${encodeURIComponent(pathname + search)}`);
      }
      const files = await source.current();
      const language = languageFor(c.req.header('accept-language'), files.languages);
      const html = pageHtml(entry, language, files);
      const headers = entry === 'console' ? consoleHeaders : pageHeaders;
      return new Response(html, { headers: { ...headers, 'Content-Length': String(Buffer.byteLength(html)) } });
    });
  }
  readOnly(app, '/', (c) => redirect(isSignedIn(c.req.header('cookie')) ? homePath : '/sign-in'));
  const { changes } = source;
  if (changes !== null) {
    const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' };
    app.get(changesPath, () => new Response(changes(), { headers }));
  }
  readOnly(app, `${assetPath}:name`, (c) => answerFile(c, source));
  addInstalling(app, source, desk);
  readOnly(app, `${portalPath(':slug')}/logo`, (c) => {
    const ifNoneMatch = c.req.header('if-none-match');
    const { requestId } = c.env;
    return answerSiteLogo(desk, { slug: c.req.param('slug') ?? '', version: c.req.query('v'), ifNoneMatch, requestId });
  });
}

function redirect(Location: string): Response {
  return new Response(null, { status: 302, headers: { Location } });
}

/** Not for ever: the colours are computed, and how may change with the desk. */
const brandHeaders = { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'public, max-age=86400' };

async function answerFile(c: Context<Env>, source: BrowserFileSource): Promise<Response> {
  const name = c.req.param('name') ?? '';
  const brand = brandStyle(name);
  if (brand !== undefined) return new Response(brand, { headers: brandHeaders });
  const file = (await source.current()).files.get(name);
  if (file === undefined) {
    const missing: Reply = errorReply(new DeskError('not_found', 'This file does not exist.'), c.env.requestId);
    return toResponse(missing);
  }
  const encoding = encodingFor(c.req.header('accept-encoding'), (one) => file.variants[one] !== undefined);
  const etag = `"${name}${encoding === 'identity' ? '' : `.${encoding}`}"`;
  const headers: Record<string, string> = {
    'Cache-Control': 'public, max-age=31536000, immutable',
    ETag: etag,
    Vary: 'Accept-Encoding',
  };
  if (isKnown(c.req.header('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  const load = file.variants[encoding];
  if (load === undefined) return toResponse(crashReply(c.env.requestId));
  const bytes = await load();
  headers['Content-Type'] = file.type;
  headers['Content-Length'] = String(bytes.length);
  if (encoding !== 'identity') headers['Content-Encoding'] = encoding;
  return new Response(bytes as BodyInit, { headers });
}
