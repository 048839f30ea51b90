// The form of a site. The desk writes it with what the address fills in; sending it needs the script.

import { html } from 'hono/html';
import { limitInWords } from '../../../web/shared/file-size.ts';
import type { BrowserFiles } from '../browser-files.ts';
import { customerDocument, forgetting, needsScript } from './document.ts';
import { field, ownField, selected } from './form-fields.ts';
import { type Html, nothing } from './parts.ts';
import type { ShownPortal } from './shown.ts';
import type { Reader } from './texts.ts';

/** What an address may fill in (docs/spec/customer.md); longer values are cut, and the desk checks all of them again. */
const mostPrefilled = 10_000;

/** @param query of the address: `subject`, `category` (id, slug or name) and `field.<key>` */
export function formPage(files: BrowserFiles, reader: Reader, portal: ShownPortal, query: URLSearchParams): string {
  const { text } = reader;
  const given = (name: string) => (query.get(name) ?? '').slice(0, mostPrefilled);
  const { extensions, max_bytes: mostBytes } = portal.attachments;
  const rules = JSON.stringify({ extensions, mostBytes });
  const content = html`<div class="card" id="door">
<h1>${text.formTitle}</h1>
<p class="soft">${text.formLead}</p>
${needsScript(text.sendNeedsScript)}
<form id="form" method="post" novalidate data-files="${rules}">
<div class="pair">
${field({ id: 'email', label: text.yourEmail }, html`<input id="email" name="email" type="email" autocomplete="email" maxlength="255" required>`)}
${field({ id: 'name', label: text.yourName, aside: text.optional }, html`<input id="name" name="name" type="text" autocomplete="name" maxlength="255">`)}
</div>
${portal.categories.length === 0 ? nothing : categories(portal, reader, given('category'))}
${field({ id: 'subject', label: text.subject }, html`<input id="subject" name="subject" type="text" autocomplete="off" maxlength="255" required value="${given('subject')}">`)}
${field({ id: 'message', label: text.message }, html`<textarea id="message" name="message" rows="7" maxlength="10000" dir="auto" required></textarea>`)}
${portal.custom_fields.map((own) => ownField(own, reader, given(`field.${own.key}`)))}
<div class="trap" aria-hidden="true"><label for="website">Website</label><input id="website" name="website" type="text" tabindex="-1" autocomplete="off"></div>
<div class="field"><span class="label" id="files-label">${text.filesLabel} <span class="soft">(${text.optional})</span></span>
<div id="files"></div>
<p class="field-hint">${text.filesHint(extensions.join(', '), limitInWords(mostBytes, reader.locale))}</p></div>
<div id="send"></div>
</form>
</div>
${forgetting(reader)}`;
  return customerDocument({
    files,
    reader,
    page: 'form',
    title: text.formTitle,
    site: portal,
    current: 'form',
    content,
  });
}

function categories({ categories: all }: ShownPortal, { text }: Reader, given: string): Html {
  const options = all.map(
    ({ id, slug, name }) =>
      html`<option value="${id}"${selected(given !== '' && [String(id), slug, name].includes(given))}>${name}</option>`,
  );
  const control = html`<select id="category_id" name="category_id"><option value="">${text.chooseOne}</option>${options}</select>`;
  return field({ id: 'category_id', label: text.category, aside: text.optional }, control);
}
