// Presents a row as its shape says: each field is the column of its name, and times are texts.

import * as z from 'zod';
import { toWire } from '../../base/clock.ts';
import { type ColumnName, columnName } from '../../domain/column-names.ts';

type Unchanged<Value> = Value extends object ? { readonly [Key in keyof Value]: Unchanged<Value[Key]> } : Value;
/** A text may be a time, which is a number in the row. */
type Column<Value> = Unchanged<Value> | (string extends Value ? number : never);

/** What a row must have: the columns of the fields that are neither told otherwise nor optional. */
type Columns<Out, Told> = {
  [Field in Exclude<keyof Out, keyof Told> & string as Out extends Record<Field, unknown>
    ? ColumnName<Field>
    : never]: Column<Out[Field]>;
};

const isTime = (field: unknown) =>
  (field instanceof z.ZodNullable ? field.unwrap() : field) instanceof z.ZodISODateTime;

/** @param tell the fields that are not just a column, from the row and what else the caller gives */
export function presenter<
  Shape extends z.ZodObject,
  Row extends object,
  More extends readonly unknown[],
  Told extends Partial<z.output<Shape>>,
>(shape: Shape, tell: (row: Row, ...more: More) => Told) {
  const fields = Object.entries(shape.shape).map(
    ([field, value]) => [field, columnName(field), isTime(value)] as const,
  );
  return (row: Row & Columns<z.output<Shape>, Told>, ...more: More): z.output<Shape> => {
    const columns = row as object as Record<string, unknown>;
    const told: Record<string, unknown> = tell(row, ...more);
    const shown: Record<string, unknown> = {};
    for (const [field, column, isTimeField] of fields) {
      if (field in told) shown[field] = told[field];
      else if (column in columns)
        shown[field] = isTimeField ? toWire(columns[column] as number | null) : columns[column];
    }
    return shown as z.output<Shape>;
  };
}
