// LiteFS cuts the shared index when the role of its machine changes: a desk that has mapped more of it must live on.

import { afterEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../src/engine/database.ts';
import { usualPace } from '../../src/engine/wal/upkeep.ts';
import { createWriter } from '../../src/engine/writer.ts';
import { startProgram } from '../support/programs.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function run(role: 'aware' | 'unaware') {
  const folder = mkdtempSync(join(tmpdir(), 'helpdesk-index-'));
  folders.push(folder);
  const script = fileURLToPath(new URL('./cut-index.ts', import.meta.url));
  const child = startProgram([process.execPath, script, role, join(folder, 'helpdesk.db')], {
    BUN_CRASH_REPORT_URL: '',
    DO_NOT_TRACK: '1',
  });
  return { output: await child.output, errors: await child.errors, ...(await child.ended) };
}

describe('an index that was cut under the handles', () => {
  test('ends a process that does not look', async () => {
    const { output, errors, signal } = await run('unaware');
    expect(output).not.toContain('all there');
    // Bun catches the signal and says so.
    expect(`${signal} ${errors}`).toMatch(/^SIGBUS|Bus error/);
  }, 60_000);

  test('is mapped again before the next write of a replicated database', async () => {
    expect(await run('aware')).toEqual({ output: 'all there\n', errors: '', code: 0, signal: null });
  }, 60_000);
});

test('a commit after which the mount is gone is not told as stored', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'helpdesk-index-'));
  folders.push(folder);
  const path = join(folder, 'helpdesk.db');
  const store = openStore(path, 'OFF', null, usualPace, true);
  const writer = createWriter(store);
  const write = () =>
    writer.write(({ client }) => {
      client.run('CREATE TABLE IF NOT EXISTS kept (n INTEGER)');
      return 'stored';
    });
  expect(await write()).toBe('stored');
  rmSync(`${path}-shm`);
  await expect(write()).rejects.toMatchObject({ code: 'unavailable', reason: 'outcome_unknown' });
  store.close();
});
