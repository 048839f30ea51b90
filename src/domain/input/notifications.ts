// Input about notifications, in the wire's names.

import * as z from 'zod';
import { followings, notificationKinds } from '../notifications/notification.ts';
import { deskChoices, mailModes, places, switches } from '../notifications/preferences.ts';
import { timeOfDay } from './fields.ts';

const mostAtOnce = 1000;

export const readInput = z
  .object({
    ids: z.array(z.int().positive()).max(mostAtOnce).optional(),
    ticket: z.string().max(26).optional().meta({ description: 'The ulid of a ticket: all about it.' }),
    up_to: z
      .int()
      .positive()
      .optional()
      .meta({ description: 'All, up to the one with this id: later ones were not seen.', examples: [41] }),
  })
  .refine((value) => Object.values(value).some((one) => one !== undefined), {
    error: 'must have ids, ticket or up_to.',
  });
export type ReadInput = z.output<typeof readInput>;

export const followingInput = z.object({ following: z.enum(followings).meta({ examples: ['yes'] }) });
export type FollowingInput = z.output<typeof followingInput>;

const row = z.object(Object.fromEntries(places.map((place) => [place, z.boolean().optional()])));
const events = z.partialRecord(z.enum(notificationKinds), row).meta({ examples: [{ assigned: { mail: false } }] });

const choices = {
  events: events.optional(),
  quiet_hours: z
    .object({ from: timeOfDay(), until: timeOfDay(), lets_urgent_through: z.boolean().default(true) })
    .nullish(),
  mail_mode: z.enum(mailModes).optional(),
  digest_at: timeOfDay().optional(),
  mail_after_minutes: z.int().min(0).max(1440).optional(),
  follow_when_answering: z.boolean().optional(),
  follow_when_mentioned: z.boolean().optional(),
};

export const preferencesInput = z.object({
  ...choices,
  paused_until: z.iso.datetime({ offset: true }).nullish(),
  muted_sites: z.array(z.int().positive()).max(1000).optional(),
});
export type PreferencesInput = z.output<typeof preferencesInput>;

export const fixable = z.enum([...switches, ...deskChoices]).meta({ id: 'NotificationChoice' });

/** What agents start with, and what they cannot change. */
export const deskNotificationsInput = z.object({
  defaults: z.object(choices).optional(),
  fixed: z
    .array(fixable)
    .max(switches.length + deskChoices.length)
    .optional(),
});
export type DeskNotificationsInput = z.output<typeof deskNotificationsInput>;
