// The addresses of the customers' pages. They are written here, so that they can be read without a script.

import type { Context, Hono } from 'hono';
import { ratingPath } from '../../../desk/customers/satisfaction.ts';
import type { PageContent } from '../../../web/customer/page-content.ts';
import { compressedText } from '../../compression.ts';
import type { Edge } from '../../operation.ts';
import { rounds } from '../../rounds.ts';
import { jsonReply } from '../../wire/respond.ts';
import type { BrowserFileSource } from '../browser-files.ts';
import { pageHeaders } from '../page.tsx';
import { type Env, readOnly } from '../read-only.ts';
import { agentIn } from '../visitor.ts';
import { type OwnCall, takeRatingForm } from './rating-form.ts';

// With the first page that is asked for: the texts and what draws them are a tenth of the desk's code.
const load = async () => ({
  ...(await import('./preview.ts')),
  ...(await import('./reading.ts')),
  ...(await import('./texts.ts')),
  ...(await import('./written.tsx')),
});
type Pages = Awaited<ReturnType<typeof load>>;

export function addCustomerPages(app: Hono<Env>, source: BrowserFileSource, edge: Edge, ownCall: OwnCall): void {
  type Read = (pages: Pages, c: Context<Env>, query: URLSearchParams) => PageContent;
  const answer = async (c: Context<Env>, read: Read, refused = 200) => {
    const files = await source.current();
    const pages = await load();
    const { inLanguage, readerOf, writtenPage } = pages;
    const reply = await rounds.run(() => {
      const found = read(pages, c, new URL(c.req.url).searchParams);
      const reader = readerOf(found.site?.locale ?? null, c.req.header('accept-language'));
      const shown = inLanguage(found, reader.language);
      const status = shown.page === 'missing' ? 404 : refused;
      // The script of the page asks for what it draws.
      if (c.req.header('accept') === 'application/json')
        return jsonReply(status, shown, { 'Cache-Control': 'no-store' });
      // A browser keeps none of it, so that "Forget this browser" leaves nothing behind.
      return { status, body: writtenPage(files, reader, shown), headers: pageHeaders };
    });
    return compressedText(reply, c.req.raw.headers);
  };
  const page = (path: string, read: Read, others: readonly string[] = []) =>
    readOnly(app, path, (c) => answer(c, read), others);

  readOnly(app, '/s/:site/preview', async (c) => {
    const { previewHeaders, readerOf, shownPreview, writtenPage } = await load();
    const query = new URL(c.req.url).searchParams;
    const place = c.req.header('sec-fetch-dest') ?? 'iframe';
    const shown =
      place === 'iframe'
        ? shownPreview(edge, agentIn(edge, c.req.header('cookie')), c.req.param('site') ?? '', query)
        : null;
    const files = await source.current();
    // Pages without a language of their own follow the reader, who is the agent here.
    const reader = readerOf(shown?.site.locale ?? null, query.get('language') ?? c.req.header('accept-language'));
    const theme = query.get('theme') === 'dark' ? 'dark' : 'light';
    const body = writtenPage(files, reader, shown ?? { page: 'missing', site: null }, theme);
    const reply = { status: shown === null ? 404 : 200, body, headers: previewHeaders };
    return compressedText(reply, c.req.raw.headers);
  });
  const rating = ratingPath(':link', ':secret');
  const ratingOf = (c: Context<Env>) => ({ link: c.req.param('link') ?? '', secret: c.req.param('secret') ?? '' });
  app.post(rating, async (c) => {
    c.env.route = rating;
    const sent = await takeRatingForm(c, ownCall);
    if (sent instanceof Response) return sent;
    return await answer(c, (pages, _, query) => pages.shownRating(edge, ratingOf(c), query, sent), sent.status);
  });
  page(rating, (pages, c, query) => pages.shownRating(edge, ratingOf(c), query), ['POST']);
  page('/t/:ticket', (pages, c, query) =>
    pages.shownTicket(edge, c.req.header('cookie'), c.req.param('ticket') ?? '', query),
  );
  page('/s/:site', (pages, c, query) => pages.shownForm(edge, c.req.param('site') ?? '', query));
  page('/s/:site/tickets', (pages, c, query) =>
    pages.shownTickets(edge, c.req.header('cookie'), c.req.param('site') ?? '', query),
  );
}
