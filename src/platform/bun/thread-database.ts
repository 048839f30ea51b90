// Source text for a thread: `open` gives an existing database with `run` for one statement, and `close`.

export const databaseInThread = `
import { Database } from 'bun:sqlite';
function open(path) {
  const database = new Database(path, { readwrite: true, create: false });
  return {
    run(text) {
      const statement = database.prepare(text);
      statement.get();
      statement.finalize();
    },
    close: () => database.close(),
  };
}
`;
