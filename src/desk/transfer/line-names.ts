// Converts between the names of columns and the names in an export.

import { type ColumnName, columnName, type FieldName, fieldName } from '../../domain/column-names.ts';

type Fields<Row> = { [Key in keyof Row as Key extends string ? FieldName<Key> : never]: Row[Key] };
type Columns<Line> = {
  [Key in keyof Line as Key extends 'type' | 'id' | 'seq'
    ? never
    : Key extends string
      ? ColumnName<Key>
      : never]: Line[Key];
};

const renamed = (row: object, rename: (key: string) => string) =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [rename(key), value]));

export const lineNames = <Row extends object>(row: Row): Fields<Row> => renamed(row, fieldName) as Fields<Row>;

export function columnNames<Line extends { type: string }>({ type: _, ...line }: Line): Columns<Line> {
  const { id: __, seq: ___, ...columns } = renamed(line, columnName);
  return columns as Columns<Line>;
}
