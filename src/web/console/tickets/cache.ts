// Tickets with their threads: the open one, its neighbours, and those that were open lately.

import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Refusal } from '../../shared/api.ts';
import { now } from '../../shared/clock.ts';
import { ask } from '../../shared/signed-in.ts';
import { hello, onCatchUp, onDelivery, onEvent } from '../live/live.ts';
import type { Message, Ticket, TicketDetail, WireEvent } from '../wire.ts';

export type TicketState =
  | { kind: 'loading' }
  /** `problem` is why the newest state could not be loaded. */
  | { kind: 'shown'; ticket: TicketDetail; problem: Refusal | null }
  | { kind: 'refused'; refusal: Refusal };

interface Entry {
  ulid: string;
  state: Signal<TicketState>;
  loaded: TicketDetail | null;
  loadedAt: number;
  isStale: boolean;
  /** Changes that the desk has not confirmed, over what was loaded. */
  changes: Set<Partial<Ticket>>;
  loading: Promise<void> | null;
  isAskedAgain: boolean;
}

const mostKept = 60;
const mostAtOnce = 2;
/** Without events, such as while offline, what was loaded earlier is asked for again. */
const freshMs = 30_000;

const entries = new Map<string, Entry>();
const waiting: string[] = [];
let prefetching = 0;

/** The ticket on the page, by its ulid. */
export const openedTicket: Signal<string | null> = signal(null);

/** Loads the ticket unless it is known. The signal stays the same for as long as the ticket is open. */
export function ticketSignal(ulid: string): ReadonlySignal<TicketState> {
  const entry = entryOf(ulid);
  if (!isFresh(entry) && entry.loading === null) void load(entry);
  return entry.state;
}

export function prefetch(ulid: string): void {
  const known = entries.get(ulid);
  if ((known !== undefined && (isFresh(known) || known.loading !== null)) || waiting.includes(ulid)) return;
  waiting.push(ulid);
  if (waiting.length > 6) waiting.shift();
  void prefetchNext();
}

export function knownTicket(ulid: string): TicketDetail | null {
  const state = entries.get(ulid)?.state.peek();
  return state?.kind === 'shown' ? state.ticket : null;
}

export async function reload(ulid: string): Promise<void> {
  await load(entryOf(ulid));
}

/** Shows a change before the desk has answered. @returns ends it */
export function showChange(ulid: string, change: Partial<Ticket>): () => void {
  const entry = entries.get(ulid);
  if (entry === undefined) return () => undefined;
  entry.changes.add(change);
  show(entry);
  return () => {
    entry.changes.delete(change);
    show(entry);
  };
}

/** The desk's answer to a change: the ticket without its thread. */
export function storeRow(row: Partial<Ticket> & { ulid: string }): void {
  const entry = entries.get(row.ulid);
  if (entry?.loaded == null) return;
  entry.loaded = { ...entry.loaded, ...row };
  show(entry);
}

/** The open ticket is loaded again at once, others when they are opened. */
function noteEvent(event: Pick<WireEvent, 'ticket_id' | 'data'>): void {
  for (const entry of entries.values()) {
    const isOfTicket = entry.loaded?.id === event.ticket_id || entry.ulid === event.data.ticket_ulid;
    if (isOfTicket || event.ticket_id === null) outdate(entry);
  }
}

function outdateAll(): void {
  for (const entry of entries.values()) outdate(entry);
}

onEvent(noteEvent);
onCatchUp(outdateAll);
onDelivery(({ ticket, message, delivery, recipients }) => {
  const entry = entries.get(ticket);
  // An answer that is on its way may be older than this.
  if (entry?.loading != null) entry.isAskedAgain = true;
  if (entry?.loaded == null) return;
  const messages = entry.loaded.messages.map((one) => (one.ulid === message ? { ...one, delivery, recipients } : one));
  entry.loaded = { ...entry.loaded, messages };
  show(entry);
  // Mail to that address is stopped from now on, which the ticket says of its author.
  if (recipients?.some(({ status }) => status === 'bounced')) outdate(entry);
});
effect(() => {
  // What was loaded before the stream began may already be older than its first event.
  if (hello.value !== null) outdateAll();
});

function outdate(entry: Entry): void {
  entry.isStale = true;
  if (entry.ulid === openedTicket.peek()) void load(entry);
}

function isFresh({ loaded, isStale, loadedAt }: Entry): boolean {
  return loaded !== null && !isStale && now() - loadedAt < freshMs;
}

function entryOf(ulid: string): Entry {
  const known = entries.get(ulid);
  if (known !== undefined) {
    entries.delete(ulid);
    entries.set(ulid, known);
    return known;
  }
  const made: Entry = {
    ulid,
    state: signal<TicketState>({ kind: 'loading' }),
    loaded: null,
    loadedAt: 0,
    isStale: false,
    changes: new Set(),
    loading: null,
    isAskedAgain: false,
  };
  entries.set(ulid, made);
  for (const [oldest, entry] of entries) {
    if (entries.size <= mostKept) break;
    if (oldest !== openedTicket.peek() && entry.changes.size === 0) entries.delete(oldest);
  }
  return made;
}

async function load(entry: Entry): Promise<void> {
  if (entry.loading !== null) {
    entry.isAskedAgain = true;
    return await entry.loading;
  }
  const loading = loadUntilCurrent(entry);
  entry.loading = loading;
  await loading;
}

async function loadUntilCurrent(entry: Entry): Promise<void> {
  do {
    entry.isAskedAgain = false;
    entry.isStale = false;
    await loadOnce(entry);
  } while (entry.isAskedAgain);
  entry.loading = null;
}

async function loadOnce(entry: Entry): Promise<void> {
  const answer = await ask<{ data: TicketDetail }>('GET', `/tickets/${encodeURIComponent(entry.ulid)}?other_tickets=1`);
  if (answer.isOk) {
    entry.loaded = keepUnchanged(entry.loaded, answer.data.data, now());
    entry.loadedAt = now();
    return show(entry);
  }
  const { refusal } = answer;
  entry.isStale = true;
  const isGone = refusal.status === 404 || refusal.status === 403;
  if (entry.loaded === null || isGone) {
    entry.loaded = null;
    entry.state.value = { kind: 'refused', refusal };
  } else show(entry, refusal);
}

function show(entry: Entry, problem: Refusal | null = null): void {
  if (entry.loaded === null) return;
  const ticket: TicketDetail = Object.assign({}, entry.loaded, ...entry.changes);
  entry.state.value = { kind: 'shown', ticket, problem };
}

async function prefetchNext(): Promise<void> {
  if (prefetching >= mostAtOnce) return;
  const ulid = waiting.pop();
  if (ulid === undefined) return;
  prefetching += 1;
  try {
    const entry = entryOf(ulid);
    if (!isFresh(entry)) await load(entry);
  } finally {
    prefetching -= 1;
    void prefetchNext();
  }
}

// What stayed the same in a ticket that was loaded again, so that only what changed is drawn again.

/** Links to files last longer than this, or are taken from the new answer. */
const linkMs = 60_000;

/** The new ticket, with the messages and events of the old one where they say the same. */
export function keepUnchanged(old: TicketDetail | null, fresh: TicketDetail, nowMs: number): TicketDetail {
  if (old === null) return fresh;
  const messages = new Map(old.messages.map((message) => [message.ulid, message]));
  const events = new Map(old.events.map((event) => [event.seq, event]));
  return {
    ...fresh,
    messages: fresh.messages.map((message) => {
      const known = messages.get(message.ulid);
      return known !== undefined && isSameMessage(known, message, nowMs) ? known : message;
    }),
    events: fresh.events.map((event) => {
      const known = events.get(event.seq);
      return known !== undefined && isSameEvent(known, event) ? known : event;
    }),
  };
}

function isSameMessage(old: Message, fresh: Message, nowMs: number): boolean {
  if (old.attachments.some(({ url_expires_at: until }) => Date.parse(until) < nowMs + linkMs)) return false;
  return JSON.stringify(withoutLinks(old)) === JSON.stringify(withoutLinks(fresh));
}

function withoutLinks(message: Message) {
  return {
    ...message,
    html: message.html?.replace(/\?expires=[^"]*/g, '') ?? null,
    attachments: message.attachments.map(({ url: _, url_expires_at: __, ...rest }) => rest),
  };
}

function isSameEvent(old: WireEvent, fresh: WireEvent): boolean {
  return JSON.stringify(old) === JSON.stringify(fresh);
}
