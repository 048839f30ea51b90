// Answers with lists that may be very long: read and written part by part, each in a step of its own.

import type { Tx } from '../../engine/database.ts';

export interface View {
  tx: Tx;
}

/** Read with an answer, or more than fits: each part takes a few milliseconds at most, and reads through the view as it is then. */
type Rows<Row> = readonly Row[] | LongList<Row>;

class LongList<Row> {
  readonly parts: Iterable<readonly Row[]>;

  constructor(parts: Iterable<readonly Row[]>) {
    this.parts = parts;
  }
}

/** What a client reads. */
export type Whole<Data> = { [Key in keyof Data]: Exclude<Data[Key], LongList<unknown>> };

/** @param rest the parts after the first; null if there are none */
export function rowsOf<Row>(first: readonly Row[], rest: Iterable<readonly Row[]> | null): Rows<Row> {
  if (rest === null) return first;
  const parts = function* () {
    yield first;
    yield* rest;
  };
  return new LongList(parts());
}

export function* jsonPieces(data: object): Generator<string> {
  if (!Object.values(data).some((value) => value instanceof LongList)) {
    yield JSON.stringify({ data });
    return;
  }
  const entries = Object.entries(data).filter(([, value]) => value !== undefined);
  yield '{"data":{';
  for (const [at, [key, value]] of entries.entries()) {
    const name = `${at === 0 ? '' : ','}${JSON.stringify(key)}:`;
    if (value instanceof LongList) {
      yield `${name}[`;
      yield* rowPieces(value);
      yield ']';
    } else yield name + JSON.stringify(value);
  }
  yield '}}';
}

function* rowPieces({ parts }: LongList<unknown>): Generator<string> {
  let separator = '';
  for (const rows of parts) {
    if (rows.length === 0) continue;
    yield separator + rows.map((row) => JSON.stringify(row)).join(',');
    separator = ',';
  }
}
