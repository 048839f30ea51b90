// Codes and links that someone asks for without having proved who they are. Every request leaves a row, whether or not there is
// anything to mail, and a job takes it up after a random delay: neither the answer nor the time of the next request shows whether
// the desk knows the person.

import { randomBelow } from '../../base/crypto.ts';
import { DeskError } from '../../domain/errors.ts';
import type { Tx } from '../../engine/database.ts';
import { countAsked, deleteAsked, dueAsked, insertAsked } from '../../store/outbox/asked-mails.ts';
import type { Context } from '../context.ts';
import { mailCode } from '../customers/codes.ts';
import { requestLink } from '../customers/ticket-links.ts';
import { requestReset } from '../people/sign-in-links.ts';

type Asked =
  /** Without a code: too many were asked for, or the address is of no one on the ticket. */
  | { kind: 'code'; codeId: number | null; ticketId: number | null }
  | { kind: 'link'; ticket: string }
  | { kind: 'password'; email: string };

// The job adds up to a second.
const leastMs = 500;
const mostMs = 3500;
/** They are gone within seconds, so only a flood makes as many. */
const mostWaiting = 5000;

export function askForMail(tx: Tx, ctx: Context, asked: Asked): void {
  if (countAsked(tx) >= mostWaiting)
    throw new DeskError('unavailable', 'Too many people ask for mail. Try again in a few seconds.', {
      retryAfterSeconds: 5,
    });
  const mailAt = ctx.now + leastMs + randomBelow(mostMs - leastMs);
  insertAsked(tx, { mailAt, askedSealed: ctx.seal.seal(JSON.stringify(asked)) });
}

export const askedToMail = (tx: Tx, ctx: Context) => dueAsked(tx, ctx.now, ctx.now + mostMs);

type Waiting = ReturnType<typeof askedToMail>[number];

export function mailAsked(tx: Tx, ctx: Context, { id, askedSealed }: Waiting): void {
  const asked: Asked = JSON.parse(ctx.seal.open(askedSealed));
  if (asked.kind === 'link') requestLink(tx, ctx, asked.ticket);
  else if (asked.kind === 'password') requestReset(tx, ctx, asked.email);
  else if (asked.codeId !== null) mailCode(tx, ctx, asked.codeId, asked.ticketId);
  deleteAsked(tx, id);
}

export const forgetAsked = (tx: Tx, { id }: Waiting) => deleteAsked(tx, id);
