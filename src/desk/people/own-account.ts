// What agents change of themselves (docs/spec/people.md#own-account).

import type { AgentActor } from '../../domain/actor.ts';
import type { OwnAccountInput } from '../../domain/input/own-account.ts';
import { type MutedNotice, notices, noticeWays } from '../../domain/preferences.ts';
import { type Agent, updateAgent } from '../../store/agents.ts';
import type { Tx } from '../../store/database.ts';
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
  if (input.notifications !== undefined) change.mutedNotices = muted(agent.mutedNotices, input.notifications);
  updateAgent(tx, agent.id, change);
  audit(tx, ctx, {
    action: 'agent.updated',
    target: { type: 'agent', id: agent.id, name: agent.name },
    before: agent,
    after: change,
  });
  return { ...agent, ...change };
}

function muted(before: readonly MutedNotice[], switched: NonNullable<OwnAccountInput['notifications']>): MutedNotice[] {
  const all = noticeWays.flatMap((way) =>
    notices.map((notice) => ({ way, notice, name: `${way}.${notice}` as const })),
  );
  return all
    .filter(({ way, notice, name }) => {
      const isOn = switched[way]?.[notice];
      return isOn === undefined ? before.includes(name) : !isOn;
    })
    .map(({ name }) => name);
}
