// What agents change of themselves (docs/spec/people.md#own-account).

import type { AgentActor } from '../../domain/actor.ts';
import type { OwnAccountInput } from '../../domain/input/own-account.ts';
import { noticeWays } from '../../domain/people/preferences.ts';
import type { Tx } from '../../engine/database.ts';
import { type Agent, updateAgent } from '../../store/people/agents.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { ownAgent } from './sessions.ts';

export function changeOwnAccount(tx: Tx, ctx: Context, actor: AgentActor, input: OwnAccountInput): Agent {
  const agent = ownAgent(tx, actor);
  const change: Partial<Agent> = {};
  if (input.name !== undefined) change.name = input.name;
  if (input.locale !== undefined) change.locale = input.locale;
  if (input.time_zone !== undefined) change.timeZone = input.time_zone;
  if (input.signature !== undefined) change.signature = input.signature;
  if (input.theme !== undefined) change.theme = input.theme;
  if (input.shortcuts !== undefined) change.hasShortcuts = input.shortcuts;
  if (input.notifications !== undefined)
    change.notificationPreferences = switched(agent.notificationPreferences, input.notifications);
  updateAgent(tx, agent.id, change);
  audit(tx, ctx, {
    action: 'agent.updated',
    target: { type: 'agent', id: agent.id, name: agent.name },
    before: agent,
    after: change,
  });
  return { ...agent, ...change };
}

/** The switches that the account has always had; the rest is in the preferences. */
function switched(
  before: Agent['notificationPreferences'],
  asked: NonNullable<OwnAccountInput['notifications']>,
): Agent['notificationPreferences'] {
  const set = noticeWays.flatMap((way) =>
    Object.entries(asked[way] ?? {}).map(([notice, isOn]) => [`${way}.${notice}`, isOn]),
  );
  return { ...before, switches: { ...before.switches, ...Object.fromEntries(set) } };
}
