// Where an agent wants to hear of what (docs/spec/notifications.md#preferences).

import type { Instant } from '../instant.ts';
import { type NotificationKind, notificationKinds } from './notification.ts';

export const places = ['inbox', 'desktop', 'sound', 'push', 'mail'] as const;
type Place = (typeof places)[number];
export type Switch = `${Place}.${NotificationKind}`;
export const switches = places.flatMap((place) => notificationKinds.map((kind): Switch => `${place}.${kind}`));

/** Where agents change them in the console. */
export const preferencesPath = '/profile#notifications';

export const mailModes = ['at_once', 'collected', 'digest'] as const;
type MailMode = (typeof mailModes)[number];

interface QuietHours {
  /** Times of the day, as "22:00". */
  from: string;
  until: string;
  /** Breaches and alarms come all the same. */
  lets_urgent_through: boolean;
}

export interface Preferences {
  switches: Partial<Record<Switch, boolean>>;
  quiet_hours: QuietHours | null;
  paused_until: Instant | null;
  muted_sites: number[];
  mail_mode: MailMode;
  digest_at: string;
  /** Only what is still unread after so many minutes is mailed. */
  mail_after_minutes: number;
  follow_when_answering: boolean;
  follow_when_mentioned: boolean;
}

/** What a desk decides for all of its agents. */
export const deskChoices = [
  'quiet_hours',
  'mail_mode',
  'digest_at',
  'mail_after_minutes',
  'follow_when_answering',
  'follow_when_mentioned',
] as const satisfies readonly (keyof Preferences)[];
export type Fixed = Switch | (typeof deskChoices)[number];

export interface DeskNotifications {
  defaults?: Partial<Pick<Preferences, 'switches' | (typeof deskChoices)[number]>>;
  /** What agents cannot change. */
  fixed?: Fixed[];
}

const builtIn: Preferences = {
  switches: {
    ...Object.fromEntries(notificationKinds.map((kind) => [`sound.${kind}`, false])),
    // A team may get many tickets, and only one of it takes each.
    'push.team_assigned': false,
    'mail.team_assigned': false,
    // Held mail is often spam.
    'desktop.mail_held': false,
    'push.mail_held': false,
    'mail.mail_held': false,
  },
  quiet_hours: null,
  paused_until: null,
  muted_sites: [],
  mail_mode: 'collected',
  digest_at: '08:00',
  mail_after_minutes: 2,
  follow_when_answering: true,
  follow_when_mentioned: true,
};

export function preferencesOf(
  own: Partial<Preferences>,
  { defaults = {}, fixed = [] }: DeskNotifications,
): Preferences {
  const chosen = Object.fromEntries(Object.entries(own).filter(([name]) => !fixed.some((one) => one === name)));
  const ownSwitches = Object.entries(own.switches ?? {}).filter(([name]) => !fixed.some((one) => one === name));
  return {
    ...builtIn,
    ...defaults,
    ...chosen,
    switches: { ...builtIn.switches, ...defaults.switches, ...Object.fromEntries(ownSwitches) },
  };
}

export const isOn = ({ switches: set }: Pick<Preferences, 'switches'>, place: Place, kind: NotificationKind): boolean =>
  set[`${place}.${kind}`] ?? true;

const urgent: readonly NotificationKind[] = [
  'sla_breached',
  'channel_disabled',
  'mailbox_alarm',
  'backup_failed',
  'disk_low',
];
export const isUrgent = (kind: NotificationKind): boolean => urgent.includes(kind);

const local = (at: Instant, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);

/** By the clock on the wall, whatever the day has of it. */
function isInQuietHours({ from, until }: QuietHours, at: Instant, timeZone: string): boolean {
  const now = local(at, timeZone).toPlainTime().toString({ smallestUnit: 'minute' });
  return from <= until ? from <= now && now < until : now >= from || now < until;
}

/** Whether it may ring now, on a desktop or a phone. */
export function mayRing(preferences: Preferences, kind: NotificationKind, at: Instant, timeZone: string): boolean {
  const { quiet_hours: quiet, paused_until: pausedUntil } = preferences;
  if (pausedUntil !== null && at < pausedUntil) return false;
  if (quiet === null || (quiet.lets_urgent_through && isUrgent(kind))) return true;
  return !isInQuietHours(quiet, at, timeZone);
}

/** The next time that the clock on the wall says so. */
export function nextDigest(at: Instant, time: string, timeZone: string): Instant {
  const now = local(at, timeZone);
  const today = now.withPlainTime(time);
  const next = today.epochMilliseconds > at ? today : now.add({ days: 1 }).withPlainTime(time);
  return next.epochMilliseconds;
}

/** For each event where it is told: the switches as a table. */
type EventTable = Record<NotificationKind, Record<Place, boolean>>;

export const tableOf = (preferences: Pick<Preferences, 'switches'>): EventTable =>
  Object.fromEntries(
    notificationKinds.map((kind) => [
      kind,
      Object.fromEntries(places.map((place) => [place, isOn(preferences, place, kind)])),
    ]),
  ) as EventTable;

export const switchesIn = (table: Partial<Record<NotificationKind, Partial<Record<Place, boolean | undefined>>>>) =>
  Object.fromEntries(
    Object.entries(table).flatMap(([kind, row]) =>
      Object.entries(row).flatMap(([place, isSet]) => (isSet === undefined ? [] : [[`${place}.${kind}`, isSet]])),
    ),
  ) as Preferences['switches'];
