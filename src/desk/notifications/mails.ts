// Mails about notifications. One waits for each ticket, and tells what is still unread when it leaves (docs/spec/notifications.md#mail).

import type { Instant } from '../../base/clock.ts';
import { type MailKind, undoMs } from '../../domain/event.ts';
import { minuteMs } from '../../domain/instant.ts';
import { isOn, isUrgent, nextDigest, type Preferences } from '../../domain/notifications/preferences.ts';
import type { Tx } from '../../engine/database.ts';
import type { Hearer } from '../../store/notifications/followers.ts';
import { hasMailAt, mailedAt, type Notification } from '../../store/notifications/notifications.ts';
import { ticketById } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { queueMail } from '../outbox/queue-mail.ts';
import { joinAssigned } from '../outbox/undoable.ts';
import { mailOfKind } from './told.ts';

const gapMs = { at_once: 0, collected: 5 * minuteMs } as const;

type New = Omit<Notification, 'id' | 'mailAt'>;

/** Queues a mail, unless one that waits tells of it too. Returns when it leaves; null: there is none. */
export function mailNotification(
  tx: Tx,
  ctx: Context,
  agent: Hearer['agent'],
  preferences: Preferences,
  timeZone: string,
  news: New,
): Instant | null {
  const event = mailOfKind[news.kind];
  if (event === null || !isOn(preferences, 'mail', news.kind)) return null;
  const waitMs = Math.max(preferences.mail_after_minutes * minuteMs, news.kind === 'assigned' ? undoMs : 0);
  const earliest = Math.max(ctx.now + waitMs, preferences.paused_until ?? 0);
  const { siteId, ticketId, eventSeq, payload } = news;
  const queue = (at: Instant, kind: MailKind, of: { siteId: number | null; ticketId: number | null }) => {
    const told = { ...payload, told: { agent_id: agent.id, mail_at: at } };
    queueMail(tx, ctx, of.siteId, of.ticketId, eventSeq, kind, agent, told, undefined, at - ctx.now);
    return at;
  };
  const isUrgentNow = isUrgent(news.kind);
  if (ticketId === null || (preferences.mail_mode === 'digest' && !isUrgentNow)) {
    const at =
      preferences.mail_mode === 'digest' && !isUrgentNow
        ? nextDigest(earliest, preferences.digest_at, timeZone)
        : earliest;
    return hasMailAt(tx, agent.id, at) ? at : queue(at, 'mail.digest', { siteId: null, ticketId: null });
  }
  const last = mailedAt(tx, ticketId, agent.id);
  if (last > ctx.now && !isUrgentNow) return last;
  const gap = preferences.mail_mode === 'collected' && !isUrgentNow ? gapMs.collected : 0;
  const at = Math.max(earliest, last === 0 ? 0 : last + gap);
  const ticket = ticketById(tx, ticketId);
  if (news.kind === 'assigned' && ticket) {
    const joined = joinAssigned(tx, ctx, ticket, agent, at - ctx.now);
    if (joined !== null) return joined;
  }
  return queue(at, event, { siteId, ticketId });
}
