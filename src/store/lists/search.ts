// Searches tickets by words and filters together, starting from what has fewer matches, the words or the candidate rows, and finds every match.

import { type Instant, monotonicMs } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';
import { type CandidatePage, lookUpCandidates, pageOfCandidates } from './candidate-lookup.ts';
import { narrowest } from './candidates.ts';
import { allOf, conditions, isAmong, type Sql, statusesOf, type TicketFilter } from './filter.ts';
import { parseSearch, ticketsOfFoundAuthors } from './full-text.ts';
import {
  inOne,
  inWindows,
  type Key,
  type ListedTicket,
  listed,
  orElse,
  type PageSteps,
  type Source,
  sortKeys,
  type TicketPage,
  windowSize,
} from './page.ts';
import { hasRebuilds } from './search-rebuild.ts';
import { boundsIn, sortedSource } from './source.ts';

export const maxFound = 10_000;
// Looking up and sorting this many hits takes some milliseconds.
const fewFound = 4000;

interface Wanted {
  words: string;
  ofAuthors: number[];
  isCapped: boolean;
}

function wantedOf(tx: Tx, filter: TicketFilter): Wanted | null {
  const search = parseSearch(filter.search ?? '', filter.sites, hasRebuilds(tx));
  if (search === null) return null;
  const { ids, isCapped } =
    search.part === null ? { ids: [], isCapped: false } : ticketsOfFoundAuthors(tx, search.part, filter.sites);
  return { words: search.words, ofAuthors: ids, isCapped };
}

const matching = 'FROM ticket_search WHERE ticket_search MATCH ?';

function isFew(tx: Tx, { words }: Wanted): boolean {
  const found = query<{ total: number }>(tx, `SELECT count(*) AS total FROM (SELECT 1 ${matching} LIMIT ?)`);
  return (found.get(words, fewFound)?.total ?? 0) < fewFound;
}

function filterOf(filter: TicketFilter, now: Instant): Sql {
  return allOf([isAmong('status', statusesOf(filter)), ...conditions(filter, now)]);
}

function hitsOf({ words, ofAuthors }: Wanted): Sql {
  if (ofAuthors.length === 0) return { text: `SELECT rowid AS hit ${matching}`, values: [words] };
  return {
    text: `SELECT rowid AS hit ${matching} UNION SELECT value FROM json_each(?)`,
    values: [words, JSON.stringify(ofAuthors)],
  };
}

/** Hits come in the order of their ids, which is that of created_at unless a clock was wrong. */
function searchKeys({ sort }: Pick<TicketPage, 'sort'>): readonly string[] {
  return sort === 'created_at' ? ['id'] : sortKeys[sort];
}

function searchAfter(page: TicketPage): Key | null {
  if (!('after' in page.from)) return null;
  return page.from.after.slice(sortKeys[page.sort].length - searchKeys(page).length);
}

function fewHits(filter: TicketFilter, wanted: Wanted, page: TicketPage, now: Instant): Sql {
  const hits = hitsOf(wanted);
  const where = filterOf(filter, now);
  const keys = searchKeys(page).map((key) => `tickets.${key}`);
  const after = searchAfter(page);
  const beyond =
    after === null
      ? ''
      : ` AND (${keys.join(', ')}) ${page.direction === 'desc' ? '<' : '>'} (${keys.map(() => '?').join(', ')})`;
  return {
    text: `SELECT ${sortKeys[page.sort].map((key) => `tickets.${key}`).join(', ')} FROM (${hits.text}) AS hits
      CROSS JOIN tickets ON tickets.id = hits.hit WHERE ${where.text}${beyond}
      ORDER BY ${keys.map((key) => `${key} ${page.direction}`).join(', ')} LIMIT ? OFFSET ?`,
    values: [
      ...hits.values,
      ...where.values,
      ...(after ?? []),
      page.limit,
      'offset' in page.from ? page.from.offset : 0,
    ],
  };
}

// So many hits are read in the time in which one ticket is looked up.
const hitsPerLookUp = 40;

function matchingOf(wanted: Wanted) {
  const ofAuthors = new Set(wanted.ofAuthors);
  return (tx: Tx, rows: readonly ListedTicket[]): ListedTicket[] => {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const [least, greatest] = [Math.min(...ids), Math.max(...ids)];
    // Close together, they are found sooner by reading all hits between them than one by one.
    const known =
      greatest - least < ids.length * hitsPerLookUp
        ? query<{ id: number }>(tx, `SELECT rowid AS id ${matching} AND rowid BETWEEN ? AND ?`).all(
            wanted.words,
            least,
            greatest,
          )
        : query<{ id: number }>(
            tx,
            `SELECT value AS id FROM json_each(?) AS asked WHERE EXISTS (SELECT 1 ${matching} AND rowid = asked.value)`,
          ).all(JSON.stringify(ids), wanted.words);
    const hits = new Set(known.map(({ id }) => id));
    return rows.filter(({ id }) => hits.has(id) || ofAuthors.has(id));
  };
}

function searchPageOf(page: TicketPage): CandidatePage {
  const skipped = sortKeys[page.sort].length - searchKeys(page).length;
  return { page, after: searchAfter(page), keyOf: ({ key }) => key.slice(skipped) };
}

function hitSource(filter: TicketFilter, wanted: Wanted, direction: TicketPage['direction'], now: Instant): Source {
  const where = filterOf(filter, now);
  const isDown = direction === 'desc';
  /** Joins the hits between two ids, including hits by author, to their tickets. */
  function hitsIn(after: Key | null, end: Key | null): Sql {
    const [first, last] = [after?.[0], end?.[0]];
    const bounds: Sql[] = [{ text: 'ticket_search MATCH ?', values: [wanted.words] }];
    if (first !== undefined) bounds.push({ text: isDown ? 'rowid < ?' : 'rowid > ?', values: [first] });
    if (last !== undefined) bounds.push({ text: isDown ? 'rowid >= ?' : 'rowid <= ?', values: [last] });
    const { text, values } = allOf(bounds);
    const own = wanted.ofAuthors.filter(
      (id) =>
        (first === undefined || (isDown ? id < first : id > first)) &&
        (last === undefined || (isDown ? id >= last : id <= last)),
    );
    // The index of words on its own is already in this order.
    const hits =
      own.length === 0
        ? { text: `SELECT rowid AS hit FROM ticket_search WHERE ${text}`, values }
        : {
            text: `SELECT rowid AS hit FROM ticket_search WHERE ${text} UNION SELECT value FROM json_each(?)`,
            values: [...values, JSON.stringify(own)],
          };
    return {
      text: `FROM (${hits.text}) AS hits CROSS JOIN tickets ON tickets.id = hits.hit WHERE ${where.text}`,
      values: [...hits.values, ...where.values],
    };
  }
  return {
    endOf(tx, after, size) {
      const first = after?.[0];
      const bound = first === undefined ? '' : isDown ? 'AND rowid < ?' : 'AND rowid > ?';
      const end = query<{ id: number }>(
        tx,
        `SELECT rowid AS id ${matching} ${bound} ORDER BY rowid ${direction} LIMIT 1 OFFSET ?`,
      ).get(wanted.words, ...(first === undefined ? [] : [first]), size - 1);
      return end === null ? null : [end.id];
    },
    count(tx, after, end) {
      const hits = hitsIn(after, end);
      return query<{ total: number }>(tx, `SELECT count(*) AS total ${hits.text}`).get(...hits.values)?.total ?? 0;
    },
    rows(tx, after, end, limit, offset) {
      const hits = hitsIn(after, end);
      return listed(tx, 'created_at', {
        text: `SELECT tickets.created_at, tickets.id ${hits.text} ORDER BY hits.hit ${direction} LIMIT ? OFFSET ?`,
        values: [...hits.values, limit, offset],
      });
    },
  };
}

// So many tickets are looked up among the hits in some milliseconds, wherever they lie.
const mostLookUps = 200;
// More than the window of any list has.
const wholeWindow = 1_000_000;

/** What the words match of a list that is walked in another order. */
function hitsAmong(list: Source, wanted: Wanted): Source {
  const matching = matchingOf(wanted);
  const hitsIn = (tx: Tx, after: Key | null, end: Key | null) =>
    matching(tx, list.rows(tx, after, end, wholeWindow, 0));
  return {
    endOf: list.endOf,
    count: (tx, after, end) => hitsIn(tx, after, end).length,
    rows: (tx, after, end, limit, offset) => hitsIn(tx, after, end).slice(offset, offset + limit),
  };
}

interface Near {
  rows: ListedTicket[];
  /** Null if there may be more. */
  total: number | null;
}

/** A page among the nearest hits, of which there are so many that it is usually whole; null if it is not. */
function nearHits(
  tx: Tx,
  filter: TicketFilter,
  { words, ofAuthors }: Wanted,
  { sort, direction, limit, from }: TicketPage,
  now: Instant,
): Near | null {
  if (sort !== 'created_at' || ('offset' in from && from.offset > 0)) return null;
  const isDown = direction === 'desc';
  const after = 'after' in from ? (from.after.at(-1) ?? 0) : isDown ? Number.MAX_SAFE_INTEGER : 0;
  const isAfter = (id: number, other: number) => (isDown ? id < other : id > other);
  const most = 2 * limit + 32;
  const hits = query<{ id: number }>(
    tx,
    `SELECT rowid AS id ${matching} AND rowid ${isDown ? '<' : '>'} ? ORDER BY rowid ${direction} LIMIT ?`,
  ).all(words, after, most);
  const last = hits.length < most ? undefined : hits.at(-1)?.id;
  const own = ofAuthors.filter((id) => isAfter(id, after) && (last === undefined || !isAfter(id, last)));
  const ids = new Set([...hits.map(({ id }) => id), ...own]);
  const where = filterOf(filter, now);
  const rows = listed(tx, sort, {
    text: `SELECT tickets.created_at, tickets.id FROM json_each(?) AS hits CROSS JOIN tickets ON tickets.id = hits.value
      WHERE ${where.text} ORDER BY tickets.id ${direction}`,
    values: [JSON.stringify([...ids]), ...where.values],
  });
  if (last !== undefined && rows.length < limit) return null;
  return { rows: rows.slice(0, limit), total: last === undefined && 'offset' in from ? rows.length : null };
}

export function searchSteps(tx: Tx, filter: TicketFilter, page: TicketPage, now: Instant): PageSteps {
  const wanted = wantedOf(tx, filter);
  if (wanted === null) return inOne(() => []);
  const near = nearHits(tx, filter, wanted, page, now);
  if (near !== null) return { ...inOne(() => near.rows), total: () => (wanted.isCapped ? null : near.total) };
  if (isFew(tx, wanted)) return inOne((tx) => listed(tx, page.sort, fewHits(filter, wanted, page, now)));
  const after = searchAfter(page);
  const isByCreation = page.sort === 'created_at';
  const walked = isByCreation
    ? inWindows(hitSource(filter, wanted, page.direction, now), after ? { ...page, from: { after } } : page)
    : inWindows(
        hitsAmong(sortedSource(filter, page.sort, page.direction, now, boundsIn(tx, filter, page.sort)), wanted),
        page,
        mostLookUps,
        mostLookUps,
      );
  const candidates = narrowest(tx, filter, now);
  if (candidates === null) return walked;
  const enough = page.limit + ('offset' in page.from ? page.from.offset : 0);
  const until = isByCreation ? { direction: page.direction, enough, after: after?.[0] ?? null } : null;
  const lookup = pageOfCandidates(
    lookUpCandidates(filter, candidates, page.sort, now, matchingOf(wanted), until),
    searchPageOf(page),
  );
  return candidates.isFew ? lookup : orElse(walked, lookup);
}

export interface CountSteps {
  step(tx: Tx): boolean;
  total(): number;
  isCapped(): boolean;
}

export function countSearch(tx: Tx, filter: TicketFilter, now: Instant): CountSteps {
  const wanted = wantedOf(tx, filter);
  if (wanted === null) return { step: () => true, total: () => 0, isCapped: () => false };
  if (isFew(tx, wanted)) {
    let total = 0;
    return {
      step(tx) {
        const hits = hitsOf(wanted);
        const where = filterOf(filter, now);
        const text = `SELECT count(*) AS total FROM (${hits.text}) AS hits CROSS JOIN tickets ON tickets.id = hits.hit WHERE ${where.text}`;
        total = query<{ total: number }>(tx, text).get(...hits.values, ...where.values)?.total ?? 0;
        return true;
      },
      total: () => total,
      isCapped: () => wanted.isCapped,
    };
  }
  const candidates = narrowest(tx, filter, now);
  if (candidates !== null) {
    const lookup = lookUpCandidates(filter, candidates, 'created_at', now, matchingOf(wanted));
    return { step: lookup.step, total: () => lookup.found.length, isCapped: () => wanted.isCapped };
  }
  const source = hitSource(filter, wanted, 'desc', now);
  const window = windowSize(500);
  let total = 0;
  let after: Key | null = null;
  let isCapped = wanted.isCapped;
  return {
    step(tx) {
      const startedAt = monotonicMs();
      const end = source.endOf(tx, after, window.size());
      total += source.count(tx, after, end);
      after = end;
      window.took(monotonicMs() - startedAt);
      if (end !== null && total < maxFound) return false;
      isCapped ||= end !== null;
      return true;
    },
    total: () => total,
    isCapped: () => isCapped,
  };
}
