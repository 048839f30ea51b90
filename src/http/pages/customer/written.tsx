// Writes a page of the customers, so that it can be read without a script. The script draws the same page over it.

import { brandColorPattern } from '../../../domain/sites/brand-colors.ts';
import { CustomerPage, drawRunning, titleOf } from '../../../web/customer/page.tsx';
import type { PageContent } from '../../../web/customer/page-content.ts';
import { formattedAs } from '../../../web/shared/format.ts';
import { speak } from '../../../web/shared/messages.ts';
import type { BrowserFiles } from '../browser-files.ts';
import { documentHtml, type Theme } from '../page.tsx';
import { brandStylePath } from './brand-style.ts';
import type { Reader } from './texts.ts';

/** Pages with nothing of their reader, which many ask for. */
const ofEveryone = new WeakMap<BrowserFiles, Map<string, string>>();
const mostKept = 50;

/** @param still the theme of a page that runs no script */
export function writtenPage(
  files: BrowserFiles,
  reader: Reader,
  shown: PageContent,
  still: Theme | null = null,
): string {
  const data = JSON.stringify(shown);
  if (still !== null) return newPage(files, reader, shown, data, still);
  if (shown.page === 'ticket' || shown.page === 'rating' || (shown.page === 'tickets' && shown.list !== null))
    return newPage(files, reader, shown, data);
  const kept = ofEveryone.get(files) ?? new Map<string, string>();
  ofEveryone.set(files, kept);
  const key = `${reader.language} ${reader.locale} ${data}`;
  const page = kept.get(key) ?? newPage(files, reader, shown, data);
  if (kept.size >= mostKept) kept.clear();
  kept.set(key, page);
  return page;
}

function newPage(
  files: BrowserFiles,
  { language, locale, texts }: Reader,
  shown: PageContent,
  data: string,
  still: Theme | null = null,
): string {
  speak(language, texts);
  const color = shown.site?.brand.color ?? null;
  const styles = color !== null && brandColorPattern.test(color) ? [brandStylePath(color)] : [];
  const body = (
    <div id="page">
      <CustomerPage shown={shown} />
    </div>
  );
  const html = () =>
    documentHtml({ entry: 'customer', language, files, title: titleOf(shown), styles, body, data, still });
  return formattedAs(locale, () => (still === null ? html() : drawRunning(html)));
}
