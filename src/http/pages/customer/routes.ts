// The addresses of the customers' pages. They are written here, so that they can be read without a script.

import type { Context, Hono } from 'hono';
import { compressedText } from '../../compression.ts';
import { rounds } from '../../rounds.ts';
import type { BrowserFileSource, BrowserFiles } from '../browser-files.ts';
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
  /** @param before ulid of the message before which the page ends; null shows the newest */
  thread(cookies: string | undefined, ulid: string, before: string | null): ShownThread | null;
  portal(slug: string): ShownPortal | null;
  tickets(cookies: string | undefined, slug: string, query: URLSearchParams): ShownList | null;
}

interface Written {
  html: string;
  status?: number;
}

export function addCustomerPages(app: Hono<Env>, source: BrowserFileSource, reading: CustomerReading): void {
  const language = (c: Context<Env>) => c.req.header('accept-language');
  const query = (c: Context<Env>) => new URL(c.req.url).searchParams;

  const page = (path: string, write: (c: Context<Env>, files: BrowserFiles) => Written) =>
    readOnly(app, path, async (c) => {
      const files = await source.current();
      const { html, status = 200 } = await rounds.run(() => write(c, files));
      // A browser keeps none of it, so that "Forget this browser" leaves nothing behind.
      return compressedText({ status, body: html, headers: pageHeaders }, c.req.raw.headers);
    });

  page('/t/:ticket', (c, files) => {
    const thread = reading.thread(c.req.header('cookie'), c.req.param('ticket') ?? '', query(c).get('before'));
    const reader = readerOf(thread?.site.locale ?? null, language(c));
    return { html: thread === null ? entrancePage(files, reader) : ticketPage(files, reader, thread) };
  });

  page('/s/:site', (c, files) => {
    const portal = reading.portal(c.req.param('site') ?? '');
    const reader = readerOf(portal?.locale ?? null, language(c));
    if (portal === null) return { html: missingPage(files, reader), status: 404 };
    return { html: formPage(files, reader, portal, query(c)) };
  });

  page('/s/:site/tickets', (c, files) => {
    const slug = c.req.param('site') ?? '';
    const portal = reading.portal(slug);
    const reader = readerOf(portal?.locale ?? null, language(c));
    if (portal?.portal !== 'form_and_tickets') return { html: missingPage(files, reader, portal), status: 404 };
    const list = reading.tickets(c.req.header('cookie'), slug, query(c));
    return { html: ticketsPage(files, reader, portal, list, query(c)) };
  });
}
