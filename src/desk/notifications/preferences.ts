// Where agents want to hear of what, and what the desk decides for all of them.

import type { AgentActor } from '../../domain/actor.ts';
import { invalid } from '../../domain/errors.ts';
import type { DeskNotificationsInput, PreferencesInput } from '../../domain/input/notifications.ts';
import {
  type DeskNotifications,
  type Fixed,
  type Preferences,
  preferencesOf,
  switchesIn,
} from '../../domain/notifications/preferences.ts';
import type { Tx } from '../../engine/database.ts';
import { readDeskSettings } from '../../store/desk-settings.ts';
import { type Agent, updateAgent } from '../../store/people/agents.ts';
import { findSite } from '../access.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { ownAgent } from '../people/sessions.ts';

export interface OwnPreferences {
  preferences: Preferences;
  fixed: Fixed[];
}

export function ownPreferences(tx: Tx, actor: AgentActor): OwnPreferences {
  const { notifications } = readDeskSettings(tx);
  const own = ownAgent(tx, actor).notificationPreferences;
  return { preferences: preferencesOf(own, notifications), fixed: notifications.fixed ?? [] };
}

/** What the input has, without what it leaves out. */
const given = <Row extends object>(row: Row) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Partial<Row>;

export function changePreferences(tx: Tx, ctx: Context, actor: AgentActor, input: PreferencesInput): OwnPreferences {
  const agent = ownAgent(tx, actor);
  const { fixed = [] } = readDeskSettings(tx).notifications;
  const { events, paused_until: pausedUntil, ...rest } = input;
  const switched = switchesIn(events ?? {});
  for (const name of [...Object.keys(switched), ...Object.keys(given(rest))])
    if (fixed.some((one) => one === name)) throw invalid(name, 'is fixed for everyone on this desk.');
  for (const site of rest.muted_sites ?? []) findSite(tx, ctx, site);
  const before = agent.notificationPreferences;
  const notificationPreferences: Partial<Preferences> = {
    ...before,
    ...given(rest),
    ...(pausedUntil === undefined ? {} : { paused_until: pausedUntil === null ? null : Date.parse(pausedUntil) }),
    switches: { ...before.switches, ...switched },
  };
  savePreferences(tx, ctx, agent, notificationPreferences);
  return ownPreferences(tx, actor);
}

export function savePreferences(tx: Tx, ctx: Context, agent: Agent, notificationPreferences: Partial<Preferences>) {
  updateAgent(tx, agent.id, { notificationPreferences });
  audit(tx, ctx, {
    action: 'agent.updated',
    target: { type: 'agent', id: agent.id, name: agent.name },
    before: agent,
    after: { notificationPreferences },
  });
}

export function deskNotificationsWith(before: DeskNotifications, input: DeskNotificationsInput): DeskNotifications {
  const { events, ...rest } = input.defaults ?? {};
  return {
    defaults: {
      ...before.defaults,
      ...given(rest),
      switches: { ...before.defaults?.switches, ...switchesIn(events ?? {}) },
    },
    fixed: input.fixed ?? before.fixed ?? [],
  };
}
