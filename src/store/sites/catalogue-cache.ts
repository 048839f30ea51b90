// Keeps sites, their catalogues and the rights of agents in memory from one read to the next, until this or another process changes them.

import { query, type Tx } from '../../engine/database.ts';

const kept = new WeakMap<Tx, { version: number; answers: Map<string, unknown> }>();
const mostAnswers = 10_000;

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) frozen(part);
  }
  return value;
}

/** Only for columns whose changes fire triggers that advance `catalogue_version`. Frozen; undefined is not kept. */
export function remembered<T>(tx: Tx, key: string, read: () => T): T {
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
