// What a notification says, and where it leads.

import { alarmPaths } from '../../../domain/notifications/notification.ts';
import { t } from '../customers/messages.ts';
import { subjectText } from '../list/messages.ts';
import type { Notification } from '../wire.ts';

const texts: Record<Notification['kind'], (who: string) => string> = {
  assigned: (who) => t.toldAssigned(who),
  team_assigned: (who) => t.toldTeam(who),
  team_waiting: () => t.toldTeamWaits,
  mentioned: (who) => t.toldMentioned(who),
  customer_replied: (who) => t.toldReplied(who),
  side_answered: (who) => t.toldAside(who),
  sla_warning: () => t.toldWarned,
  sla_breached: () => t.toldBreached,
  mail_held: () => t.toldHeld,
  channel_disabled: () => t.toldChannel,
  mailbox_alarm: () => t.toldMailbox,
  backup_failed: () => t.toldBackup,
  disk_low: () => t.toldDisk,
};

export const toldText = ({ kind, actor }: Notification): string => texts[kind](actor ?? t.toldSomeone);

export const toldTitle = (told: Notification): string =>
  told.ticket === null
    ? (told.subject ?? toldText(told))
    : `${told.ticket.reference} ${subjectText(told.ticket.subject)}`;

export function placeOf({ kind, ticket, message_ulid: message }: Notification): string {
  if (ticket !== null) return `/tickets/${ticket.ulid}${message === null ? '' : `?message=${message}`}`;
  return alarmPaths[kind] ?? '/notifications';
}
