// A process that writes more than one block of the index holds, before and after the file is cut as LiteFS cuts it. Run by a test.

import { spawnSync } from 'node:child_process';
import { truncateSync } from 'node:fs';
import { openDatabase } from '#platform/sqlite.ts';
import { openStore } from '../../src/engine/database.ts';
import { usualPace } from '../../src/engine/wal/upkeep.ts';
import { createWriter } from '../../src/engine/writer.ts';

const [role = '', path = ''] = process.argv.slice(2);
const blockBytes = 32_768;
// Each row fills a page of its own; a block holds 4062 frames.
const rows = 5_000;

if (role === 'cut') {
  const copied = openDatabase(path, 'existing');
  copied.run('PRAGMA wal_checkpoint(TRUNCATE)');
  truncateSync(`${path}-shm`, blockBytes);
  // The end of a process closes nothing, so the index stays as it was cut.
  process.kill(process.pid, 'SIGKILL');
}

const store = openStore(path, 'OFF', null, usualPace, role === 'aware');
const writer = createWriter(store);
const fill = () =>
  writer.write(({ client }) => {
    client.run('CREATE TABLE IF NOT EXISTS filling (text TEXT)');
    client.run(
      `WITH RECURSIVE row (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < ${rows})
       INSERT INTO filling SELECT hex(zeroblob(1900)) FROM row`,
    );
    return null;
  });

await fill();
spawnSync(process.execPath, [import.meta.filename, 'cut', path], { stdio: ['ignore', 'ignore', 'inherit'] });
await fill();
const kept = store.reading.client.query<{ n: number }, []>('SELECT count(*) AS n FROM filling').get();
process.stdout.write(`${kept?.n === 2 * rows ? 'all there' : JSON.stringify(kept)}\n`);
store.close();
