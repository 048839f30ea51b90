// Under which addresses mail has reached a site, such as an alias that only its mail server knows.

import type { Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';

/** A domain that takes every address must not fill the table. */
const mostArrivalAddresses = 1000;

export const isArrivalAddress = statement('SELECT 1 FROM arrival_addresses WHERE site_id = ? AND address = ?').has<
  [siteId: number, address: string]
>;

const insert = statement('INSERT INTO arrival_addresses (site_id, address) VALUES (?, ?)').run<
  [siteId: number, address: string]
>;

const forgetOldest = statement(`DELETE FROM arrival_addresses WHERE id <= (
  SELECT id FROM arrival_addresses WHERE site_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2) AND site_id = ?1`).run<
  [siteId: number, most: number]
>;

export const forgetArrivalAddress = statement('DELETE FROM arrival_addresses WHERE site_id = ? AND address = ?').run<
  [siteId: number, address: string]
>;

export function noteArrivalAddress(tx: Tx, siteId: number, address: string): void {
  if (isArrivalAddress(tx, siteId, address)) return;
  insert(tx, siteId, address);
  forgetOldest(tx, siteId, mostArrivalAddresses);
}
