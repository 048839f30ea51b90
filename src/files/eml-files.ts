// Outgoing mail as .eml files, for a desk without a mail server.

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../base/sync-folder.ts';

/** The name depends only on the mail, so writing it again replaces the file. */
export function emlName(at: Date, messageId: string): string {
  return `${at.toISOString().slice(0, 19).replaceAll(':', '-')}-${nameOf(messageId)}.eml`;
}

function nameOf(messageId: string): string {
  return messageId
    .slice(1, messageId.indexOf('@'))
    .replace(/[^A-Za-z0-9_-]/g, '_')
    .slice(0, 100);
}

export async function removeEmlFiles(folder: string, messageIds: readonly string[]): Promise<void> {
  const names = new Set(messageIds.map(nameOf));
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  let removed = 0;
  for (const file of files) {
    const name = /^[\dT-]{19}-(.*)\.eml(?:\.tmp)?$/.exec(file)?.[1];
    if (name === undefined || !names.has(name)) continue;
    await rm(join(folder, file), { force: true });
    removed += 1;
  }
  if (removed > 0) await syncFolder(folder);
}
