// The address at which one agent answers one ticket by mail: a keyed hash of both and the day, so that nothing is stored for it.

import type { Instant } from '../../base/clock.ts';
import { isSameSecret } from '../../base/crypto.ts';
import { dayMs } from '../../domain/instant.ts';
import type { Tx } from '../../engine/database.ts';
import { type Ticket, ticketById } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';

const answerDays = 90;

const dayOf = (at: Instant) => Math.floor(at / dayMs);

/** In digits and small letters: some mail servers change the case of addresses. */
function macOf({ seal }: Context, ticketUlid: string, agentId: number, day: number): string {
  const signed = seal.sign('agent-answer', `${ticketUlid} ${agentId} ${day}`);
  return Buffer.from(signed, 'base64url').subarray(0, 16).toString('hex');
}

/** The part before the @, of at most 64 characters. */
export function answerAddress(ctx: Context, ticket: Pick<Ticket, 'id' | 'ulid'>, agentId: number, at: Instant): string {
  const named = [ticket.id, agentId, dayOf(at)].map((number) => number.toString(36)).join('-');
  return `agent+${named}-${macOf(ctx, ticket.ulid, agentId, dayOf(at))}`;
}

const shape = /^<?agent\+([0-9a-z]{1,11})-([0-9a-z]{1,7})-([0-9a-z]{1,5})-([0-9a-f]{32})@/i;

export interface AnswerTo {
  ticket: Ticket;
  agentId: number;
  isExpired: boolean;
}

/**
 * Null without such an address; 'unknown' if this desk never gave it to anyone.
 * @param addresses or references, in which an answer to a mailbox carries it
 */
export function readAnswerAddress(tx: Tx, ctx: Context, addresses: readonly string[]): AnswerTo | 'unknown' | null {
  const found = addresses.map((address) => shape.exec(address)).find((match) => match !== null);
  if (!found) return null;
  const [ticketId, agentId, day] = found.slice(1, 4).map((text) => Number.parseInt(text, 36)) as [
    number,
    number,
    number,
  ];
  const ticket = ticketById(tx, ticketId);
  if (!ticket || !isSameSecret(found[4]!.toLowerCase(), macOf(ctx, ticket.ulid, agentId, day))) return 'unknown';
  return { ticket, agentId, isExpired: dayOf(ctx.now) - day > answerDays };
}
