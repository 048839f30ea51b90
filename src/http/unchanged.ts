// What was read for a request, kept in memory until the next commit of any process, so that an unchanged desk is not read twice.

import type { Instant } from '../base/clock.ts';
import type { Desk } from '../desk/desk.ts';
import type { Caller } from './credentials/recognisers.ts';
import type { Reply } from './wire/respond.ts';

interface Kept<Value> {
  find(key: string, now: Instant): Value | undefined;
  /** Does nothing when something was committed since the reading began. */
  keep(key: string, value: Value, size: number, now: Instant): void;
}

/** Of one state of the database. */
export interface Unchanged {
  callers: Kept<Caller>;
  answers: Kept<Reply>;
}

// What depends only on the clock, such as the end of a token or the address of a file, may be this late.
const callersMs = 100;
const answersMs = 1000;
const mostCharacters = 4_000_000;

const ofDesk = new WeakMap<Desk, { generation: string; unchanged: Unchanged }>();

/** As the database is now; to be taken before what is kept in it is read. */
export function unchangedSince(desk: Desk): Unchanged {
  const generation = desk.generation();
  const known = ofDesk.get(desk);
  if (known?.generation === generation) return known.unchanged;
  const isCurrent = () => desk.generation() === generation;
  const unchanged = {
    callers: createKept<Caller>(callersMs, isCurrent),
    answers: createKept<Reply>(answersMs, isCurrent),
  };
  ofDesk.set(desk, { generation, unchanged });
  return unchanged;
}

function createKept<Value>(mostMs: number, isCurrent: () => boolean): Kept<Value> {
  const values = new Map<string, { value: Value; at: Instant; size: number }>();
  let characters = 0;
  return {
    find(key, now) {
      const known = values.get(key);
      // A clock that was set back must not make it last longer.
      return known !== undefined && now >= known.at && now - known.at < mostMs ? known.value : undefined;
    },
    keep(key, value, size, now) {
      if (!isCurrent()) return;
      const whole = size + key.length;
      characters += whole - (values.get(key)?.size ?? 0);
      if (characters > mostCharacters) {
        values.clear();
        characters = whole;
      }
      values.set(key, { value, at: now, size: whole });
    },
  };
}
