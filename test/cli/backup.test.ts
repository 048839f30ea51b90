// A backup that fails is told to who manages the desk; a restore that was interrupted is ended by any command.

import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDesk } from '../../cli/opened-desk.ts';
import { query } from '../../src/engine/database.ts';
import { terminal } from './terminal.ts';

const desk = terminal();
const { type } = desk;
afterAll(desk.remove);

const told = () =>
  withDesk({ data: join(desk.directory, 'data') }, ({ read }) =>
    read((tx) => query(tx, 'SELECT kind, name FROM notifications JOIN agents ON agents.id = agent_id').all()),
  );

test('a failed backup says why and is told once, until it has been read', async () => {
  await type('site', 'create', '--name', 'Web shop');
  await type('agent', 'invite', '--email', 'kim@example.org', '--name', 'Kim', '--role', 'owner');
  await type('agent', 'invite', '--email', 'sam@example.org', '--name', 'Sam');
  expect((await type('backup', join(desk.directory, 'backup'))).code).toBe(0);
  expect(await told()).toEqual([]);
  for (let round = 0; round < 2; round++) {
    const failed = await type('backup', join(desk.directory, 'data', 'backup'));
    expect(failed.code).not.toBe(0);
    expect(failed.errors).toContain('is inside the data directory');
    expect(await told()).toEqual([{ kind: 'backup_failed', name: 'Kim' }]);
  }
});

test('a restore that was killed when no database was in its place is ended by the next command', async () => {
  const data = join(desk.directory, 'data');
  const staging = join(data, '.restoring');
  mkdirSync(join(staging, 'new'), { recursive: true });
  const kept = join(data, 'backups', 'replaced-x');
  mkdirSync(kept, { recursive: true });
  renameSync(join(data, 'wal'), join(kept, 'wal'));
  renameSync(join(data, 'helpdesk.db'), join(staging, 'new', 'helpdesk.db'));
  writeFileSync(join(staging, 'ready'), 'replaced-x\n');
  const { code, output, errors } = await type('site', 'list');
  expect([code, errors]).toEqual([0, expect.stringContaining('interrupted')]);
  expect(output).toContain('Web shop');
});
