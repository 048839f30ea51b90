// Files that a killed desk left unfinished or unrecorded: gone at the next start, but nothing that may still be needed.

import { afterEach, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSeal } from '../../src/base/crypto.ts';
import { createDesk } from '../../src/desk/desk.ts';
import { query } from '../../src/engine/database.ts';
import { createLocalBlobs } from '../../src/files/blobs.ts';
import { sweepLeftFiles } from '../../src/jobs/upkeep.ts';
import { fixedClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/folders.ts';
import { migratedStore } from '../support/store.ts';

const startedAt = Date.UTC(2026, 8, 7, 9);
const opened: { close(): void }[] = [];
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
});

function deskWithFiles() {
  const { store } = migratedStore();
  opened.push(store);
  const desk = createDesk(store, createSeal(Buffer.alloc(32, 7)), fixedClock(startedAt));
  const place = temporaryFolder();
  const files = {
    attachments: createLocalBlobs(join(place, 'attachments')),
    mail: createLocalBlobs(join(place, 'mail', 'inbound')),
  };
  for (const folder of ['attachments', 'mail/inbound'])
    for (const [name, at] of [
      ['staging/left', startedAt - 5000],
      ['staging/arriving', startedAt + 5000],
      ['0L/01LEFT0000000000000000000L', startedAt - 5000],
      ['0N/01NEW00000000000000000000N', startedAt + 5000],
    ] as const) {
      const path = join(place, folder, name);
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, 'x');
      utimesSync(path, at / 1000, at / 1000);
    }
  const left = () =>
    readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();
  return { desk, files, left };
}

test('what earlier processes left is removed, and what arrives now stays', async () => {
  const { desk, files, left } = deskWithFiles();
  expect(await sweepLeftFiles(desk, files, startedAt)).toBe(4);
  expect(left()).toEqual(['01NEW00000000000000000000N', '01NEW00000000000000000000N', 'arriving', 'arriving']);
});

test('nothing is removed while an import may need it', async () => {
  const { desk, files, left } = deskWithFiles();
  await desk.write((tx) => {
    query(tx, "INSERT INTO imports (name, run, created_at) VALUES ('one', 1, 1)").run();
    return null;
  });
  expect(await sweepLeftFiles(desk, files, startedAt)).toBe(0);
  expect(left().length).toBe(8);
});
