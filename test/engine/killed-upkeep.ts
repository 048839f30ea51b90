// Writes to a database, has its log taken in, and kills itself so many microseconds after that has begun.

import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { openStore, query } from '../../src/engine/database.ts';
import { usualPace } from '../../src/engine/wal/upkeep.ts';
import { createWriter } from '../../src/engine/writer.ts';

const [folder = '', microseconds = '0'] = process.argv.slice(2);
const store = openStore(join(folder, 'helpdesk.db'), 'OFF', join(folder, 'wal'), { ...usualPace, partFrames: 500 });
const writer = createWriter(store);
const write = () =>
  writer.write((tx) => {
    tx.client.run('CREATE TABLE IF NOT EXISTS word (text TEXT NOT NULL) STRICT');
    for (let at = 0; at < 100; at += 1) tx.client.run('INSERT INTO word VALUES (?)', ['x'.repeat(3000)]);
    return null;
  });
const backfilled = () => store.archive?.index()?.backfilled ?? 0;

await write();
store.tend();
// The first step starts the thread; the second begins at once.
for (let at = 0; at < 6; at += 1) await write();
store.tend();
await store.settled();
for (let at = 0; at < 20; at += 1) await write();
const words = query<{ n: number }>(store.reading, 'SELECT count(*) AS n FROM word').get()?.n;
const before = backfilled();
store.tend();
const until = performance.now() + Number(microseconds) / 1000;
while (performance.now() < until);
const index = store.archive?.index();
writeSync(1, JSON.stringify({ words, left: backfilled() === before ? (index?.frames ?? 0) - before : 0 }));
process.kill(process.pid, 'SIGKILL');
