// Proofs that a browser reads the mail of an address (docs/spec/customer.md#links).

import type { Instant } from '../../base/clock.ts';
import { randomSecret, type Seal } from '../../base/crypto.ts';
import { customerLimits } from '../../domain/customers/link.ts';
import { DeskError } from '../../domain/errors.ts';
import { normaliseEmail } from '../../domain/mail/address.ts';
import type { Tx } from '../../engine/database.ts';
import { type Author, authorById } from '../../store/customers/authors.ts';
import {
  addressesOfBrowser,
  hasProofs,
  isProven,
  type ProvenAddress,
  saveProof,
} from '../../store/customers/proofs.ts';
import { participantsOf } from '../../store/tickets/participants.ts';
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

/**
 * Who a browser has proved to be: whom its link was sent to, or with a link that several people have, one of those on the
 * ticket. Null if no one.
 */
export function provenSpeaker(tx: Tx, seal: Seal, secret: string | null, visit: Visit, now: Instant): Author | null {
  const { site, address, author } = visit;
  if (address !== null) return hasProved(tx, seal, secret, { siteId: site.id, address }, now) ? author : null;
  if (secret === null) return null;
  const proved = addressesOfBrowser(tx, proofHash(seal, secret), site.id, now - customerLimits.proofMs);
  const people = proved.length === 0 ? [] : peopleOn(tx, visit);
  const isOn = proved.map((one) => people.find(({ email }) => normaliseEmail(email) === one));
  return isOn.find((person) => person !== undefined) ?? null;
}

/** Who may write by a link that several people have. */
export function peopleOn(tx: Tx, { thread }: Pick<Visit, 'thread'>): Author[] {
  const author = authorById(tx, thread.authorId);
  const others = participantsOf(tx, thread.id).filter(({ removedAt }) => removedAt === null);
  return [...(author && author.anonymisedAt === null ? [author] : []), ...others.map(({ person }) => person)];
}

/** Who writes, and whether they have confirmed their address. 403 where they must and have not. */
export function requireMayWrite(
  tx: Tx,
  ctx: Context,
  secret: string | null,
  visit: Visit,
): { speaker: Author; isConfirmed: boolean } {
  const proven = provenSpeaker(tx, ctx.seal, secret, visit, ctx.now);
  if (proven !== null) return { speaker: proven, isConfirmed: true };
  if (needsProof(visit))
    throw new DeskError('forbidden', 'Confirm your e-mail address first: ask for a code and enter it.', {
      reason: 'confirm_address',
    });
  return { speaker: visit.author, isConfirmed: false };
}

/** Also where links write without a code: of a link that several people have, the desk cannot tell whose it is. */
export function needsProof({ mode, address }: Pick<Visit, 'mode' | 'address'>): boolean {
  return mode === 'confirm' || address === null;
}
