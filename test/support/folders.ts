// Folders for tests, removed with what is in them when the tests of their file have run.

import { afterAll } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}, 60_000);

/** A folder that is removed when the tests of this file have run. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'helpdesk-test-'));
  folders.push(folder);
  return folder;
}
