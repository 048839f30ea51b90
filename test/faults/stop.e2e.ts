// A stop while a snapshot is being written on a slow disk: it is given up, in order, and with no part of it left.

import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../browser/wait.ts';
import { helpdesk, newDirectory, serve, siteAndToken, unlimited } from '../e2e/executable.ts';
import { end } from '../e2e/kills.ts';
import { createDisk } from '../support/faults.ts';

describe.concurrent('a stop', () => {
  test.each(['SIGTERM', 'SIGHUP'] as const)('by %s gives the snapshot up and answers what it has', async (signal) => {
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
      const isPartial = (name: string) => name.endsWith('.partial');
      const whole = () => readdirSync(backups).filter((name) => !isPartial(name));
      disk.fail('write backups/.snapshot 300ms');
      const create = () =>
        fetch(`${desk.url}/api/v1/public/tickets`, {
          method: 'POST',
          headers: { 'X-Site-Token': siteToken, 'Content-Type': 'application/json' },
          body: JSON.stringify({ email: 'mia@example.org', subject: 'Lamp', message: 'It is dark.' }),
        });
      expect((await create()).status).toBe(201);
      // Snapshots are checked every ten seconds.
      await waitUntil('a snapshot is begun', () => readdirSync(backups).some(isPartial));
      const before = whole();
      const last = create();
      // The server has it once it answers what came after.
      await fetch(`${desk.url}/healthz`);
      expect(await end(desk, signal)).toBe(0);
      expect((await last).status).toBe(201);
      expect(readdirSync(backups).sort()).toEqual(before.sort());
      expect((await helpdesk(path, ['ticket', 'list', '--json'])).json().data).toHaveLength(2);
    } finally {
      remove();
    }
  });
});
