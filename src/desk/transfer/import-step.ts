// What the import of a row gets: the step, and what the numbers in the row mean on this desk.

import { newUlid } from '../../base/ids.ts';
import type { RowOf, TransferRow } from '../../domain/input/transfer.ts';
import type { NumberedKind, References } from '../../domain/transfer/transfer.ts';
import type { Tx } from '../../engine/database.ts';
import { isUlidFree } from '../../store/transfer/imported-rows.ts';
import type { Context } from '../context.ts';
import type { SiteImport } from './import-state.ts';

export interface Inserted {
  id: number;
  ulid?: string;
}

export type Need = (kind: NumberedKind, id: number) => number;

export interface Step {
  tx: Tx;
  ctx: Context;
  going: SiteImport;
  siteId: number;
  need: Need;
  optional: (kind: NumberedKind, id: number | null) => number | null;
  to: References;
}

export type Inserters<Type extends TransferRow['type']> = {
  [Each in Type]: (row: RowOf<Each>, step: Step) => Inserted;
};

/** The row's own ulid if it is free. */
export function ulidFor(tx: Tx, kind: Parameters<typeof isUlidFree>[1], ulid: string, createdAt: number): string {
  return isUlidFree(tx, kind, ulid) ? ulid : newUlid(createdAt);
}
