// The records of the last complete backup and of the last test of a restore, in backups/.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { toWire } from '../base/clock.ts';

const instant = z.iso.datetime().transform((text) => Date.parse(text));
const backup = { name: 'last-backup.json', schema: z.object({ at: instant, path: z.string(), bytes: z.int() }) };
const restoreTest = {
  name: 'last-restore-test.json',
  schema: z.object({ at: instant, path: z.string(), created_at: instant, tickets: z.int(), seconds: z.number() }),
};
type RecordOf<Kind extends { schema: z.ZodType }> = z.output<Kind['schema']>;

function read<Kind extends { name: string; schema: z.ZodType }>(
  data: string,
  { name, schema }: Kind,
): RecordOf<Kind> | null {
  const path = join(data, 'backups', name);
  if (!existsSync(path)) return null;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
  const parsed = schema.safeParse(value);
  return parsed.success ? (parsed.data as RecordOf<Kind>) : null;
}

function note(data: string, name: string, record: object): void {
  const folder = join(data, 'backups');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const next = join(folder, `.${name}.new`);
  try {
    writeFileSync(next, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    renameSync(next, join(folder, name));
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

export const lastBackup = (data: string) => read(data, backup);

export function noteBackup(data: string, { at, ...rest }: RecordOf<typeof backup>): void {
  note(data, backup.name, { at: toWire(at), ...rest });
}

export const lastRestoreTest = (data: string) => read(data, restoreTest);

export function noteRestoreTest(
  data: string,
  { at, created_at: createdAt, ...rest }: RecordOf<typeof restoreTest>,
): void {
  note(data, restoreTest.name, { at: toWire(at), created_at: toWire(createdAt), ...rest });
}
