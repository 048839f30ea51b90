// The frame of the customers' pages: the brand above, the content, and what belongs to the whole browser below.

import { html, raw } from 'hono/html';
import { brandColorPattern } from '../../../domain/brand-colors.ts';
import type { BrowserFiles } from '../browser-files.ts';
import { headHtml } from '../page.ts';
import { brandStylePath } from './brand-style.ts';
import { type Html, nothing } from './parts.ts';
import type { ShownSite } from './shown.ts';
import type { Reader } from './texts.ts';

interface Document {
  files: BrowserFiles;
  reader: Reader;
  /** What its script does: the name of a module in src/web/customer. */
  page: 'ticket' | 'entrance' | 'form' | 'tickets' | 'none';
  title: string;
  /** Null where the page must not tell which site it belongs to. */
  site: ShownSite | null;
  current?: 'form' | 'tickets';
  content: Html;
}

export function customerDocument({ files, reader, page, title, site, current, content }: Document): string {
  const { language, text } = reader;
  const color = site?.brand.color ?? null;
  const styles = color !== null && brandColorPattern.test(color) ? [brandStylePath(color)] : [];
  const document = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${site === null ? title : `${title} · ${site.name}`}</title>
${raw(headHtml('customer', language, files, styles))}</head>
<body data-page="${page}" data-site="${site?.slug ?? ''}">
<a class="skip" href="#content">${text.toContent}</a>
${site === null ? nothing : bar(site, reader, current)}
<main id="content" tabindex="-1">
${content}
</main>
<div id="announcer" class="hidden" role="status"></div>
</body>
</html>
`;
  return String(document);
}

function bar(site: ShownSite, { text }: Reader, current: Document['current']): Html {
  const { brand, slug, portal } = site;
  const logo = brand.logo === null ? nothing : html`<img src="${brand.logo}" alt="">`;
  const name = html`${logo}<span>${site.name}</span>`;
  const here = (page: Document['current']) => (page === current ? raw(' aria-current="page"') : nothing);
  return html`<header class="bar"><div>
${portal === 'off' ? html`<span class="brand">${name}</span>` : html`<a class="brand" href="/s/${slug}">${name}</a>`}
${
  portal === 'off'
    ? nothing
    : html`<nav aria-label="${site.name}">
<a href="/s/${slug}"${here('form')}>${text.newTicket}</a>
${portal === 'form_and_tickets' ? html`<a href="/s/${slug}/tickets"${here('tickets')}>${text.myTickets}</a>` : nothing}
</nav>`
}
</div></header>`;
}

/** The button gets its work from the script, which shows it. */
export function forgetting({ text }: Reader): Html {
  return html`<footer class="foot"><button type="button" id="forget" class="button quiet" hidden>${text.forgetBrowser}</button>
<span class="soft">${text.forgetLead}</span></footer>`;
}

export function needsScript(sentence: string): Html {
  return html`<noscript><p class="notice hint">${sentence}</p></noscript>`;
}
