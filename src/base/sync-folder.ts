// Syncs the names in a folder to disk, on systems that can.

import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';

// Windows cannot sync a folder, and its file system keeps its own journal of names.
const canSync = process.platform !== 'win32';

export async function syncFolder(path: string): Promise<void> {
  if (!canSync) return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export function syncFolderNow(path: string): void {
  if (!canSync) return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
