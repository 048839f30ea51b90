// The desk's own settings: one row.

import type { InferSelectModel } from 'drizzle-orm';
import type { Tx } from '../engine/database.ts';
import { selectFrom, statement, updateById } from '../engine/statements.ts';
import { deskSettings } from './schema/desk.ts';
import { remembered } from './sites/catalogue-cache.ts';

export type DeskSettings = InferSelectModel<typeof deskSettings>;

const theRow = selectFrom(deskSettings, 'WHERE id = 1');
const update = updateById(deskSettings);

export function readDeskSettings(tx: Tx): DeskSettings {
  const row = remembered(tx, 'desk settings', () => theRow.get(tx));
  if (!row) throw new Error('the desk has no settings');
  return row;
}

export function updateDeskSettings(tx: Tx, change: Partial<Omit<DeskSettings, 'id' | 'version'>>): void {
  update(tx, 1, { ...change, version: readDeskSettings(tx).version + 1 });
}

const columns = statement("SELECT name FROM pragma_table_info('desk_settings')").column<string>;
const bucket = statement('SELECT bucket FROM desk_settings WHERE bucket IS NOT NULL').column<string>;

/** Whether an owner has set a bucket, also of a database with an older schema. */
export const namesBucket = (tx: Tx): boolean => columns(tx).includes('bucket') && bucket(tx).length > 0;
