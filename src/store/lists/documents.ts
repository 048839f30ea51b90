// The full-text documents. SQLite writes a segment of the index with every commit, which takes more pages than a ticket, so many documents share one.

import { isAscii, searchForm } from '../../domain/lists/search-form.ts';
import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';
import { authorById } from '../customers/authors.ts';
import { bodiesOfTicket } from '../tickets/messages.ts';
import { sideTextsOf } from '../tickets/side-conversations.ts';
import { indexed, maxIndexedCharacters, textsOfTicket } from './full-text.ts';
import type { SearchIndex } from './search-waiting.ts';

const columns = {
  ticket_search: ['scope', 'reference', 'subject', 'author', 'body'],
  author_search: ['email', 'name'],
} as const;

// About 10 ms of indexing, and of reading where documents are short.
const muchText = 60_000;
const manyDocuments = 500;
// A document that is written again is also removed from the index, which takes twice as long.
const muchRewritten = muchText / 3;
const manyRewritten = 150;

// Each commit leaves a segment in its index, or more of them after long texts. Merging with each keeps them few, if
// it merges several times what was written: a word is merged once at each level.
const leastPagesMerged = 64;
const charactersOfPage = 500;
/** How many characters have been written of the indexes that may have too many segments. */
const mergesDue = new WeakMap<Tx, Map<SearchIndex, number>>();

const insertText = (index: SearchIndex) =>
  `INSERT INTO ${index} (rowid, ${columns[index].join(', ')}) VALUES (?${', ?'.repeat(columns[index].length)})`;
const inserts = { ticket_search: insertText('ticket_search'), author_search: insertText('author_search') } as const;

const indexedTicket = statement(`SELECT tickets.id, tickets.site_id AS siteId, subject, name, email
  FROM tickets JOIN authors ON authors.id = author_id WHERE tickets.id = ?`).get<
  { id: number; siteId: number; subject: string; name: string | null; email: string },
  [id: number]
>;

type Texts = readonly string[] | null;

/** As they were written. Null for what no longer exists. */
function textsOf(tx: Tx, index: SearchIndex, id: number): Texts {
  if (index === 'author_search') {
    const author = authorById(tx, id);
    return author === undefined ? null : [author.email, author.name ?? ''];
  }
  const ticket = indexedTicket(tx, id);
  if (ticket === undefined) return null;
  const bodies = bodiesOfTicket(tx, id, maxIndexedCharacters);
  const aside = sideTextsOf(tx, id, maxIndexedCharacters);
  return textsOfTicket(ticket, ticket, [...bodies, ...aside]);
}

const formOf = { ticket_search: indexed, author_search: searchForm } as const;

const inForm = (index: SearchIndex, texts: Texts): Texts => texts?.map(formOf[index]) ?? null;

const charactersIn = (texts: Texts) => (texts ?? []).reduce((sum, text) => sum + text.length, 0);

function put(tx: Tx, index: SearchIndex, id: number, texts: Texts): void {
  // A contentless index cannot change a document.
  query(tx, `DELETE FROM ${index} WHERE rowid = ?`).run(id);
  if (texts === null) return;
  query(tx, inserts[index]).run(id, ...texts);
  const due = mergesDue.get(tx) ?? new Map<SearchIndex, number>();
  mergesDue.set(tx, due);
  due.set(index, (due.get(index) ?? 0) + charactersIn(texts));
}

/** Writes the document of a ticket or an author as it is now, or removes it. */
export function writeDocument(tx: Tx, index: SearchIndex, id: number): void {
  put(tx, index, id, inForm(index, textsOf(tx, index, id)));
  mergeSegments(tx);
}

/** Writes documents that wait, in their order, for about 10 ms. Returns whether there are more. */
export function writeWaiting(tx: Tx): boolean {
  const waiting = query<{ seq: number; name: SearchIndex; id: number }>(
    tx,
    'SELECT seq, name, id FROM search_waiting ORDER BY seq LIMIT ?',
  ).all(manyDocuments);
  const documents = { ticket_search: new Map<number, Texts>(), author_search: new Map<number, Texts>() };
  let characters = 0;
  let last = 0;
  for (const { seq, name, id } of waiting) {
    if (characters > muchText) break;
    last = seq;
    if (documents[name].has(id)) continue;
    const texts = inForm(name, textsOf(tx, name, id));
    documents[name].set(id, texts);
    characters += charactersIn(texts);
  }
  // One index at a time: a new word in one flushes what the other has collected.
  for (const [id, texts] of documents.ticket_search) put(tx, 'ticket_search', id, texts);
  for (const [id, texts] of documents.author_search) put(tx, 'author_search', id, texts);
  query(tx, 'DELETE FROM search_waiting WHERE seq <= ?').run(last);
  mergeSegments(tx);
  return last < (waiting.at(-1)?.seq ?? 0) || waiting.length === manyDocuments;
}

const rowsBefore = {
  ticket_search: 'SELECT id FROM tickets WHERE id <= ? ORDER BY id DESC LIMIT ?',
  author_search: 'SELECT id FROM authors WHERE id <= ? ORDER BY id DESC LIMIT ?',
} as const;

/** Writes this document and some before it again. @returns which is next; null if none is left */
export function rewriteSome(tx: Tx, index: SearchIndex, from: number): number | null {
  const rows = query<{ id: number }>(tx, rowsBefore[index]).all(from, manyRewritten);
  let characters = 0;
  let last = 0;
  let isCut = false;
  for (const { id } of rows) {
    isCut = characters > muchRewritten;
    if (isCut) break;
    last = id;
    const texts = textsOf(tx, index, id);
    characters += charactersIn(texts);
    // What is plain is the same in every form.
    if (texts?.some((text) => !isAscii(text))) put(tx, index, id, inForm(index, texts));
  }
  mergeSegments(tx);
  return isCut || rows.length === manyRewritten ? last - 1 : null;
}

/** Merges some pages of the indexes that have too many segments. What is left is done with later documents. */
function mergeSegments(tx: Tx): void {
  const due = mergesDue.get(tx);
  for (const [index, characters] of due ?? []) {
    const pages = leastPagesMerged + Math.ceil(characters / charactersOfPage);
    if (mergePages(tx, index, pages)) due?.set(index, 0);
    else due?.delete(index);
  }
}

/** False if there was nothing to merge, and the request itself was the one change. @param pages negative to begin a merge of everything */
export function mergePages(tx: Tx, index: SearchIndex, pages: number): boolean {
  const changes = () => query<{ total: number }>(tx, 'SELECT total_changes() AS total').get()?.total ?? 0;
  const before = changes();
  query(tx, `INSERT INTO ${index} (${index}, rank) VALUES ('merge', ?)`).run(pages);
  return changes() - before >= 2;
}
