// A stop while a snapshot is being written on a slow disk: immediate, in order, and with no part of it left.

import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { helpdesk, newDirectory, serve, siteAndToken, unlimited } from '../e2e/executable.ts';
import { createDisk } from '../support/faults.ts';

test.each(['SIGTERM', 'SIGHUP'] as const)(
  '%s gives the snapshot up and answers what it has',
  async (signal) => {
    const { path, remove } = newDirectory();
    try {
      const { siteToken } = await siteAndToken(path);
      const database = new Database(join(path, 'data/helpdesk.db'));
      database.run('CREATE TABLE noise (bytes BLOB) STRICT');
      database.run('INSERT INTO noise VALUES (randomblob(40000000))');
      database.close();
      const disk = createDisk();
      const desk = await serve(path, { ...unlimited, HELPDESK_SNAPSHOT_EVERY: '1s', ...disk.environment });
      const backups = join(path, 'data/backups');
      const partial = () => readdirSync(backups).filter((name) => name.endsWith('.partial'));
      disk.fail('write backups/.snapshot 300ms');
      const create = () =>
        fetch(`${desk.url}/api/v1/public/tickets`, {
          method: 'POST',
          headers: { 'X-Site-Token': siteToken, 'Content-Type': 'application/json' },
          body: JSON.stringify({ email: 'mia@example.org', subject: 'Lamp', message: 'It is dark.' }),
        });
      expect((await create()).status).toBe(201);
      // Snapshots are checked every ten seconds.
      for (const end = Date.now() + 25_000; partial().length === 0; await Bun.sleep(20))
        if (Date.now() > end) throw new Error('No snapshot was begun.');
      const last = create();
      await Bun.sleep(100);
      const begun = performance.now();
      desk.signal(signal);
      expect((await last).status).toBe(201);
      expect(await desk.exited).toBe(0);
      expect(performance.now() - begun).toBeLessThan(2_500);
      expect(partial()).toEqual([]);
      expect((await helpdesk(path, ['ticket', 'list', '--json'])).json().data).toHaveLength(2);
    } finally {
      remove();
    }
  },
  60_000,
);
