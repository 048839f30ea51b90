// Full-text search: what is indexed of a ticket, and how typed words become a query.

import type { Scope } from '../../domain/actor.ts';
import { isAscii, searchForm } from '../../domain/lists/search-form.ts';
import { query, type Tx } from '../../engine/database.ts';
import { isOfSites } from '../scope.ts';
import type { Ticket } from '../tickets/tickets.ts';

// Scripts written without spaces: each character with its marks becomes a word, so that any run of them is found as a phrase.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*/gu;
const mayBeUnspaced = /[\u0e00-\uffff]/;

function spaced(text: string): string {
  return mayBeUnspaced.test(text) ? text.replace(unspaced, ' $& ') : text;
}

/** SQLite takes a mark for the end of a word. As letters of private use they belong to it. */
const withLetters = (text: string) =>
  text.replace(/\p{M}/gu, (mark) => String.fromCharCode(firstPrivate + ((mark.codePointAt(0) ?? 0) % privateLetters)));
const firstPrivate = 0xe000;
const privateLetters = 6400;

/** Every tail of a number: a prefix search on them finds any part of it. */
function tails(id: number): string {
  const digits = String(id);
  return Array.from(digits, (_, at) => digits.slice(at)).join(' ');
}

// The whole thread is indexed again with every message; text beyond this length is not found.
export const maxIndexedCharacters = 250_000;

function scopeWord(siteId: number): string {
  return `site${siteId}`;
}

/** A column of the index as it is written. A character can become eighteen. */
export function indexed(text: string): string {
  const form = searchForm(text);
  return withLetters(spaced(form.length > maxIndexedCharacters ? form.slice(-maxIndexedCharacters) : form));
}

/** What is indexed of a ticket, by column. */
export function textsOfTicket(
  { id, siteId, subject }: Pick<Ticket, 'id' | 'siteId' | 'subject'>,
  author: { name: string | null; email: string } | undefined,
  bodies: readonly string[],
): string[] {
  let body = bodies.join('\n');
  if (body.length > maxIndexedCharacters) body = body.slice(-maxIndexedCharacters);
  return [scopeWord(siteId), tails(id), subject, `${author?.name ?? ''} ${author?.email ?? ''}`, body];
}

interface SearchQuery {
  words: string;
  /** For `author_search MATCH`: any part of an e-mail address or a name; null if too short. */
  part: string | null;
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

const anyOf = (words: readonly string[]) => (words.length === 1 ? words.join() : `(${words.join(' OR ')})`);

const mostTerms = 16;
/** In words of the index: SQLite compares each at every match, and two hundred Chinese characters are as many words. */
const mostTokens = 24;
/** Of one word in the whole search: SQLite reads all places of the word for each. */
const mostRepeats = 5;

/** Null if the words in `repeats`, to which it adds its own, are enough. */
function searched(text: string, most: number, repeats: Map<string, number>): { part: string; used: number } | null {
  let used = 0;
  let start = 0;
  let end = 0;
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}\p{M}\p{Co}]+/gu)) {
    const times = (repeats.get(word) ?? 0) + 1;
    const isEnough = times > mostRepeats;
    if (used > 0 && (isEnough || used === most)) return { part: text.slice(start, end), used };
    end = index + word.length;
    if (isEnough) start = end;
    else {
      repeats.set(word, times);
      used += 1;
    }
  }
  return used === 0 ? null : { part: text.slice(start), used };
}

/** The words and "phrases" of typed text in its form for searches. */
function termsOf(text: string): { term: string; isExcluded: boolean }[] {
  const asked = Array.from(text.matchAll(/(-?)(?:"([^"]*)"|([^\s-]\S*|\S+))/g), ([, sign, phrase, word = '']) => ({
    term: phrase ?? word,
    isExcluded: sign === '-',
  })).filter(({ term }) => /[\p{L}\p{N}]/u.test(term));
  return [...new Map(asked.map((one) => [`${one.isExcluded} ${one.term}`, one])).values()].slice(0, mostTerms);
}

/** The words and phrases that a text must have to be found. */
export function wantedTerms(typed: string): string[] {
  return termsOf(searchForm(typed.toWellFormed())).flatMap(({ term, isExcluded }) => (isExcluded ? [] : [term]));
}

/** The queries of a text in one form. */
interface Asked {
  found: string;
  excluded: string[];
  part: string | null;
}

/** @param inIndex how the index has a word of this form */
function asked(text: string, inIndex: (term: string) => string): Asked[] {
  const terms = termsOf(text);
  const isNarrowed = terms.some(({ isExcluded }) => isExcluded);
  let left = mostTokens - terms.length;
  const repeats = new Map<string, number>();
  const queries = terms.flatMap(({ term, isExcluded }) => {
    const found = searched(inIndex(term), 1 + left, repeats);
    if (found === null) return [];
    left -= found.used - 1;
    const phrase = `{subject author body} : ${quoted(found.part)}`;
    const number = /^#?(\d{1,15})$/.exec(term)?.[1];
    if (number === undefined || isExcluded) return [{ text: `(${phrase})`, isExcluded }];
    const reference = number.length >= 3 ? `reference : ${quoted(number)} *` : `reference : ^ ${quoted(number)}`;
    return [{ text: `((${phrase}) OR (${reference}))`, isExcluded }];
  });
  const textsOf = (wanted: boolean) => queries.filter((one) => one.isExcluded === wanted).map(({ text: one }) => one);
  const words = textsOf(false);
  const whole = text.replaceAll('"', ' ').trim();
  // A part of an address or name says nothing of the words of a ticket.
  const part = !isNarrowed && Array.from(whole).length >= 3 ? quoted(whole) : null;
  return words.length === 0 ? [] : [{ found: `(${words.join(' AND ')})`, excluded: textsOf(true), part }];
}

/**
 * Turns typed text into queries; null if it has no word to find, or there is no site to search. Every word and every "phrase"
 * must occur, and none that has a minus in front.
 * @param isRebuilding some documents are in the form of an older version, in which letters were as they were written
 */
export function parseSearch(typed: string, sites: Scope, isRebuilding = false): SearchQuery | null {
  // SQLite would end the query at a NUL, inside its quotes.
  const text = typed.toWellFormed().replaceAll('\0', ' ');
  const forms = asked(searchForm(text), (term) => withLetters(spaced(term)));
  if (isRebuilding && !isAscii(text)) forms.push(...asked(text.toLowerCase(), spaced));
  if (forms.length === 0 || sites.length === 0) return null;
  const parts = forms.flatMap(({ part }) => part ?? []);
  const excluded = forms.flatMap((form) => form.excluded);
  const scope = sites === 'all' ? '' : `(scope : ${anyOf(sites.map((id) => quoted(scopeWord(id))))}) AND `;
  const found = scope + anyOf(forms.map((form) => form.found));
  return {
    words: excluded.length === 0 ? found : `(${found}) NOT (${excluded.join(' OR ')})`,
    part: parts.length === 0 ? null : anyOf(parts),
  };
}

// For a text that is part of most addresses: the newest of these authors, and of their tickets.
const maxAuthorsFound = 1000;
const maxAuthorsLooked = 20_000;
const maxOfAuthors = 4000;

/** The tickets of authors whose address or name contains this text, and whether there may be more. */
export function ticketsOfFoundAuthors(tx: Tx, part: string, sites: Scope): { ids: number[]; isCapped: boolean } {
  const hits = `SELECT rowid AS hit FROM author_search WHERE author_search MATCH ? ORDER BY rowid DESC LIMIT ?`;
  const ofSites = isOfSites(sites, 'authors.site_id');
  const site = ofSites === null ? '' : `CROSS JOIN authors ON authors.id = hit WHERE ${ofSites.text}`;
  const authors = query<{ hit: number }>(tx, `SELECT hit FROM (${hits}) ${site} LIMIT ?`)
    .all(part, maxAuthorsLooked, ...(ofSites?.values ?? []), maxAuthorsFound + 1)
    .map(({ hit }) => hit);
  if (authors.length === 0 && sites === 'all') return { ids: [], isCapped: false };
  const looked = query<{ total: number }>(tx, `SELECT count(*) AS total FROM (${hits})`).get(part, maxAuthorsLooked);
  const ids = query<{ id: number }>(
    tx,
    `SELECT id FROM tickets INDEXED BY tickets_by_author WHERE author_id IN (SELECT value FROM json_each(?))
     ORDER BY id DESC LIMIT ?`,
  )
    .all(JSON.stringify(authors.slice(0, maxAuthorsFound)), maxOfAuthors + 1)
    .map(({ id }) => id);
  return {
    ids: ids.slice(0, maxOfAuthors),
    isCapped: authors.length > maxAuthorsFound || ids.length > maxOfAuthors || (looked?.total ?? 0) >= maxAuthorsLooked,
  };
}
