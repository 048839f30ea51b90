// A session and the account behind it on the wire (docs/spec/people.md#sessions).

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import type { Context } from '../../../desk/context.ts';
import { accountOf } from '../../../desk/people/agents.ts';
import { actorOf, confirmedUntil, frameToken, mustAddSecondFactor, ownAgent } from '../../../desk/people/sessions.ts';
import { listVisibleSites } from '../../../desk/sites/sites.ts';
import { abilities } from '../../../domain/actor.ts';
import { isOn as isSwitchedOn, preferencesOf } from '../../../domain/notifications/preferences.ts';
import { locales, notices, noticeWays, themes } from '../../../domain/people/preferences.ts';
import { secondFactors, sessionEndsAt } from '../../../domain/people/sign-in.ts';
import { agentsRules } from '../../../domain/tickets/files.ts';
import type { Tx } from '../../../engine/database.ts';
import { readDeskSettings } from '../../../store/desk-settings.ts';
import type { Agent } from '../../../store/people/agents.ts';
import type { Session, SignedIn } from '../../../store/people/sessions.ts';
import { presenter } from '../presenter.ts';
import { id, maybeTime, named, one, time } from '../shapes.ts';
import { agentAccountShape, presentAccount } from './people.ts';

const mostSites = 1000;

const sessionShape = named(
  'Session',
  z.object({
    agent: agentAccountShape,
    abilities: z.array(z.enum(abilities)),
    sites: z
      .array(z.object({ id: id(), name: z.string(), slug: z.string(), max_file_bytes: z.int() }))
      .meta({ description: 'The sites that the session can see.' }),
    must_add_second_factor: z.boolean().meta({
      description: 'The desk requires a second factor. Until one is added, the session can do nothing else.',
    }),
    confirmed_until: maybeTime().meta({
      description: 'Until when calls that need a recent password or factor go through.',
    }),
    expires_at: time(),
    frame_token: z.string().meta({ description: 'For the address of a mail in a frame.' }),
  }),
);

export function presentSession(tx: Tx, ctx: Context, session: SignedIn) {
  const actor = actorOf(session);
  const sites = listVisibleSites(tx, { ...ctx, actor }, mostSites, 0).rows;
  return {
    agent: presentAccount(accountOf(tx, ownAgent(tx, actor)), ctx.now),
    abilities: actor.abilities,
    sites: sites.map(({ id: siteId, name, slug, settings }) => ({
      ...{ id: siteId, name, slug },
      max_file_bytes: agentsRules(settings).maxBytes,
    })),
    must_add_second_factor: mustAddSecondFactor(session),
    confirmed_until: toWire(confirmedUntil(session)),
    expires_at: toWire(sessionEndsAt(session)),
    frame_token: frameToken(ctx.seal, session.id),
  };
}

export const startedShape = one(sessionShape);

/** What is asked for before there is a session. */
export const askedAnswer = {
  status: 202,
  description: 'A second factor is needed first',
  schema: z.object({ second_factor: z.array(z.enum(secondFactors)), challenge: z.string() }),
} as const;

export const ownSessionShape = named(
  'OwnSession',
  z.object({
    id: id(),
    browser: z.string().nullable(),
    system: z.string().nullable(),
    address: z.string(),
    is_current: z.boolean(),
    last_used_at: time(),
    created_at: time(),
  }),
);

export const presentOwnSession = presenter(ownSessionShape, ({ id }: Session, currentId: number) => ({
  is_current: id === currentId,
}));

const switches = z.object(Object.fromEntries(notices.map((notice) => [notice, z.boolean()])));
const notificationsShape = z.object(Object.fromEntries(noticeWays.map((way) => [way, switches])));

export const ownAccountShape = named(
  'OwnAccount',
  z.object({
    id: id(),
    name: z.string(),
    email: z.string(),
    locale: z.enum(locales).nullable().meta({ description: 'Null for that of the desk.' }),
    time_zone: z.string().nullable().meta({ description: 'Null for that of the desk.' }),
    signature: z.string(),
    theme: z.enum(themes),
    notifications: notificationsShape,
    shortcuts: z.boolean(),
  }),
);

export const presentOwnAccount = presenter(ownAccountShape, (agent: Agent, tx: Tx) => {
  const preferences = preferencesOf(agent.notificationPreferences, readDeskSettings(tx).notifications);
  const isOn = (way: (typeof noticeWays)[number]) =>
    Object.fromEntries(notices.map((notice) => [notice, isSwitchedOn(preferences, way, notice)]));
  return {
    notifications: Object.fromEntries(noticeWays.map((way) => [way, isOn(way)])),
    shortcuts: agent.hasShortcuts,
  };
});
