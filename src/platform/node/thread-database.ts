// Source text for a thread: `open` gives an existing database with `run` for one statement, and `close`.

import { sqliteErrorName } from './sqlite-errors.ts';

// A copy meets the codes of a full or broken disk, and those of other processes. The numbers are SQLite's own.
const names = Object.fromEntries(
  [5, 10, 11, 13, 14, 26, 261, 266, 517, 522, 778, 1034, 1290, 1546, 4618, 5130].map((code) => [
    code,
    sqliteErrorName(code),
  ]),
);

export const databaseInThread = `
const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
const names = ${JSON.stringify(names)};
function named(act) {
  try {
    return act();
  } catch (error) {
    if (typeof error.errcode === 'number') error.code = names[error.errcode] ?? names[error.errcode & 255] ?? 'SQLITE_ERROR';
    throw error;
  }
}
function open(path) {
  const address = 'file:' + path.split('/').map(encodeURIComponent).join('/') + '?mode=rw';
  const database = named(() => new DatabaseSync(address, { enableForeignKeyConstraints: false }));
  return {
    run: (text) => named(() => database.prepare(text).all()),
    close: () => database.close(),
  };
}
`;
