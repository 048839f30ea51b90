// What agents do with their notifications, and with the tickets that they follow.

import { type AgentActor, can } from '../../domain/actor.ts';
import type { FollowingInput, ReadInput } from '../../domain/input/notifications.ts';
import type { Tx } from '../../engine/database.ts';
import { putFollower, removeFollower } from '../../store/notifications/followers.ts';
import {
  hasUnreadOfTicket,
  type Reader,
  readNotifications,
  readOfTicket,
  readUpTo,
} from '../../store/notifications/notifications.ts';
import { ticketByUlid } from '../../store/tickets/tickets.ts';
import { authorise, findTicket } from '../access.ts';
import type { Context } from '../context.ts';

export const readerOf = (actor: AgentActor): Reader => ({
  agentId: actor.agentId,
  scope: actor.scope,
  isManager: can(actor, 'manage'),
});

/** Also of a ticket that they may no longer see. */
export function markNotifications(tx: Tx, ctx: Context, { agentId }: AgentActor, input: ReadInput): void {
  if (input.ids !== undefined) readNotifications(tx, ctx.now, agentId, input.ids);
  if (input.up_to !== undefined) readUpTo(tx, ctx.now, agentId, input.up_to);
  const ticket = input.ticket === undefined ? undefined : ticketByUlid(tx, input.ticket);
  if (ticket) readOfTicket(tx, ctx.now, agentId, ticket.id);
}

export function readTicketNotifications(tx: Tx, ctx: Context, agentId: number, ticketId: number): void {
  if (hasUnreadOfTicket(tx, agentId, ticketId)) readOfTicket(tx, ctx.now, agentId, ticketId);
}

export function setFollowing(
  tx: Tx,
  ctx: Context,
  { agentId }: AgentActor,
  name: string,
  { following }: FollowingInput,
): void {
  authorise(ctx, 'read');
  const { id } = findTicket(tx, ctx, name);
  if (following === 'no') removeFollower(tx, id, agentId);
  else putFollower(tx, id, agentId, following === 'muted' ? 1 : 0, ctx.now);
}
