// The addresses of the customers' pages. They are written here, so that they can be read without a script.

import type { Context, Hono } from 'hono';
import { compressedText } from '../../compression.ts';
import type { BrowserFileSource } from '../browser-files.ts';
import { pageHeaders } from '../page.ts';
import { type Env, readOnly } from '../read-only.ts';
import { entrancePage, missingPage } from './entrance-page.ts';
import { formPage } from './form-page.ts';
import type { ShownList, ShownPortal, ShownThread } from './shown.ts';
import { readerOf } from './texts.ts';
import { ticketPage } from './ticket-page.ts';
import { ticketsPage } from './tickets-page.ts';

/** What the pages show, for a browser with these cookies. Null where it does not exist, or is not for this browser. */
export interface CustomerReading {
  thread(cookies: string | undefined, ulid: string): ShownThread | null;
  portal(slug: string): ShownPortal | null;
  tickets(cookies: string | undefined, slug: string, query: URLSearchParams): ShownList | null;
}

export function addCustomerPages(app: Hono<Env>, source: BrowserFileSource, reading: CustomerReading): void {
  const language = (c: Context<Env>) => c.req.header('accept-language');
  const query = (c: Context<Env>) => new URL(c.req.url).searchParams;

  readOnly(app, '/t/:ticket', async (c) => {
    const files = await source.current();
    const thread = reading.thread(c.req.header('cookie'), c.req.param('ticket') ?? '');
    const reader = readerOf(thread?.site.locale ?? null, language(c));
    if (thread === null) return answer(c, entrancePage(files, reader));
    return answer(c, ticketPage(files, reader, thread, query(c).get('before')));
  });

  readOnly(app, '/s/:site', async (c) => {
    const files = await source.current();
    const portal = reading.portal(c.req.param('site') ?? '');
    const reader = readerOf(portal?.locale ?? null, language(c));
    if (portal === null) return answer(c, missingPage(files, reader), 404);
    return answer(c, formPage(files, reader, portal, query(c)));
  });

  readOnly(app, '/s/:site/tickets', async (c) => {
    const files = await source.current();
    const slug = c.req.param('site') ?? '';
    const portal = reading.portal(slug);
    const reader = readerOf(portal?.locale ?? null, language(c));
    if (portal?.portal !== 'form_and_tickets') return answer(c, missingPage(files, reader, portal), 404);
    const list = reading.tickets(c.req.header('cookie'), slug, query(c));
    return answer(c, ticketsPage(files, reader, portal, list, query(c)));
  });
}

/** A browser keeps none of it, so that "Forget this browser" leaves nothing behind. */
function answer(c: Context<Env>, html: string, status = 200): Promise<Response> {
  return compressedText({ status, body: html, headers: pageHeaders }, c.req.raw.headers);
}
