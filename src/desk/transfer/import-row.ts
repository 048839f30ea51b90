// Imports one row of a site, under its own id and ulid where they are free.

import type { TransferRow } from '../../domain/input/transfer.ts';
import type { NumberedKind, References } from '../../domain/transfer/transfer.ts';
import { sqliteCode, type Tx } from '../../engine/database.ts';
import { siteById } from '../../store/sites/sites.ts';
import { isUlidOfSite } from '../../store/transfer/imported-rows.ts';
import { importedRow, keepImportedRow } from '../../store/transfer/imports.ts';
import type { Context } from '../context.ts';
import { newUlidOf, refused, type SiteImport } from './import-state.ts';
import type { Inserted, Inserters, Step } from './import-step.ts';
import { mailInserters } from './insert-mail.ts';
import { setupInserters } from './insert-setup.ts';
import { ticketInserters } from './insert-tickets.ts';

/** Throws a message to which the caller adds the line number. HTML must be sanitised already: that takes too long for a step. */
export function importRow(tx: Tx, ctx: Context, going: SiteImport, told: TransferRow): 'stored' | 'met' {
  const { entry, erased } = going;
  const old = nameOf(told);
  const met = importedRow(tx, entry.id, told.type, old);
  const row = erased.imported(told);
  if (met !== null) {
    if (met.run === entry.run) throw refused(`${told.type} ${old} occurs twice.`);
    keepImportedRow(tx, entry, told.type, old, met.newId);
    return 'met';
  }
  try {
    const { id, ulid } = insertRow(tx, ctx, going, row);
    keepImportedRow(tx, entry, row.type, old, id);
    const before = 'ulid' in row ? row.ulid : null;
    if (ulid !== undefined && before !== null && ulid !== before) keepImportedRow(tx, entry, 'ulid', before, id, ulid);
    return 'stored';
  } catch (error) {
    if (!sqliteCode(error)?.startsWith('SQLITE_CONSTRAINT')) throw error;
    throw refused(`${row.type} ${old} contradicts an earlier line.`);
  }
}

function nameOf(row: TransferRow): string {
  if (row.type === 'event') return String(row.seq);
  if (row.type === 'merge' || row.type === 'split') return String(row.ticket_id);
  if (row.type === 'suppression') return row.address;
  return String(row.id);
}

function insertRow(tx: Tx, ctx: Context, going: SiteImport, row: TransferRow): Inserted {
  const { entry, siteId } = going;
  const need = (kind: NumberedKind, id: number): number => {
    const found = importedRow(tx, entry.id, kind, String(id));
    if (found === null) throw refused(`${row.type} ${nameOf(row)} names ${kind} ${id}, which has not been imported.`);
    return found.newId;
  };
  const optional = (kind: NumberedKind, id: number | null) => (id === null ? null : need(kind, id));
  const to: References = {
    number: (kind, id) => importedRow(tx, entry.id, kind, String(id))?.newId ?? null,
    ulid(before) {
      const ulid = before === going.site.ulid ? (siteById(tx, siteId)?.ulid ?? before) : newUlidOf(tx, going, before);
      if (!isUlidOfSite(tx, siteId, ulid))
        throw refused(`${row.type} ${nameOf(row)} names ${before}, which does not belong to the site.`);
      return ulid;
    },
  };
  const insert = inserters[row.type] as (row: TransferRow, step: Step) => Inserted;
  return insert(row, { tx, ctx, going, siteId, need, optional, to });
}

const inserters: Inserters<TransferRow['type']> = { ...setupInserters, ...ticketInserters, ...mailInserters };
