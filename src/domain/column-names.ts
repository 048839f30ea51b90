// The two names of a field: `sort_order` where others read it, `sortOrder` in rows of the database.

export type ColumnName<Field extends string> = Field extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<ColumnName<Tail>>}`
  : Field;

export type FieldName<Column extends string> = Column extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${FieldName<Rest>}`
    : `_${Lowercase<First>}${FieldName<Rest>}`
  : Column;

export const columnName = <Field extends string>(field: Field) =>
  field.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()) as ColumnName<Field>;

export const fieldName = <Column extends string>(column: Column) =>
  column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as FieldName<Column>;
