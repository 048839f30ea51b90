// "My tickets": a browser asks for the tickets of an address, and sees them after a code (docs/spec/customer.md#confirmation).

import type { Instant } from '../../base/clock.ts';
import { randomSecret, type Seal } from '../../base/crypto.ts';
import { customerLimits } from '../../domain/customers/link.ts';
import type { Tx } from '../../engine/database.ts';
import { deleteList, insertList, listByHash, proveList } from '../../store/customers/lists.ts';
import type { ProvenAddress } from '../../store/customers/proofs.ts';
import type { Context } from '../context.ts';

export const listHash = (seal: Seal, secret: string) => seal.fingerprint('customer-list', secret);

/** Waits for its code. The same work for every address; returns the secret for the cookie. */
export function startList(tx: Tx, ctx: Context, { siteId, address }: ProvenAddress, former: string | null): string {
  if (former !== null) deleteList(tx, listHash(ctx.seal, former));
  const secret = randomSecret('hds');
  insertList(tx, {
    siteId,
    address,
    tokenHash: listHash(ctx.seal, secret),
    createdAt: ctx.now,
    provenAt: null,
    expiresAt: ctx.now + customerLimits.codeMs,
  });
  return secret;
}

export function confirmList(tx: Tx, ctx: Context, secret: string): void {
  proveList(tx, listHash(ctx.seal, secret), ctx.now, ctx.now + customerLimits.listMs);
}

/** Whose tickets the browser may see on this site; null until the code was right. */
export function provenListOf(
  tx: Tx,
  seal: Seal,
  secret: string | null,
  siteId: number,
  now: Instant,
): ProvenAddress | null {
  const list = secret === null ? undefined : listByHash(tx, listHash(seal, secret), siteId, now);
  return list && list.provenAt !== null ? { siteId, address: list.address } : null;
}

export function endList(tx: Tx, seal: Seal, secret: string): void {
  deleteList(tx, listHash(seal, secret));
}
