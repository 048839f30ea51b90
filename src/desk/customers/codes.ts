// Codes that prove an address: six digits, mailed to it (docs/spec/customer.md#confirmation).

import { isSameSecret, type Seal } from '../../base/crypto.ts';
import { newUlid } from '../../base/ids.ts';
import { customerLimits } from '../../domain/customers/link.ts';
import type { Tx } from '../../engine/database.ts';
import {
  codeById,
  countAttempt,
  countCodes,
  countShortCodes,
  insertCode,
  newestCodeOf,
  useUpCode,
} from '../../store/customers/codes.ts';
import { newestTicketOfAddress } from '../../store/customers/lists.ts';
import type { ProvenAddress } from '../../store/customers/proofs.ts';
import { ticketById } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { mailCustomerCode } from '../outbox/customer-mails.ts';

/** Derived, so that the database does not hold it. */
function codeOf(seal: Seal, ulid: string, digits: number): string {
  const number = Buffer.from(seal.sign('customer-code', ulid), 'base64url').readUIntBE(0, 6) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

/** How long the next code of a site is, whatever address it is for. */
export function codeDigits(tx: Tx, ctx: Context, siteId: number): number {
  const { codeDigits: few, longCodeDigits, shortCodesAnHour: most, hourMs } = customerLimits;
  return countShortCodes(tx, siteId, ctx.now - hourMs, few, most) < most ? few : longCodeDigits;
}

/**
 * The same work for every address, whether or not the desk knows it.
 * @param askerHash of the visit or list: only its browser can enter the code
 * @param network of the client that asks
 * @returns its id; null after too many in an hour
 */
export function issueCode(
  tx: Tx,
  ctx: Context,
  whose: ProvenAddress & { isByLink: boolean },
  askerHash: string,
  network: string,
): number | null {
  const { siteId, address, isByLink } = whose;
  const { codesAnHour, codesFromAllAnHour, hourMs } = customerLimits;
  const networkHash = ctx.seal.fingerprint('customer-network', network);
  const { all, ofNetwork } = countCodes(tx, { ...whose, networkHash }, ctx.now - hourMs);
  // A link is a secret of its own: who has one asks within its budget, from wherever they are.
  const isOverBudget = isByLink ? all >= codesAnHour : ofNetwork >= codesAnHour || all >= codesFromAllAnHour;
  if (isOverBudget) return null;
  const expiresAt = ctx.now + customerLimits.codeMs;
  return insertCode(tx, {
    ulid: newUlid(ctx.now),
    siteId,
    address,
    askerHash,
    attempts: 0,
    createdAt: ctx.now,
    expiresAt,
    isByLink,
    digits: codeDigits(tx, ctx, siteId),
    networkHash,
  });
}

/** @param ticketId the one that the browser shows; without it, the mail goes only to an address that has a ticket */
export function mailCode(tx: Tx, ctx: Context, codeId: number, ticketId: number | null): void {
  const issued = codeById(tx, codeId);
  // An erasure took it, or the desk was down for longer than the code counts.
  if (issued === undefined || issued.expiresAt <= ctx.now) return;
  const { siteId, address, ulid, digits } = issued;
  const id = ticketId ?? newestTicketOfAddress(tx, siteId, address);
  const ticket = id === null ? undefined : ticketById(tx, id);
  if (ticket) mailCustomerCode(tx, ctx, { ticket, address, code: codeOf(ctx.seal, ulid, digits) });
}

type Entered = { proven: ProvenAddress } | { attemptsLeft: number };

/** Counts each attempt. A code works once. */
export function enterCode(tx: Tx, ctx: Context, askerHash: string, typed: string): Entered {
  const asked = newestCodeOf(tx, askerHash);
  const isRight = isSameSecret(codeOf(ctx.seal, asked?.ulid ?? '', asked?.digits ?? customerLimits.codeDigits), typed);
  const isAlive = asked !== undefined && asked.expiresAt > ctx.now && asked.attempts < customerLimits.codeAttempts;
  if (!isAlive) return { attemptsLeft: 0 };
  if (!isRight) {
    countAttempt(tx, asked.id);
    return { attemptsLeft: customerLimits.codeAttempts - asked.attempts - 1 };
  }
  useUpCode(tx, asked.id, ctx.now);
  return { proven: { siteId: asked.siteId, address: asked.address } };
}
