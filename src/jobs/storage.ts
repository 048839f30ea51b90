// Once a day, how much the desk has; at each start, which version runs.

import { freeBytesOf } from '../base/disk.ts';
import { version } from '../base/version.ts';
import type { Desk } from '../desk/desk.ts';
import { dayOf } from '../domain/growth.ts';
import { databaseBytes } from '../store/database-figures.ts';
import { fileBytesAfter, hasStorageDay, insertStorageDay, noteVersion, versionsRun } from '../store/storage-days.ts';

/** Does nothing on a day that has its figures. */
export async function noteStorage(desk: Desk, path: string): Promise<void> {
  const day = dayOf(desk.now());
  if (desk.read((tx) => hasStorageDay(tx, day))) return;
  let fileBytes = 0;
  for (let next: number | null = 0; next !== null; ) {
    const from: number = next;
    const some = desk.read((tx) => fileBytesAfter(tx, from));
    fileBytes += some.bytes;
    next = some.after;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const figures = { day, databaseBytes: desk.read(databaseBytes), fileBytes, freeBytes: freeBytesOf(path) };
  await desk.write((tx) => insertStorageDay(tx, figures));
}

export async function noteVersionRun(desk: Desk): Promise<void> {
  if (desk.read(versionsRun)[0]?.version !== version) await desk.write((tx) => noteVersion(tx, version, desk.now()));
}
