// The full-text documents. SQLite flushes an index at every savepoint, so those of a batch are written at its end.

import { query, type Tx } from './database.ts';

const columns = {
  ticket_search: ['scope', 'reference', 'subject', 'author', 'body'],
  author_search: ['email', 'name'],
} as const;

export type SearchIndex = keyof typeof columns;

interface DocumentChange {
  index: SearchIndex;
  id: number;
  texts: readonly string[] | null;
  isNew: boolean;
}

interface Pending {
  changes: DocumentChange[];
  written: number;
  characters: number;
}

type DocumentMark = Readonly<{ wanted: number; written: number }>;

// About 10 ms of indexing, which no step's own time shows.
const muchText = 60_000;

const batches = new WeakMap<Tx, Pending>();

// Each commit leaves a segment in its index, or more of them after long texts. Merging with each keeps them few, if
// it merges several times what was written: a word is merged once at each level.
const leastPagesMerged = 64;
const charactersOfPage = 500;
/** How many characters have been written of the indexes that may have too many segments. */
const mergesDue = new WeakMap<Tx, Map<SearchIndex, number>>();

const insertText = (index: SearchIndex) =>
  `INSERT INTO ${index} (rowid, ${columns[index].join(', ')}) VALUES (?${', ?'.repeat(columns[index].length)})`;
const inserts = { ticket_search: insertText('ticket_search'), author_search: insertText('author_search') } as const;

function put(tx: Tx, { index, id, texts, isNew }: DocumentChange): void {
  // To change a contentless index, SQLite needs its whole document again.
  if (!isNew) query(tx, `DELETE FROM ${index} WHERE rowid = ?`).run(id);
  if (texts !== null) query(tx, inserts[index]).run(id, ...texts);
}

function charactersIn(texts: DocumentChange['texts']): number {
  return (texts ?? []).reduce((sum, text) => sum + text.length, 0);
}

/** Null removes it. Written at the end of the current batch, or else at once. @param texts one for each column */
export function putDocument(
  tx: Tx,
  index: SearchIndex,
  id: number,
  texts: readonly string[] | null,
  isNew = false,
): void {
  const change = { index, id, texts, isNew };
  const pending = batches.get(tx);
  if (pending === undefined) put(tx, change);
  else {
    pending.changes.push(change);
    pending.characters += charactersIn(texts);
  }
}

/** Whether the current batch should end soon, so that its end does not hold up other requests. */
export function hasMuchToIndex(tx: Tx): boolean {
  return (batches.get(tx)?.characters ?? 0) > muchText;
}

export function collectDocuments(tx: Tx): void {
  batches.set(tx, { changes: [], written: 0, characters: 0 });
}

export function endDocuments(tx: Tx): void {
  batches.delete(tx);
}

export function markDocuments(tx: Tx): DocumentMark {
  const pending = batches.get(tx);
  return { wanted: pending?.changes.length ?? 0, written: pending?.written ?? 0 };
}

/** Forgets what was collected or written since the mark, because its savepoint was rolled back. */
export function returnDocuments(tx: Tx, mark: DocumentMark): void {
  const pending = batches.get(tx);
  if (pending === undefined) return;
  pending.changes.length = mark.wanted;
  pending.written = mark.written;
}

/** Writes the collected documents, each in its last version. Call it before an index is read or changed otherwise. */
export function flushDocuments(tx: Tx): void {
  const pending = batches.get(tx);
  if (pending === undefined || pending.written === pending.changes.length) return;
  const last = new Map<string, DocumentChange>();
  for (const change of pending.changes.slice(pending.written)) {
    const key = `${change.index} ${change.id}`;
    last.set(key, { ...change, isNew: last.get(key)?.isNew ?? change.isNew });
  }
  // One index at a time: a new word in one flushes what the other has collected.
  const due = mergesDue.get(tx) ?? new Map<SearchIndex, number>();
  mergesDue.set(tx, due);
  for (const index of Object.keys(columns)) {
    for (const change of last.values()) {
      if (change.index !== index) continue;
      put(tx, change);
      due.set(change.index, (due.get(change.index) ?? 0) + charactersIn(change.texts));
    }
  }
  pending.written = pending.changes.length;
}

/** Merges some pages of the indexes that have too many segments. What is left is done with later commits. */
export function mergeSegments(tx: Tx): void {
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
