// What agents hear of, and why (docs/spec/notifications.md).

import type { MailboxAlarm } from '../mail/mailbox-alarms.ts';

/** About a ticket. */
const ticketKinds = [
  'assigned',
  'team_assigned',
  'team_waiting',
  'mentioned',
  'customer_replied',
  'side_answered',
  'sla_warning',
  'sla_breached',
] as const;
/** Something is wrong with the desk, or waits for who manages it. */
export const alarmKinds = ['mail_held', 'channel_disabled', 'mailbox_alarm', 'backup_failed', 'disk_low'] as const;
export const notificationKinds = [...ticketKinds, ...alarmKinds] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** The page of the console where what is wrong can be put right. */
export const alarmPaths: Readonly<Partial<Record<NotificationKind, string>>> = {
  mail_held: '/inbox/held-mail',
  channel_disabled: '/settings/webhooks',
  mailbox_alarm: '/settings/mailboxes',
  backup_failed: '/settings/system',
  disk_low: '/settings/system',
};

/** Strongest first: with several, the first is shown. */
export const reasons = ['assignee', 'mentioned', 'starter', 'follower', 'team', 'manager'] as const;
export type Reason = (typeof reasons)[number];

/** Nothing about people: who wrote, and what, is read from the ticket. */
export interface NotificationPayload {
  side_message_id?: number;
  channel_id?: number;
  mailbox_id?: number;
  alarm?: MailboxAlarm;
  /** In the desk's own words. */
  reason?: string;
}

/** For all of a team, while no one of it has the ticket. */
export const isOfTeam = (kind: NotificationKind): boolean => kind === 'team_assigned' || kind === 'team_waiting';

export const followings = ['yes', 'muted', 'no'] as const;
export type Following = (typeof followings)[number];

export const keptDays = 90;
