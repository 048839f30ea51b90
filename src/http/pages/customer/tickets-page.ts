// "My tickets": the list of an address that was proved in this browser, or the way to prove one.

import { html, raw } from 'hono/html';
import { ticketStatuses } from '../../../domain/ticket.ts';
import type { BrowserFiles } from '../browser-files.ts';
import { customerDocument, forgetting, needsScript } from './document.ts';
import { note } from './entrance-page.ts';
import { day, type Html, icon, nothing } from './parts.ts';
import type { ShownList, ShownPortal } from './shown.ts';
import type { Reader } from './texts.ts';
import { statusLabel, statusWord } from './ticket-page.ts';

/** @param list null until the address is proved */
export function ticketsPage(
  files: BrowserFiles,
  reader: Reader,
  portal: ShownPortal,
  list: ShownList | null,
  query: URLSearchParams,
): string {
  const { text } = reader;
  const content = list === null ? entrance(reader) : found(reader, portal, list, query);
  return customerDocument({
    files,
    reader,
    page: 'tickets',
    title: text.myTickets,
    site: portal,
    current: 'tickets',
    content: html`${content}${forgetting(reader)}`,
  });
}

function entrance({ text }: Reader): Html {
  return html`<div class="card narrow"><h1>${text.myTickets}</h1><div id="prove"><p class="soft">${text.ticketsLead}</p></div>${needsScript(text.listNeedsScript)}</div>`;
}

function found(reader: Reader, { slug }: ShownPortal, list: ShownList, query: URLSearchParams): Html {
  const { text } = reader;
  const words = query.get('q')?.slice(0, 200) ?? '';
  const status = query.get('status') ?? '';
  const isNarrowed = words !== '' || status !== '';
  const next = new URLSearchParams({
    ...(words && { q: words }),
    ...(status && { status }),
    cursor: list.next_cursor ?? '',
  });
  const options = ticketStatuses.map(
    (one) =>
      html`<option value="${one}"${one === status ? raw(' selected') : nothing}>${statusWord(one, reader)}</option>`,
  );
  return html`<div class="list-head"><h1>${text.myTickets}</h1><p class="soft">${text.ticketsOf(list.address_hint)}</p></div>
<search><form class="find" method="get" action="/s/${slug}/tickets">
<div class="field grows"><label class="hidden" for="q">${text.searchTickets}</label><input id="q" name="q" type="search" placeholder="${text.searchTickets}" value="${words}" maxlength="200"></div>
<div class="field"><label class="hidden" for="status">${text.statusFilter}</label><select id="status" name="status"><option value="">${text.everyStatus}</option>${options}</select></div>
<button type="submit" class="button">${icon('search')}<span class="button-text">${text.searchTickets}</span></button>
</form></search>
${
  list.tickets.length === 0
    ? isNarrowed
      ? note(text.noMatch, text.noMatchLead, 'h2')
      : note(text.noTickets, text.noTicketsLead, 'h2')
    : html`<ul class="ticket-list">${list.tickets.map(
        ({ ulid, reference, subject, status: own, last_message_at: at }) => html`<li>
<a class="ticket-row" href="/t/${ulid}?site=${slug}"><span class="number soft">${reference}</span><span class="ticket-subject"><bdi>${subject}</bdi></span>${statusLabel(own, reader)}<span class="soft when">${day(at, reader)}</span></a></li>`,
      )}</ul>`
}
${list.next_cursor === null ? nothing : html`<p class="more"><a href="/s/${slug}/tickets?${next.toString()}">${text.moreTickets}</a></p>`}`;
}
