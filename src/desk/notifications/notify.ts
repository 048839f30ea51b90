// Writes down who hears of what, in the transaction of the change (docs/spec/notifications.md).

import type { EventData, EventKind } from '../../domain/event.ts';
import { normaliseEmail } from '../../domain/mail/address.ts';
import {
  type NotificationKind,
  type NotificationPayload,
  type Reason,
  reasons,
} from '../../domain/notifications/notification.ts';
import { isOn, type Preferences, preferencesOf } from '../../domain/notifications/preferences.ts';
import { abilitiesOf } from '../../domain/people/roles.ts';
import type { Tx } from '../../engine/database.ts';
import { authorById } from '../../store/customers/authors.ts';
import { readDeskSettings } from '../../store/desk-settings.ts';
import { followUnlessDecided, type Hearer, hearersOf } from '../../store/notifications/followers.ts';
import { hasUnreadOfSite, insertNotification, type Notification } from '../../store/notifications/notifications.ts';
import { agentsOfSite } from '../../store/people/agents.ts';
import { teamById } from '../../store/people/teams.ts';
import { mentionsIn } from '../../store/tickets/mentions.ts';
import { type Message, messageByUlid } from '../../store/tickets/messages.ts';
import { type Ticket, ticketById } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { isGivenBack } from '../outbox/undoable.ts';
import { alarmEvents, floodMs, tellChannels } from './channels.ts';
import { mailNotification } from './mails.ts';
import { isRingingNow, queuePushes } from './push.ts';

interface News {
  kind: NotificationKind;
  siteId: number | null;
  ticketId?: number | null;
  seq?: number | null;
  payload?: NotificationPayload;
}

type Named = readonly (readonly [agentId: number | null, reason: Reason])[];

/** Tells each of these once, by the strongest of their reasons. */
export function tell(
  tx: Tx,
  ctx: Context,
  { kind, siteId, ticketId = null, seq = null, payload = {} }: News,
  named: Named,
  { withFollowers = false, except = null }: { withFollowers?: boolean; except?: string | null } = {},
): void {
  if (ctx.isSilent || (named.length === 0 && !withFollowers)) return;
  const strongest = (agentId: number) =>
    reasons.find((reason) => named.some(([id, why]) => id === agentId && why === reason)) ?? 'follower';
  const ids = named.flatMap(([id]) => id ?? []);
  const hearers = hearersOf(tx, ids, { ticketId, siteId, withFollowers }).filter(
    (hearer) => mayHear(ctx, hearer, kind) && normaliseEmail(hearer.agent.email) !== except,
  );
  if (hearers.length === 0) return;
  const desk = readDeskSettings(tx);
  for (const { agent, preferences: own } of hearers) {
    const preferences = preferencesOf(own, desk.notifications);
    if (siteId !== null && preferences.muted_sites.includes(siteId)) continue;
    const reason = strongest(agent.id);
    if (kind === 'mentioned' && ticketId !== null && preferences.follow_when_mentioned)
      followUnlessDecided(tx, ticketId, agent.id, ctx.now);
    deliver(tx, ctx, agent, preferences, agent.timeZone ?? desk.timeZone, {
      agentId: agent.id,
      kind,
      reason,
      siteId,
      ticketId,
      eventSeq: seq,
      payload,
      inInbox: isOn(preferences, 'inbox', kind),
      createdAt: ctx.now,
      readAt: null,
    });
  }
}

/** Who muted a ticket still hears of what is meant for them. No one hears of what they did themselves. */
function mayHear({ actor }: Context, { agent, isMuted }: Hearer, kind: NotificationKind): boolean {
  if (actor.kind === 'agent' && actor.agentId === agent.id) return false;
  return !isMuted || kind === 'assigned' || kind === 'mentioned';
}

/** Who manages the site; null: who manages all of them. */
export function managersOf(tx: Tx, siteId: number | null): Named {
  return agentsOfSite(tx, siteId ?? 0)
    .filter(({ role }) => abilitiesOf(role).includes('manage'))
    .map(({ id }) => [id, 'manager'] as const);
}

/** Who manages the site and wants mail of it. */
export function managersByMail(tx: Tx, siteId: number, kind: NotificationKind): Hearer['agent'][] {
  const desk = readDeskSettings(tx).notifications;
  const managers = managersOf(tx, siteId).flatMap(([id]) => id ?? []);
  return hearersOf(tx, managers, { ticketId: null, siteId, withFollowers: false }).flatMap(({ agent, preferences }) => {
    const own = preferencesOf(preferences, desk);
    return isOn(own, 'mail', kind) && !own.muted_sites.includes(siteId) ? [agent] : [];
  });
}

/** Not again to who has not read the last one: a flood of spam is one line. `siteId` null: of the whole desk. */
export function tellOnce(
  tx: Tx,
  ctx: Context,
  kind: 'mail_held' | 'backup_failed' | 'disk_low',
  siteId: number | null,
): void {
  const named = managersOf(tx, siteId).filter(([id]) => id !== null && !hasUnreadOfSite(tx, id, kind, siteId));
  tell(tx, ctx, { kind, siteId }, named);
  tellChannels(tx, ctx, { event: alarmEvents[kind], siteId }, { leastBetweenMs: floodMs });
}

type Told = (tx: Tx, ctx: Context, ticket: Ticket, data: EventData, seq: number) => void;

const spoken: Told = (tx, ctx, ticket, data, seq) => {
  const message = typeof data.message_ulid === 'string' ? messageByUlid(tx, data.message_ulid) : undefined;
  if (!message || message.isAutomated) return;
  if (message.isAgent) return spokenByAgent(tx, ctx, ticket, message, seq);
  const writer = message.authorId === null ? undefined : authorById(tx, message.authorId);
  tell(
    tx,
    ctx,
    { kind: 'customer_replied', siteId: ticket.siteId, ticketId: ticket.id, seq },
    ticket.assigneeId === null ? [] : [[ticket.assigneeId, 'assignee']],
    { withFollowers: true, except: writer === undefined ? null : normaliseEmail(writer.email) },
  );
};

function spokenByAgent(tx: Tx, ctx: Context, ticket: Ticket, message: Message, seq: number): void {
  if (!message.isInternal && ctx.actor.kind === 'agent') follow(tx, ctx, ticket, ctx.actor.agentId);
  const mentioned = mentionsIn(tx, [message.id]).map(({ agentId }) => agentId);
  tellMentioned(tx, ctx, ticket, mentioned, seq);
}

function follow(tx: Tx, ctx: Context, ticket: Ticket, agentId: number): void {
  const [own] = hearersOf(tx, [agentId], { ticketId: ticket.id, siteId: ticket.siteId, withFollowers: false });
  if (own && preferencesOf(own.preferences, readDeskSettings(tx).notifications).follow_when_answering)
    followUnlessDecided(tx, ticket.id, agentId, ctx.now);
}

export function tellMentioned(tx: Tx, ctx: Context, ticket: Ticket, agentIds: readonly number[], seq: number): void {
  if (ticket.isSpam || ticket.isTest) return;
  const named = agentIds.map((id) => [id, 'mentioned'] as const);
  tell(tx, ctx, { kind: 'mentioned', siteId: ticket.siteId, ticketId: ticket.id, seq }, named);
}

/** All of its team who see it. Returns whether there is anyone. */
export function tellTeam(tx: Tx, ctx: Context, ticket: Ticket, kind: NotificationKind, seq: number | null): boolean {
  const { id: ticketId, siteId, teamId } = ticket;
  const members = (teamId === null ? undefined : teamById(tx, teamId))?.memberIds ?? [];
  if (hearersOf(tx, members, { ticketId, siteId, withFollowers: false }).length === 0) return false;
  tell(
    tx,
    ctx,
    { kind, siteId, ticketId, seq },
    members.map((id) => [id, 'team'] as const),
  );
  return true;
}

const clock =
  (kind: 'sla_warning' | 'sla_breached'): Told =>
  (tx, ctx, ticket, _data, seq) => {
    const about = { kind, siteId: ticket.siteId, ticketId: ticket.id, seq };
    const { assigneeId } = ticket;
    const isTaken =
      assigneeId !== null &&
      hearersOf(tx, [assigneeId], { ticketId: ticket.id, siteId: ticket.siteId, withFollowers: false }).length > 0;
    if (isTaken) tell(tx, ctx, about, [[assigneeId, 'assignee']]);
    else if (!tellTeam(tx, ctx, ticket, kind, seq)) tell(tx, ctx, about, managersOf(tx, ticket.siteId));
  };

const told: Partial<Record<EventKind, Told>> = {
  'ticket.assigned': (tx, ctx, ticket, data, seq) => {
    const { assigned_to: assigned, team_id: team } = data.changes ?? {};
    const to = assigned?.to;
    const isForTeam = typeof team?.to === 'number' || data.is_away === true;
    if (isForTeam && ticket.assigneeId === null) tellTeam(tx, ctx, ticket, 'team_assigned', seq);
    if (typeof to !== 'number' || isGivenBack(tx, ctx, ticket, { id: to })) return;
    tell(tx, ctx, { kind: 'assigned', siteId: ticket.siteId, ticketId: ticket.id, seq }, [[to, 'assignee']]);
  },
  'ticket.replied': spoken,
  'ticket.note_added': spoken,
  'ticket.sla_warning': clock('sla_warning'),
  'ticket.sla_breached': clock('sla_breached'),
};

export function notify(
  tx: Tx,
  ctx: Context,
  kind: EventKind,
  subject: Ticket | number,
  data: EventData,
  seq: number,
): void {
  const tellOf = told[kind];
  if (tellOf === undefined) return;
  const ticket = typeof subject === 'number' ? ticketById(tx, subject) : subject;
  if (ticket && !ticket.isSpam && !ticket.isTest) tellOf(tx, ctx, ticket, data, seq);
}

function deliver(
  tx: Tx,
  ctx: Context,
  agent: Hearer['agent'],
  preferences: Preferences,
  timeZone: string,
  news: Omit<Notification, 'id' | 'mailAt'>,
): void {
  const mailAt = mailNotification(tx, ctx, agent, preferences, timeZone, news);
  const id = insertNotification(tx, { ...news, mailAt });
  if (isOn(preferences, 'push', news.kind) && isRingingNow(tx, ctx, agent, preferences, news.kind))
    queuePushes(tx, ctx, { ...news, id });
}
