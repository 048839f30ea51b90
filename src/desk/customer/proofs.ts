// Proofs that a browser reads the mail of an address (docs/spec/customer.md#links).

import type { Instant } from '../../base/clock.ts';
import { randomSecret, type Seal } from '../../base/crypto.ts';
import { customerLimits } from '../../domain/customer-link.ts';
import { DeskError } from '../../domain/errors.ts';
import { hasProofs, isProven, type ProvenAddress, saveProof } from '../../store/customer-proofs.ts';
import type { Tx } from '../../store/database.ts';
import type { Context } from '../context.ts';
import type { Visit } from './visits.ts';

export const proofHash = (seal: Seal, secret: string) => seal.fingerprint('customer-proof', secret);

/** @param secret of the browser's cookie; null if it has none */
export function hasProved(tx: Tx, seal: Seal, secret: string | null, proven: ProvenAddress, now: Instant): boolean {
  return secret !== null && isProven(tx, proofHash(seal, secret), proven, now - customerLimits.proofMs);
}

/** Returns the secret for the browser's cookie: a new one, unless it already has proofs. */
export function prove(tx: Tx, ctx: Context, secret: string | null, proven: ProvenAddress): string {
  const isKnown = secret !== null && hasProofs(tx, proofHash(ctx.seal, secret));
  const own = isKnown ? secret : randomSecret('hdp');
  saveProof(tx, proofHash(ctx.seal, own), proven, ctx.now, customerLimits.proofsOfBrowser);
  return own;
}

export function isConfirmed(tx: Tx, seal: Seal, secret: string | null, { site, address }: Visit, now: Instant) {
  return hasProved(tx, seal, secret, { siteId: site.id, address }, now);
}

/** Returns whether the address is confirmed. 403 where it must be and is not. */
export function requireMayWrite(tx: Tx, ctx: Context, secret: string | null, visit: Visit): boolean {
  const isSure = isConfirmed(tx, ctx.seal, secret, visit, ctx.now);
  if (!isSure && visit.mode === 'confirm')
    throw new DeskError('forbidden', 'Confirm your e-mail address first: ask for a code and enter it.', {
      reason: 'confirm_address',
    });
  return isSure;
}
