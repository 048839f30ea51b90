// Authors in lists, newest first, with how many tickets they have.

import type { Scope } from '../../domain/actor.ts';
import { ticketStatuses } from '../../domain/tickets/ticket.ts';
import { query, type Tx } from '../../engine/database.ts';
import { parseSearch } from '../lists/full-text.ts';
import { hasRebuilds } from '../lists/search-rebuild.ts';
import { isOfSites, sitesToMerge } from '../scope.ts';
import { hasAddress } from './author-address.ts';

interface Found {
  ids: number[];
  total: number;
  isCapped: boolean;
}

const mostListed = 10_000;
const mostFound = 1000;
// Of hits in the index of addresses and names, each of which may be of a site that is not asked for.
const hitsOfLook = 2000;
const mostLooks = 5;
// When those were mostly of other sites: the newest authors of these sites, whose rows are read.
const mostRead = 3000;

type Row = { id: number };

/** Those who were not erased. */
export function listAuthors(tx: Tx, sites: Scope, limit: number, offset: number): Found {
  const merged = sitesToMerge(sites);
  const ofSite = 'FROM authors INDEXED BY authors_by_site WHERE site_id = ? AND anonymised_at IS NULL';
  const { text, values } = isOfSites(sites) ?? { text: 'TRUE', values: [] };
  const total =
    query<{ total: number }>(
      tx,
      `SELECT count(*) AS total FROM (SELECT 1 FROM authors INDEXED BY authors_by_site
         WHERE anonymised_at IS NULL AND ${text} LIMIT ?)`,
    ).get(...values, mostListed + 1)?.total ?? 0;
  const found = { total: Math.min(total, mostListed), isCapped: total > mostListed };
  if (offset >= found.total) return { ...found, ids: [] };
  const rows =
    merged === null
      ? query<Row>(
          tx,
          `SELECT id FROM authors NOT INDEXED WHERE anonymised_at IS NULL AND ${text} ORDER BY id DESC LIMIT ? OFFSET ?`,
        ).all(...values, limit, offset)
      : query<Row>(
          tx,
          `${merged.map(() => `SELECT * FROM (SELECT id ${ofSite} ORDER BY id DESC LIMIT ?)`).join(' UNION ALL ')}
           ORDER BY id DESC LIMIT ? OFFSET ?`,
        ).all(...merged.flatMap((site) => [site, offset + limit]), limit, offset);
  return { ...found, ids: rows.map(({ id }) => id) };
}

type Pass = (ids: readonly Row[]) => number[];

/** By any part of the address or name. */
function findByPart(tx: Tx, part: string, pass: Pass, enough: number): { ids: number[]; isCapped: boolean } {
  const hits = query<Row>(
    tx,
    'SELECT rowid AS id FROM author_search WHERE author_search MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?',
  );
  const ids: number[] = [];
  let before = Number.MAX_SAFE_INTEGER;
  for (let look = 0; look < mostLooks; look += 1) {
    const some = hits.all(part, before, hitsOfLook);
    ids.push(...pass(some));
    if (some.length < hitsOfLook) return { ids, isCapped: false };
    if (ids.length > enough) break;
    before = some.at(-1)?.id ?? 0;
  }
  return { ids, isCapped: true };
}

function findByBeginning(tx: Tx, text: string, pass: Pass): { ids: number[]; isCapped: boolean } {
  const hits = query<Row>(
    tx,
    `SELECT id FROM authors WHERE ${hasAddress('email >= ?1 AND email < ?1 || char(1114111)')} LIMIT ?2`,
  ).all(text, hitsOfLook);
  return { ids: pass(hits), isCapped: hits.length === hitsOfLook };
}

function findAmongNewest(tx: Tx, text: string, sites: readonly number[]): number[] {
  const newest = query<Row>(
    tx,
    `SELECT id FROM (
       SELECT id, email, name FROM authors INDEXED BY authors_by_site
       WHERE site_id = ? AND anonymised_at IS NULL ORDER BY id DESC LIMIT ?)
     WHERE instr(lower(email || ' ' || coalesce(name, '')), ?) > 0`,
  );
  return sites.flatMap((site) => newest.all(site, Math.ceil(mostRead / sites.length), text).map(({ id }) => id));
}

/** By a part of the address or name, by the beginning of the address, or by the whole external id. */
export function findAuthors(tx: Tx, typed: string, sites: Scope, limit: number, offset: number): Found {
  const { text: ofSites, values } = isOfSites(sites) ?? { text: 'TRUE', values: [] };
  const seen = query<Row>(
    tx,
    `SELECT id FROM authors WHERE id IN (SELECT value FROM json_each(?)) AND anonymised_at IS NULL AND ${ofSites}`,
  );
  const pass: Pass = (rows) => seen.all(JSON.stringify(rows.map(({ id }) => id)), ...values).map(({ id }) => id);
  const named = query<Row>(
    tx,
    'SELECT id FROM authors INDEXED BY authors_by_bare_external_id WHERE external_id = ? LIMIT ?',
  ).all(typed.trim(), mostFound);
  const text = typed.trim().normalize('NFC').toLowerCase();
  const part = parseSearch(typed, sites, hasRebuilds(tx))?.part ?? null;
  const found = part === null ? findByBeginning(tx, text, pass) : findByPart(tx, part, pass, mostFound);
  const isThin = found.isCapped && found.ids.length <= mostFound;
  const also = isThin ? findAmongNewest(tx, text, sitesToMerge(sites) ?? []) : [];
  const ids = [...new Set([...found.ids, ...pass(named), ...also])].sort((one, other) => other - one);
  return {
    ids: ids.slice(0, mostFound).slice(offset, offset + limit),
    total: Math.min(ids.length, mostFound),
    isCapped: found.isCapped || ids.length > mostFound,
  };
}

const mostTicketsCounted = 1000;
const shown = 'author_id = ? AND is_test = 0 AND is_spam = 0';

/** Of what lists show: without tests and spam. */
export function ticketFiguresOf(tx: Tx, authorId: number): { total: number; unsolved: number; lastAt: number | null } {
  const count = query<{ total: number }>(
    tx,
    `SELECT count(*) AS total FROM (
       SELECT 1 FROM tickets INDEXED BY tickets_by_author WHERE ${shown} AND status IN (SELECT value FROM json_each(?)) LIMIT ?)`,
  );
  const countOf = (statuses: readonly string[]) =>
    count.get(authorId, JSON.stringify(statuses), mostTicketsCounted)?.total ?? 0;
  const unsolved = countOf(['open', 'pending']);
  return {
    total: Math.min(mostTicketsCounted, unsolved + countOf(['resolved', 'closed'])),
    unsolved,
    lastAt: newestOf(tx, authorId, 1)[0]?.createdAt ?? null,
  };
}

export function newestTicketIdsOf(tx: Tx, authorId: number, limit: number): number[] {
  return newestOf(tx, authorId, limit).map(({ id }) => id);
}

function newestOf(tx: Tx, authorId: number, limit: number): { id: number; createdAt: number }[] {
  const ofStatus = `SELECT * FROM (SELECT id, created_at AS createdAt FROM tickets INDEXED BY tickets_by_author
    WHERE ${shown} AND status = ? ORDER BY created_at DESC, id DESC LIMIT ?)`;
  return query<{ id: number; createdAt: number }>(
    tx,
    `${ticketStatuses.map(() => ofStatus).join(' UNION ALL ')} ORDER BY createdAt DESC, id DESC LIMIT ?`,
  ).all(...ticketStatuses.flatMap((status) => [authorId, status, limit]), limit);
}
