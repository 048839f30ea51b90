// The one place that decides by which ways a new notification leaves the desk.

import { isOn, type Preferences } from '../../domain/notifications/preferences.ts';
import type { Tx } from '../../engine/database.ts';
import type { Hearer } from '../../store/notifications/followers.ts';
import { insertNotification, type Notification } from '../../store/notifications/notifications.ts';
import type { Context } from '../context.ts';
import { mailNotification } from './mails.ts';
import { isRingingNow, queuePushes } from './push.ts';

export function deliver(
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
