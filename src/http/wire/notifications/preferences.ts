// Preferences of notifications on the wire (docs/spec/notifications.md#preferences).

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import type { OwnPreferences } from '../../../desk/notifications/preferences.ts';
import { fixable } from '../../../domain/input/notifications.ts';
import { notificationKinds } from '../../../domain/notifications/notification.ts';
import {
  type DeskNotifications,
  mailModes,
  type Preferences,
  places,
  preferencesOf,
  tableOf,
} from '../../../domain/notifications/preferences.ts';
import { id, maybeTime, named } from '../shapes.ts';

const row = named('NotificationPlaces', z.object(Object.fromEntries(places.map((place) => [place, z.boolean()]))));
const table = named('NotificationEvents', z.object(Object.fromEntries(notificationKinds.map((kind) => [kind, row]))));
const choices = {
  events: table,
  quiet_hours: z.object({ from: z.string(), until: z.string(), lets_urgent_through: z.boolean() }).nullable(),
  mail_mode: z.enum(mailModes),
  digest_at: z.string(),
  mail_after_minutes: z.int(),
  follow_when_answering: z.boolean(),
  follow_when_mentioned: z.boolean(),
};
const fixed = z.array(fixable);

export const preferencesShape = named(
  'NotificationPreferences',
  z.object({
    ...choices,
    paused_until: maybeTime(),
    muted_sites: z.array(id()),
    fixed: fixed.meta({ description: 'What the desk has fixed for everyone.' }),
  }),
);

export const deskNotificationsShape = named('DeskNotifications', z.object({ defaults: z.object(choices), fixed }));

function presentChoices(preferences: Preferences) {
  const { switches: _, paused_until: __, muted_sites: ___, ...rest } = preferences;
  return { events: tableOf(preferences), ...rest };
}

export const presentPreferences = ({ preferences, fixed: fixedOnes }: OwnPreferences) => ({
  ...presentChoices(preferences),
  paused_until: toWire(preferences.paused_until),
  muted_sites: preferences.muted_sites,
  fixed: fixedOnes,
});

export const presentDeskNotifications = (notifications: DeskNotifications) => ({
  defaults: presentChoices(preferencesOf({}, notifications)),
  fixed: notifications.fixed ?? [],
});
