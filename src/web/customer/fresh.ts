// Brings the page up to date: the desk writes it once more, and what differs is taken over.

import { t } from './messages.ts';
import { say } from './place.tsx';
import { readState } from './ticket-state.ts';
import { writeLocalTimes } from './times.ts';

/** The parts of the document as the desk wrote them, before the script changed anything in them. */
const written = new Map<string, Node>();

const parts = ['state', 'fields', 'thread'];

export function rememberWritten(): void {
  for (const id of parts) remember(document.getElementById(id));
  for (const message of messagesIn(document)) remember(message);
}

function remember(element: Element | null): void {
  if (element !== null) written.set(element.id, element.cloneNode(true));
}

function messagesIn(from: Document): HTMLElement[] {
  return [...from.querySelectorAll<HTMLElement>('#thread > .message')];
}

let underWay: Promise<void> | null = null;

/** Those who ask during a request share its answer, or wait for the next one. */
export function refresh(): Promise<void> {
  underWay ??= load().finally(() => {
    underWay = null;
  });
  return underWay;
}

async function load(): Promise<void> {
  const fresh = await freshDocument();
  if (fresh === null) return;
  // The visit has ended, or the link was withdrawn.
  if (!readState(fresh)) return location.reload();
  takeState(fresh);
  takeFields(fresh);
  takeMessages(fresh);
}

/** Such a document runs no scripts, and none of its text is parsed again. */
function freshDocument(): Promise<Document | null> {
  const { promise, resolve } = Promise.withResolvers<Document | null>();
  const request = new XMLHttpRequest();
  request.open('GET', location.pathname + location.search);
  request.responseType = 'document';
  request.addEventListener('load', () => resolve(request.status === 200 ? request.responseXML : null));
  request.addEventListener('error', () => resolve(null));
  request.send();
  return promise;
}

/** The buttons in it are the script's own, and stay. */
function takeState(from: Document): void {
  const fresh = from.getElementById('state');
  const shown = document.getElementById('state');
  if (fresh === null || shown === null || written.get('state')?.isEqualNode(fresh) === true) return;
  written.set('state', fresh.cloneNode(true));
  shown.className = fresh.className;
  for (const selector of [':scope > .icon', ':scope > .state-words']) {
    const part = fresh.querySelector(selector);
    if (part !== null) shown.querySelector(selector)?.replaceWith(document.adoptNode(part));
  }
}

/** They stay open or closed as the reader left them. */
function takeFields(from: Document): void {
  const fresh = from.getElementById('fields');
  const shown = document.getElementById('fields');
  if (fresh === null || shown === null || written.get('fields')?.isEqualNode(fresh) === true) return;
  written.set('fields', fresh.cloneNode(true));
  const before = shown.querySelector('details');
  const taken = document.adoptNode(fresh);
  const details = taken.querySelector('details');
  if (before !== null && details !== null) details.open = before.open;
  shown.replaceWith(taken);
}

function takeMessages(from: Document): void {
  const thread = document.getElementById('thread');
  if (thread === null) return;
  const fresh = messagesIn(from);
  const kept = new Set(fresh.map(({ id }) => id));
  for (const gone of messagesIn(document)) if (!kept.has(gone.id)) gone.remove();
  let before: Element | null = null;
  for (const message of fresh) {
    const shown: Element | null = document.getElementById(message.id);
    if (shown !== null && written.get(message.id)?.isEqualNode(message) === true) {
      before = shown;
      continue;
    }
    written.set(message.id, message.cloneNode(true));
    const taken: HTMLElement = document.adoptNode(message);
    writeLocalTimes(taken);
    if (shown !== null) replaceKeepingFocus(shown, taken);
    else {
      if (before === null) thread.prepend(taken);
      else before.after(taken);
      if (taken.classList.contains('support')) say(t.newAnswer(taken.dataset.name ?? ''));
      taken.classList.add('is-new');
    }
    before = taken;
  }
}

/** Links to files are signed afresh each time; who stands on one stays there. */
function replaceKeepingFocus(shown: Element, taken: Element): void {
  const at = [...shown.querySelectorAll('a')].indexOf(document.activeElement as HTMLAnchorElement);
  shown.replaceWith(taken);
  if (at !== -1) taken.querySelectorAll('a')[at]?.focus();
}
