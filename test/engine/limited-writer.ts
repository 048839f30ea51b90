// A desk's writer in a process whose files cannot grow beyond a limit: SQLite gets IOERR_WRITE (778) at the COMMIT.

import { openStore, query } from '../../src/engine/database.ts';
import { createWriter } from '../../src/engine/writer.ts';

const [path = ''] = process.argv.slice(2);
const store = openStore(path, 'OFF');
store.writing.client.run('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT');
const writer = createWriter(store);
const stages: string[] = [];
const put = (text: string) =>
  writer.write((tx) => {
    stages.push(`insert ${query(tx, 'INSERT INTO notes (text) VALUES (?)').run(text).changes}`);
    const seen = query<{ n: number }>(tx, 'SELECT count(*) AS n FROM notes').get()?.n;
    stages.push(`reads back ${seen}`);
    return null;
  });

await put('before');
const refused = await put('x'.repeat(4_000_000)).then(
  () => null,
  (error) => ({ code: error.code, reason: error.reason, retryAfterSeconds: error.retryAfterSeconds, cause: null }),
);
await put('after');
const rows = query<{ n: number; longest: number }>(
  store.reading,
  'SELECT count(*) AS n, max(length(text)) AS longest FROM notes',
).get();
process.stdout.write(JSON.stringify({ stages, refused, rows, isOpen: store.writing.client.inTransaction }));
