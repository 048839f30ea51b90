// A ticket as its customer reads it. Everything that needs no script is here.

import { html, raw } from 'hono/html';
import { allowedExtensions, maxAttachmentBytes } from '../../../files/sniff.ts';
import { sizeInWords } from '../../../web/shared/file-size.ts';
import type { IconName } from '../../../web/shared/icon-paths.ts';
import type { BrowserFiles } from '../browser-files.ts';
import { customerDocument, forgetting, needsScript } from './document.ts';
import { day, type Html, icon, initials, linkedText, moment, nothing } from './parts.ts';
import type { ShownFile, ShownMessage, ShownThread } from './shown.ts';
import type { Reader, Texts } from './texts.ts';

type Status = ShownThread['ticket']['status'];

type Shown = { icon: IconName; words: string };

const labels = (text: Texts): Record<Status, Shown> => ({
  open: { icon: 'clock', words: text.labelOpen },
  pending: { icon: 'pause', words: text.labelPending },
  resolved: { icon: 'done', words: text.labelResolved },
  closed: { icon: 'lock', words: text.labelClosed },
});

const states = (text: Texts): Record<ShownThread['status_words'], Shown & { next: string }> => ({
  received: { icon: 'inbox', words: text.stateReceived, next: text.answerComes },
  in_progress: { icon: 'clock', words: text.stateInProgress, next: text.answerComes },
  answered: { icon: 'mail', words: text.stateAnswered, next: text.answeredNext },
  waiting_for_you: { icon: 'pause', words: text.stateWaitingForYou, next: text.waitingNext },
  solved: { icon: 'done', words: text.stateSolved, next: text.solvedNext },
  closed: { icon: 'lock', words: text.stateClosed, next: text.closedNext },
});

export function ticketPage(files: BrowserFiles, reader: Reader, thread: ShownThread): string {
  const { ticket, site, messages, hasEarlier, hasLater } = thread;
  const { text } = reader;
  const [first] = messages;
  const content = html`<article id="ticket" data-ticket="${stateOf(thread)}">
<header class="ticket-head">
<p class="soft"><span class="number">${ticket.reference}</span>${ticket.category === null ? nothing : html`<span><bdi>${ticket.category}</bdi></span>`}<span>${text.openedOn(day(ticket.created_at, reader))}</span></p>
<h1 dir="auto">${ticket.subject}</h1>
</header>
${stateBar(thread, reader)}
<div id="fields">${fieldList(thread, reader)}</div>
${hasEarlier && first !== undefined ? html`<p class="more"><a href="/t/${ticket.ulid}?before=${first.ulid}">${text.earlierMessages}</a></p>` : nothing}
<ol class="thread" id="thread" aria-label="${text.conversation}">
${messages.map((message) => messageItem(message, reader))}
</ol>
${looseFiles(thread, reader)}
${hasLater ? html`<p class="more"><a href="/t/${ticket.ulid}">${text.newestMessages}</a></p>` : html`<div id="composer"></div>`}
${needsScript(text.answerNeedsScript)}
</article>
${forgetting(reader)}`;
  return customerDocument({ files, reader, page: 'ticket', title: ticket.subject, site, content });
}

/** What the script needs to know. */
function stateOf({ ticket, may, address_hint, is_confirmed, version }: ShownThread): string {
  const files = { extensions: allowedExtensions, mostBytes: maxAttachmentBytes };
  return JSON.stringify({ ulid: ticket.ulid, may, address_hint, is_confirmed, version, files });
}

export function statusWord(status: Status, { text }: Reader): string {
  return labels(text)[status].words;
}

export function statusLabel(status: Status, { text }: Reader): Html {
  const { icon: name, words } = labels(text)[status];
  return html`<span class="status ${status}">${icon(name)}${words}</span>`;
}

function stateBar({ ticket, status_words: state }: ShownThread, { text }: Reader): Html {
  const { icon: name, words, next } = states(text)[state];
  return html`<section class="state ${ticket.status}" id="state">
${icon(name)}<div class="state-words"><h2>${words}</h2><p class="soft">${next}</p></div><div id="actions"></div>
</section>`;
}

/** Beyond these, the conversation would be pushed off the screen. */
const mostOpenFields = 3;

function fieldList({ fields }: ShownThread, reader: Reader): Html {
  if (fields.length === 0) return nothing;
  return html`<details class="facts"${fields.length > mostOpenFields ? nothing : raw(' open')}><summary>${reader.text.details}</summary>
<dl>${fields.map(
    (own) =>
      html`<div><dt><bdi>${own.label}</bdi></dt><dd class="words" dir="auto">${fieldValue(own, reader)}</dd></div>`,
  )}</dl></details>`;
}

function fieldValue({ type, value }: ShownThread['fields'][number], reader: Reader): Html | Html[] | string {
  if (typeof value === 'boolean') return value ? reader.text.yes : reader.text.no;
  if (typeof value === 'number')
    return new Intl.NumberFormat(reader.locale, { maximumFractionDigits: 20 }).format(value);
  if (Array.isArray(value)) return value.join(', ');
  return type === 'date' ? day(String(value), reader) : linkedText(String(value));
}

function messageItem(message: ShownMessage, reader: Reader): Html {
  const { text } = reader;
  const kind = message.is_automated ? 'automated' : message.is_agent ? 'support' : 'own';
  const name = message.author_name;
  const role = message.is_automated ? text.automatic : message.is_agent ? text.fromSupport : null;
  const face = message.is_automated ? icon('again') : initials(name) || icon('person');
  return html`<li class="message ${kind}" id="m-${message.ulid}" data-name="${name}">
<span class="face" aria-hidden="true">${face}</span>
<div class="bubble">
<p class="byline"><strong><bdi>${name}</bdi></strong>${role === null || role === name ? nothing : html`<span class="role">${role}</span>`}${moment(message.created_at, reader)}</p>
${
  message.html === null
    ? html`<div class="words" dir="auto">${linkedText(message.body)}</div>`
    : // The desk made it safe when it was written (src/mail/markdown.ts).
      html`<div class="rich" dir="auto">${raw(message.html)}</div>`
}
${fileList(message.attachments, name, reader)}
</div>
</li>
`;
}

/** Of the ticket, but of none of its messages. */
function looseFiles({ looseFiles: loose }: ShownThread, reader: Reader): Html {
  return loose.length === 0
    ? nothing
    : html`<div class="loose">${fileList(loose, reader.text.filesLabel, reader)}</div>`;
}

function fileList(files: readonly ShownFile[], name: string, reader: Reader): Html {
  if (files.length === 0) return nothing;
  return html`<ul class="files" aria-label="${reader.text.filesOf(name)}">${files.map(
    ({
      url,
      filename,
      size,
      content_type: type,
    }) => html`<li><a class="file" href="${url}" target="_blank" rel="noopener">
${type.startsWith('image/') ? html`<img src="${url}" alt="" loading="lazy" width="40" height="40">` : icon('clip')}
<span class="file-name"><bdi>${filename}</bdi></span><span class="soft">${sizeInWords(size, reader.locale)}</span></a></li>`,
  )}</ul>`;
}
