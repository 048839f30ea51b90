// The record of the last complete backup, in backups/last-backup.json.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type Instant, toWire } from '../base/clock.ts';

interface BackupRecord {
  at: Instant;
  path: string;
  bytes: number;
}

const name = 'last-backup.json';
const schema = z.object({ at: z.iso.datetime(), path: z.string(), bytes: z.number().int() });

export function lastBackup(data: string): BackupRecord | null {
  const path = join(data, 'backups', name);
  if (!existsSync(path)) return null;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
  const parsed = schema.safeParse(value);
  return parsed.success ? { ...parsed.data, at: Date.parse(parsed.data.at) } : null;
}

export function noteBackup(data: string, { at, path, bytes }: BackupRecord): void {
  const folder = join(data, 'backups');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const next = join(folder, `.${name}.new`);
  try {
    writeFileSync(next, `${JSON.stringify({ at: toWire(at), path, bytes })}\n`, { mode: 0o600 });
    renameSync(next, join(folder, name));
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}
