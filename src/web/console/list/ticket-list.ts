// The list that is open: its rows, the row that the keyboard is on, what is selected, and what is new.

import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { ask } from '../../shared/signed-in.ts';
import { prefetch } from '../tickets/cache.ts';
import type { Ticket } from '../wire.ts';
import { createDepartures } from './bulk/departures.ts';
import { nothingSelected, type Selection, toggled, without, withRange } from './bulk/selection.ts';
import { createTicketRows, type ListPage, type Place, rowsPerPage, type TicketRows } from './rows/ticket-rows.ts';
import type { ListSource } from './source.ts';

export interface TicketList {
  source: ListSource;
  query: string;
  rows: TicketRows;
  /** The row of the keyboard. */
  active: ReadonlySignal<number>;
  selection: Signal<Selection>;
  /** The row of the keyboard shows a ticket that is no longer in the list. */
  staying: ReadonlySignal<string | null>;
  /** How many tickets the desk has for this list before those that are shown. */
  newTickets: Signal<number>;
  /** The first row in view. */
  firstRow: number;
  /** Another number when the list is to be shown from its beginning. */
  jumps: Signal<number>;
  moveTo(row: number): void;
  activeTicket(): Ticket | null;
  toggle(row: number): void;
  extendTo(row: number): Promise<void>;
  /** Takes a change into the row, and the row out of the list if it no longer belongs there. */
  change(ulid: string, fields: Partial<Ticket>): void;
  neighbours(ulid: string): { previous: string | null; next: string | null };
  refresh(): Promise<void>;
  /** Loads what is shown again. The keyboard stays on its ticket. */
  reload(): Promise<void>;
  countNewTickets(): Promise<void>;
  showNewTickets(): Promise<void>;
  /** Asks for one row again, whatever list it belongs to now. */
  reloadRow(ulid: string): Promise<void>;
}

export const openList: Signal<TicketList | null> = signal(null);

/** What is around the cursor is asked for when the cursor rests, not while a key is held. */
const restMs = 120;
const mostRange = 1000;
/** More new tickets than this are not counted. */
export const newTicketsPerPage = 50;

export function createList(source: ListSource, query: string, agentId: number): TicketList {
  /** Of the first page, so that its tickets are not taken for new ones when they are far out of view. */
  let known = new Set<string>();
  const rows = createTicketRows(async (place) => {
    const answer = await fetchPage(query, place);
    if (answer.isOk && 'page' in place && place.page === 1) known = new Set(answer.data.data.map(({ ulid }) => ulid));
    return answer;
  });
  const jumps = signal(0);
  const active = signal(0);
  const selection = signal<Selection>(nothingSelected);
  const newTickets = signal(0);
  let activeUlid: string | null = null;
  let resting: ReturnType<typeof setTimeout> | undefined;
  const current = () => activeUlid ?? rows.at(active.peek())?.ulid ?? null;
  /** The row keeps the piece in which its words were found; answers about one ticket have its newest message. */
  const isSearch = new URLSearchParams(query).has('q');
  const departures = createDepartures(rows, source.filter, agentId, (ulid) => ulid === current());

  const within = (row: number) => Math.max(0, Math.min(row, (rows.total.peek() ?? 1) - 1));

  function moveTo(wanted: number): void {
    let row = within(wanted);
    const isMove = row !== wanted || rows.at(row)?.ulid !== current();
    const gone = isMove ? departures.release() : null;
    if (gone !== null) row = within(gone < row ? row - 1 : row);
    active.value = row;
    activeUlid = rows.at(row)?.ulid ?? null;
    clearTimeout(resting);
    resting = setTimeout(() => prefetchAround(active.peek()), restMs);
  }

  function prefetchAround(row: number): void {
    for (const one of [row - 1, row + 1, row]) {
      const ticket = rows.at(one);
      if (ticket !== null) prefetch(ticket.ulid);
    }
  }

  /** After rows came or went, the keyboard stays on its ticket, or on what took its place. */
  function followActive(): void {
    const row = activeUlid === null ? null : rows.rowOf(activeUlid);
    moveTo(row ?? active.peek());
  }

  async function refresh(first?: number): Promise<void> {
    newTickets.value = 0;
    departures.clear();
    await rows.reload(first);
    followActive();
  }

  return {
    source,
    query,
    rows,
    active,
    staying: departures.staying,
    selection,
    newTickets,
    firstRow: 0,
    jumps,
    moveTo,
    activeTicket: () => rows.at(active.peek()),
    toggle(row) {
      const ticket = rows.at(row);
      if (ticket !== null) selection.value = toggled(selection.peek(), ticket.ulid, row);
    },
    async extendTo(row) {
      const anchor = selection.peek().anchor ?? active.peek();
      selection.value = withRange(selection.peek(), anchor, await ulidsBetween(rows, query, anchor, row));
    },
    change(ulid, fields) {
      const { snippet: _, ...others } = fields;
      const moved = departures.change(ulid, isSearch ? others : fields);
      if (moved === 'left') selection.value = without(selection.peek(), [ulid]);
      if (moved !== null) followActive();
    },
    neighbours(ulid) {
      const row = rows.rowOf(ulid);
      // What left has its place taken by the next one.
      const next = row === null ? departures.rowOf(ulid) : row + 1;
      if (next === null) return { previous: null, next: null };
      const previous = row === null ? next - 1 : row - 1;
      return { previous: rows.at(previous)?.ulid ?? null, next: rows.at(next)?.ulid ?? null };
    },
    refresh: () => refresh(),
    async reload() {
      const row = active.peek();
      const ticket = rows.at(row);
      await rows.reload();
      if (ticket !== null && ticket.ulid === current()) departures.stay(row, ticket);
      followActive();
    },
    async countNewTickets() {
      if (rows.total.peek() === 0) return await refresh();
      const answer = await fetchPage(query, { page: 1 }, newTicketsPerPage);
      if (!answer.isOk) return;
      const isNew = ({ ulid }: Ticket) =>
        !known.has(ulid) && departures.rowOf(ulid) === null && rows.rowOf(ulid) === null;
      newTickets.value = answer.data.data.filter(isNew).length;
      rows.hide(newTickets.peek());
    },
    async showNewTickets() {
      await refresh(0);
      jumps.value += 1;
      moveTo(0);
    },
    async reloadRow(ulid) {
      const before = rows.rowOf(ulid);
      const answer = await fetchPage(`q=${ulid}&include_test=1`, { page: 1 });
      if (before === null || !answer.isOk) return;
      const [ticket] = answer.data.data;
      const shown = rows.at(rows.rowOf(ulid) ?? -1);
      if (ticket !== undefined) rows.put(isSearch && shown !== null ? { ...ticket, snippet: shown.snippet } : ticket);
      // Lists leave out spam, so it is that.
      else if (shown !== null) rows.put({ ...shown, is_spam: true });
      departures.look();
    },
  };
}

export async function fetchPage(query: string, place: Place, perPage = rowsPerPage) {
  const page = new URLSearchParams({ per_page: String(perPage) });
  if ('page' in place) page.set('page', String(place.page));
  else page.set('cursor', place.cursor);
  return await ask<ListPage>('GET', `/tickets?${query}&${page}`);
}

/** Of the rows in memory, or from the desk if some of them are not. */
async function ulidsBetween(rows: TicketRows, query: string, anchor: number, row: number): Promise<string[]> {
  const from = Math.min(anchor, row);
  const to = Math.min(Math.max(anchor, row), from + mostRange);
  const known = Array.from({ length: to - from + 1 }, (_, at) => rows.at(from + at)?.ulid ?? null);
  if (known.every((ulid) => ulid !== null)) return known;
  const pages: string[][] = [];
  for (let page = Math.floor(from / rowsPerPage); page * rowsPerPage <= to; page += 1) {
    const answer = await fetchPage(query, { page: page + 1 });
    if (!answer.isOk) break;
    const first = page * rowsPerPage;
    pages.push(answer.data.data.filter((_, at) => first + at >= from && first + at <= to).map(({ ulid }) => ulid));
  }
  return pages.flat();
}

/** The tickets before and after one in the open list. */
export function neighbours(ulid: string): { previous: string | null; next: string | null } {
  return openList.peek()?.neighbours(ulid) ?? { previous: null, next: null };
}
