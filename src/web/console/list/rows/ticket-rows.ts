// The rows of a ticket list: loaded as they come into view, and dropped far from it.

import { type ReadonlySignal, signal } from '@preact/signals';
import { type Answer, type Refusal, requestsLeft } from '../../../shared/api.ts';
import { now } from '../../../shared/clock.ts';
import type { Ticket } from '../../wire.ts';
import { createLoadedRows, type LoadedRows } from './loaded-rows.ts';

export interface ListPage {
  data: Ticket[];
  meta: { total: number; is_capped: boolean; next_cursor: string | null; newest_seq: number };
}

/** From the first row, or from the row behind that of a cursor. Pages count from 1. */
export type Place = { page: number } | { cursor: string };
type FetchPage = (place: Place) => Promise<Answer<ListPage>>;

export const rowsPerPage = 100;
const mostAtOnce = 4;
const mostInView = 6;
/** At the pace of the scrolling, so many calls of `show` ahead. */
const aheadCalls = 24;
const mostAhead = 600;
const keptAround = mostAhead + rowsPerPage;
/** From so many rows a call, those in view can be gone again when they arrive. */
const fastRows = 5;

export interface TicketRows extends Pick<LoadedRows, 'rowOf' | 'byId' | 'count' | 'tags'> {
  /** Null until the first answer. */
  total: ReadonlySignal<number | null>;
  /** There may be more than `total`. */
  isCapped: ReadonlySignal<boolean>;
  refusal: ReadonlySignal<Refusal | null>;
  /** Another number after each change of a row. */
  version: ReadonlySignal<number>;
  at(row: number): Ticket | null;
  /** Loads what is missing of these rows and around them. */
  show(first: number, end: number): void;
  put(ticket: Ticket): void;
  remove(ulids: readonly string[]): void;
  /** Puts a removed one back. */
  insert(row: number, ticket: Ticket): void;
  /** The desk has this many rows before the first one, which are announced and not shown. */
  hide(count: number): void;
  /** Keeps the rows on screen until the new ones are there. */
  reload(first?: number): Promise<void>;
}

interface Stretch {
  first: number;
  end: number;
  count: number;
}

interface Load {
  at: number;
  place: Place;
}

/** @param left how many requests the desk still allows */
export function createTicketRows(fetchPage: FetchPage, perPage = rowsPerPage, left = requestsLeft): TicketRows {
  const rows = createLoadedRows();
  let loads: Load[] = [];
  let wanted = { first: 0, end: perPage };
  let generation = 0;
  let hidden = 0;
  const pace = createScrollPace(() => fill(), left);
  const total = signal<number | null>(null);
  const isCapped = signal(false);
  const refusal = signal<Refusal | null>(null);
  const version = signal(0);

  const isMissing = (row: number) =>
    rows.at(row) === undefined && !loads.some(({ at }) => row >= at && row < at + perPage);

  const inList = () => within(wanted, total.peek() ?? perPage);

  function fill(): void {
    const may = pace.mayLoad();
    if (may === 'nothing') return;
    while (refusal.peek() === null) {
      const { inView, around } = rowsWanted(inList(), pace.rowsAMove(), perPage);
      // What is in view never waits for what was in view before.
      const isFull = inView.every((row) => rows.at(row) !== undefined);
      const missing = loads.length < mostInView ? inView.find(isMissing) : undefined;
      // Fast scrolling that waited for what is in view would never catch up again.
      const isPressing = isFull || Math.abs(pace.rowsAMove()) >= fastRows;
      const mayLookAhead = may === 'everything' && isPressing && loads.length < mostAtOnce;
      const row = missing ?? (mayLookAhead ? around.find(isMissing) : undefined);
      if (row === undefined) return;
      void follow(loadFor(row, rows, hidden, perPage));
    }
  }

  async function follow(load: Load): Promise<void> {
    const begun = generation;
    loads.push(load);
    const answer = await fetchPage(load.place);
    if (begun !== generation) return;
    loads = loads.filter((one) => one !== load);
    if (answer.isOk) keep(load.at, answer.data);
    else refuse(answer.refusal);
    fill();
  }

  function refuse(reason: Refusal): void {
    refusal.value = reason;
    whenDue(reason, () => {
      if (refusal.peek() !== reason) return;
      refusal.value = null;
      fill();
    });
  }

  function keep(at: number, { data, meta }: ListPage): void {
    rows.add(at, data, meta.next_cursor);
    const end = at + data.length;
    // The rows themselves know better than a count that was cut short or is some seconds old.
    total.value = meta.next_cursor === null ? Math.max(0, end) : Math.max(meta.total - hidden, end + 1);
    isCapped.value = meta.is_capped && meta.next_cursor !== null;
    rows.keepOnly(inList().first - keptAround, inList().end + keptAround);
    version.value += 1;
  }

  return {
    ...rows,
    total,
    isCapped,
    refusal,
    version,
    at: (row) => rows.at(row) ?? null,
    show(first, end) {
      pace.move(first - wanted.first);
      wanted = { first, end };
      rows.keepOnly(inList().first - keptAround, inList().end + keptAround);
      fill();
    },
    put(ticket) {
      if (rows.put(ticket)) version.value += 1;
    },
    remove(ulids) {
      const gone = rows.remove(ulids);
      if (gone === 0) return;
      total.value = Math.max(0, (total.peek() ?? 0) - gone);
      version.value += 1;
      fill();
    },
    insert(row, ticket) {
      rows.insert(row, ticket);
      total.value = (total.peek() ?? 0) + 1;
      version.value += 1;
    },
    hide(count) {
      hidden = count;
    },
    async reload(first = wanted.first) {
      generation += 1;
      const begun = generation;
      loads = [];
      const page = Math.floor(first / perPage);
      const isSplit = first > page * perPage && total.peek() !== null;
      const answers = await Promise.all(
        [page, ...(isSplit ? [page + 1] : [])].map((one) => fetchPage({ page: one + 1 })),
      );
      if (begun !== generation) return;
      const refused = answers.find((answer) => !answer.isOk);
      refusal.value = refused !== undefined && !refused.isOk ? refused.refusal : null;
      if (refusal.peek() !== null) return;
      const pages = answers.map((answer) => answer.isOk && { ...answer.data, data: answer.data.data.map(rows.newest) });
      rows.clear();
      hidden = 0;
      wanted = { first, end: first + (wanted.end - wanted.first) };
      pages.forEach((found, index) => {
        if (found) keep((page + index) * perPage, found);
      });
      fill();
    },
  };
}

/** Goes on by itself if the desk has said when it will answer again. */
function whenDue({ retryAfterSeconds }: Refusal, act: () => void): void {
  if (retryAfterSeconds !== null) setTimeout(act, retryAfterSeconds * 1000);
}

/** The wanted rows, which can lie behind the end of a list that became shorter. */
function within({ first, end }: { first: number; end: number }, count: number): Stretch {
  return { first: Math.min(first, count), end: Math.min(end, count), count };
}

/** Where a cursor leads on from the row before, it is safe from tickets that came or went meanwhile. */
function loadFor(row: number, rows: LoadedRows, hidden: number, perPage: number): Load {
  const cursor = rows.cursorAt(row);
  if (cursor !== undefined) return { at: row, place: { cursor } };
  const page = Math.floor((row + hidden) / perPage);
  return { at: page * perPage - hidden, place: { page: page + 1 } };
}

/** The rows in view, and those that scrolling leads to, the likeliest first. */
function rowsWanted({ first, end, count }: Stretch, pace: number, perPage: number) {
  const ahead = Math.max(-mostAhead, Math.min(mostAhead, Math.round(pace * aheadCalls)));
  const last = Math.min(end + Math.max(perPage, ahead), count);
  const before = Math.max(0, first - Math.max(perPage, -ahead));
  const up = Array.from({ length: first - before }, (_, at) => first - 1 - at);
  const down = Array.from({ length: Math.max(0, last - end) }, (_, at) => end + at);
  const inView = Array.from({ length: end - first }, (_, at) => first + at);
  return { inView, around: pace < 0 ? [...up, ...down] : [...down, ...up] };
}

// How fast the list is moved, and what may be loaded meanwhile: the agent needs requests for more than scrolling.

/** A longer way between two moves is no scrolling. */
const jumpRows = 500;
/** After a jump, or with few requests left, more is loaded only when the list rests. */
const restMs = 150;
const fewRequests = 150;

interface ScrollPace {
  move(rows: number): void;
  /** Rows a move; negative upwards. */
  rowsAMove(): number;
  /** When it is less than everything, `onRest` follows. */
  mayLoad(): 'nothing' | 'view' | 'everything';
}

function createScrollPace(onRest: () => void, requestsLeft: () => number): ScrollPace {
  let pace = 0;
  let movedAt = Number.NEGATIVE_INFINITY;
  let isJumping = false;
  let resting: ReturnType<typeof setTimeout> | undefined;

  return {
    move(rows) {
      if (rows === 0) return;
      isJumping = Math.abs(rows) > jumpRows;
      // A jump says nothing about what comes next.
      pace = isJumping ? 0 : pace * 0.6 + rows * 0.4;
      movedAt = now();
    },
    rowsAMove: () => pace,
    mayLoad() {
      const isSparing = requestsLeft() < fewRequests;
      const isResting = now() - movedAt >= restMs;
      if (!isResting && (isSparing || isJumping)) {
        clearTimeout(resting);
        resting = setTimeout(onRest, restMs);
        return isSparing ? 'nothing' : 'view';
      }
      return isSparing ? 'view' : 'everything';
    },
  };
}
