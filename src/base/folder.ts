// Makes the names in a folder survive a power cut, on the systems that can.

import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';

// Windows syncs no folder, and its file system keeps a journal of names by itself.
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

/** The same at once, for a start. */
export function syncFolderNow(path: string): void {
  if (!canSync) return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
