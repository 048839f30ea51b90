// Answers with lists that may be very long: read and written part by part, each in a step of its own.

import type { Tx } from '../../store/database.ts';

export interface View {
  tx: Tx;
}

/** Each part takes a few milliseconds at most, and reads through the view as it is then. */
export class LongList<Row> {
  readonly parts: Iterable<readonly Row[]>;

  constructor(parts: Iterable<readonly Row[]>) {
    this.parts = parts;
  }
}

type Whole<Data> = { [Key in keyof Data]: Data[Key] extends LongList<infer Row> ? Row[] : Data[Key] };

export function whole<Data extends object>(data: Data): Whole<Data> {
  const read = (value: unknown) => (value instanceof LongList ? [...value.parts].flat() : value);
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, read(value)])) as Whole<Data>;
}

export function* jsonPieces(data: object): Generator<string> {
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
