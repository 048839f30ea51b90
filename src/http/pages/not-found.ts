// The 404 page for browsers. Programs get JSON (src/http/app.ts).

import type { Context } from 'hono';
import { compressedText } from '../compression.ts';
import type { BrowserFileSource } from './browser-files.ts';
import { readerOf } from './customer/texts.ts';
import { writtenPage } from './customer/written.tsx';
import { languageFor } from './negotiate.ts';
import { pageHeaders, pageHtml } from './page.tsx';
import type { Env } from './read-only.ts';

const ofPrograms = /^\/(?:api|assets)(?:\/|$)|\.[^/]*$/;
const ofCustomers = /^\/(?:[st]|rate)(?:\/|$)/;

/** Null where the answer is JSON. Only an agent who signed in gets the console, which shows that there is nothing. */
export async function notFoundPage(
  c: Context<Env>,
  source: BrowserFileSource,
  isSignedIn: (cookie: string | undefined) => boolean,
): Promise<Response | null> {
  const path = new URL(c.req.url).pathname;
  const isPage = ['GET', 'HEAD'].includes(c.req.method) && /\btext\/html\b/.test(c.req.header('accept') ?? '');
  if (!isPage || ofPrograms.test(path)) return null;
  const files = await source.current();
  const wanted = c.req.header('accept-language');
  const isConsole = !ofCustomers.test(path) && isSignedIn(c.req.header('cookie'));
  const body = isConsole
    ? pageHtml('console', languageFor(wanted, files.languages), files)
    : writtenPage(files, readerOf(null, wanted), { page: 'missing', site: null });
  return compressedText({ status: 404, body, headers: pageHeaders }, c.req.raw.headers);
}
