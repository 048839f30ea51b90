// What sites are set up with, kept from one read to the next for as long as nobody, also no other process, has changed any of it.

import { query, type Tx } from './database.ts';

interface Kept {
  version: number;
  answers: Map<string, unknown>;
}

const kept = new WeakMap<Tx, Kept>();
const mostAnswers = 10_000;

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) frozen(part);
  }
  return value;
}

/**
 * The answer of `read`, or the one that it gave before. Only for what is read from the tables that have triggers in
 * migrations/0015_catalogue_version.sql, and from nothing else. What comes back is shared and frozen; what is undefined is not kept.
 * @param key names the question, and the values that it depends on
 */
export function remembered<T>(tx: Tx, key: string, read: () => T): T {
  // Read in the same transaction as the rest, and undone with it when a step is.
  const version = query<{ version: number }>(tx, 'SELECT version FROM catalogue_version').get()?.version ?? 0;
  let now = kept.get(tx);
  if (now === undefined || now.version !== version || now.answers.size >= mostAnswers) {
    now = { version, answers: new Map() };
    kept.set(tx, now);
  }
  const known = now.answers.get(key);
  if (known !== undefined) return known as T;
  const answer = frozen(read());
  if (answer !== undefined) now.answers.set(key, answer);
  return answer;
}
