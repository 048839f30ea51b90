// A backup that fails is told to who manages the desk.

import { afterAll, expect, test } from 'bun:test';
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
