// Proofs that a browser reads the mail of an address (docs/spec/customer.md#links).

import type { Instant } from '../../base/clock.ts';
import type { Seal } from '../../base/crypto.ts';
import { customerLimits } from '../../domain/customer-link.ts';
import { isProven, type ProvenAddress } from '../../store/customer-proofs.ts';
import type { Tx } from '../../store/database.ts';
import type { Visit } from './visits.ts';

const hashOf = (seal: Seal, secret: string) => seal.fingerprint('customer-proof', secret);

/** @param secret of the browser's cookie; null if it has none */
export function hasProved(tx: Tx, seal: Seal, secret: string | null, proven: ProvenAddress, now: Instant): boolean {
  return secret !== null && isProven(tx, hashOf(seal, secret), proven, now - customerLimits.proofMs);
}

export function isConfirmed(tx: Tx, seal: Seal, secret: string | null, { site, address }: Visit, now: Instant) {
  return hasProved(tx, seal, secret, { siteId: site.id, address }, now);
}
