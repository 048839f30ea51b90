// What a mail about notifications tells when it leaves.

import { scopeOfAgent } from '../../domain/actor.ts';
import type { MailKind } from '../../domain/event.ts';
import { isOfTeam, type NotificationKind } from '../../domain/notifications/notification.ts';
import { abilitiesOf } from '../../domain/people/roles.ts';
import type { Tx } from '../../engine/database.ts';
import { type Notification, notificationsInMail } from '../../store/notifications/notifications.ts';
import type { Delivery } from '../../store/outbox/outbox.ts';
import { agentById, agentFacts } from '../../store/people/agents.ts';
import { teamById } from '../../store/people/teams.ts';
import { ticketById } from '../../store/tickets/tickets.ts';

export const mailOfKind = {
  assigned: 'mail.assigned',
  team_assigned: 'mail.team_assigned',
  team_waiting: 'mail.team_waiting',
  mentioned: 'mail.mentioned',
  customer_replied: 'mail.customer_replied',
  side_answered: 'mail.side_answered',
  sla_warning: 'mail.sla_warning',
  sla_breached: 'mail.sla_breached',
  mail_held: 'mail.digest',
  // Each has its own mail, which says what to do and leaves immediately.
  channel_disabled: null,
  mailbox_alarm: null,
  backup_failed: 'mail.digest',
  disk_low: 'mail.digest',
} as const satisfies Record<NotificationKind, MailKind | null>;

/** Newest first, as far as the agent sees it by now. Null for another mail. */
export function toldIn(tx: Tx, { payload, ticketId }: Delivery): Notification[] | null {
  if (payload.told === undefined) return null;
  const { agent_id: agentId, mail_at: mailAt } = payload.told;
  const agent = agentById(tx, agentId);
  if (!agent?.isActive) return [];
  const { siteIds } = agentFacts(tx, [agentId]).get(agentId) ?? { siteIds: [] };
  const scope = scopeOfAgent({ role: agent.role, siteIds });
  const isManager = abilitiesOf(agent.role).includes('manage');
  const rows = notificationsInMail(tx, { agentId, scope, isManager }, mailAt).filter(
    // What was taken back is not told.
    (row) => isStillTheirs(tx, row),
  );
  return isOfOneTicket({ ticketId, payload }) ? rows.filter((row) => row.ticketId === ticketId) : rows;
}

function isStillTheirs(tx: Tx, { kind, ticketId, agentId }: Notification): boolean {
  if (ticketId === null || (kind !== 'assigned' && !isOfTeam(kind))) return true;
  const ticket = ticketById(tx, ticketId);
  if (kind === 'assigned') return ticket?.assigneeId === agentId;
  if (ticket?.teamId == null || ticket.assigneeId !== null) return false;
  return teamById(tx, ticket.teamId)?.memberIds.includes(agentId) === true;
}

const isOfOneTicket = ({ ticketId, payload }: Pick<Delivery, 'ticketId' | 'payload'>) =>
  ticketId !== null && payload.tickets === undefined;

/** The newest of what it tells decides what the mail is. */
export function asTold(tx: Tx, delivery: Delivery): { delivery: Delivery; told: Notification[] | null } {
  const rows = toldIn(tx, delivery);
  const unread = rows?.filter(({ readAt }) => readAt === null) ?? [];
  // One that is tried again tells what it told, also if that has been read meanwhile.
  const told = unread.length > 0 ? unread : rows;
  const newest = told?.[0];
  if (newest === undefined || !isOfOneTicket(delivery)) return { delivery, told };
  const event = mailOfKind[newest.kind] ?? delivery.event;
  return {
    delivery: { ...delivery, event, eventSeq: newest.eventSeq, payload: { ...delivery.payload, ...newest.payload } },
    told,
  };
}
