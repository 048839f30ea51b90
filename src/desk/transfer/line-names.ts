// Converts between the names of columns and the names in an export.

type Snake<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${Snake<Rest>}`
    : `_${Lowercase<First>}${Snake<Rest>}`
  : Text;
type SnakeKeys<Row> = { [Key in keyof Row as Key extends string ? Snake<Key> : never]: Row[Key] };

type Camel<Text extends string> = Text extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text;
type Columns<Line> = {
  [Key in keyof Line as Key extends 'type' | 'id' | 'seq' ? never : Key extends string ? Camel<Key> : never]: Line[Key];
};

const renamed = (row: object, rename: (key: string) => string) =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [rename(key), value]));

export function lineNames<Row extends object>(row: Row): SnakeKeys<Row> {
  return renamed(row, (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) as SnakeKeys<Row>;
}

export function columnNames<Line extends { type: string }>({ type: _, ...line }: Line): Columns<Line> {
  const {
    id: __,
    seq: ___,
    ...columns
  } = renamed(line, (key) => key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()));
  return columns as Columns<Line>;
}
