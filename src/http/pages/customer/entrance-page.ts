// What a browser gets that has not opened the ticket yet: the same page whether the ticket exists or not.

import { html } from 'hono/html';
import type { BrowserFiles } from '../browser-files.ts';
import { customerDocument, needsScript } from './document.ts';
import { type Html, icon } from './parts.ts';
import type { ShownSite } from './shown.ts';
import type { Reader } from './texts.ts';

export function entrancePage(files: BrowserFiles, reader: Reader): string {
  const { text } = reader;
  const content = html`<div id="entrance" class="card narrow"><p class="soft waiting">${text.opening}</p>
${needsScript(text.openNeedsScript)}</div>`;
  return customerDocument({ files, reader, page: 'entrance', title: text.opening, site: null, content });
}

/** @param site null where no site may be named */
export function missingPage(files: BrowserFiles, reader: Reader, site: ShownSite | null = null): string {
  const { text } = reader;
  return customerDocument({
    files,
    reader,
    page: 'none',
    title: text.noPageTitle,
    site,
    content: note(text.noPageTitle, text.noPageLead),
  });
}

/** @param level of its heading; h2 below another heading */
export function note(title: string, lead: string, level: 'h1' | 'h2' = 'h1'): Html {
  const heading = level === 'h1' ? html`<h1>${title}</h1>` : html`<h2>${title}</h2>`;
  return html`<div class="card narrow note">${icon('inbox')}${heading}<p class="soft">${lead}</p></div>`;
}
