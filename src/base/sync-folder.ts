// Syncs the names in a folder to disk, on systems that can.

import { fsync, fsyncSync } from 'node:fs';
import { promisify } from 'node:util';
import { openFile } from './open-file.ts';

const sync = promisify(fsync);

// Windows cannot sync a folder, and its file system keeps its own journal of names.
const canSync = process.platform !== 'win32';

export async function syncFolder(path: string): Promise<void> {
  if (!canSync) return;
  using folder = openFile(path, 'r');
  await sync(folder.fd);
}

export function syncFolderNow(path: string): void {
  if (!canSync) return;
  using folder = openFile(path, 'r');
  fsyncSync(folder.fd);
}
