// Folders for tests, removed with what is in them.

import { afterAll } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed when the tests have run. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'helpdesk-test-'));
  folders.push(folder);
  return folder;
}
