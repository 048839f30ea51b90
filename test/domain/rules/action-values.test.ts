// What the values of actions hold: references, words about people, and what the audit log shows.

import { expect, test } from 'bun:test';
import { tracesOf } from '../../../src/domain/customers/traces.ts';
import { renamedActions, scrubbedActions, shownAction } from '../../../src/domain/rules/action-values.ts';
import type { RuleAction } from '../../../src/domain/rules/rule.ts';
import type { TriggerAction } from '../../../src/domain/rules/trigger.ts';

type AnyAction = TriggerAction | Extract<RuleAction, { type: 'discard' }>;
type Values = { [Type in AnyAction['type']]: Extract<AnyAction, { type: Type }>['value'] };

const email = 'quirin@zw.example';
const traces = tracesOf({ emails: [email], names: [], externalIds: ['quirin-7'] }, false);
const text = `Ask ${email}`;

/** Each with the person wherever there is room for words, and with the ids 1 to 9. */
const values: Values = {
  set_category: 1,
  set_priority: 2,
  set_sender: 3,
  set_team: 4,
  assign: { team_id: 4, by: 'round_robin' },
  unassign: null,
  add_tags: ['vip', 'quirin-7'],
  remove_tags: ['vip', 'quirin-7'],
  add_participant: { email, name: null },
  set_metadata: { kept: text, [email]: 1 },
  set_status: 'open',
  set_subject: text,
  set_field: { key: 'order', value: text },
  snooze: 4,
  note: text,
  forward: email,
  reply: { body: text, as: 'desk', is_repeated: false },
  mail: { to: [5, email], subject: text, body: text },
  webhook: { channel_id: 6, body: { who: text } },
  follow: [5, 7],
  create_ticket: { subject: text, body: text, category_id: 1, priority_id: 2, assigned_to: 5 },
  discard: text,
};
const actions = Object.entries(values).map(([type, value]) => ({ type, value }) as AnyAction);

test('an erased person is in none of them, and what would be nothing goes', () => {
  const left = scrubbedActions(actions, traces);
  expect(JSON.stringify(left)).not.toContain('quirin');
  const gone = actions.filter(({ type }) => !left.some((one) => one.type === type)).map(({ type }) => type);
  expect(gone).toEqual(['add_participant', 'forward']);
  expect(left.find(({ type }) => type === 'add_tags')?.value).toEqual(['vip']);
  expect(left.find(({ type }) => type === 'mail')?.value).toMatchObject({ to: [5] });
});

test('the audit log shows no words', () => {
  const shown = actions.map(shownAction).filter(({ value }) => JSON.stringify(value ?? null).includes('Ask'));
  expect(shown).toEqual([]);
  expect(shownAction({ type: 'set_category', value: 1 })).toEqual({ type: 'set_category', value: 1 });
});

test('what they name is asked for by its kind and place, and nothing else', () => {
  const asked: string[] = [];
  const renamed = renamedActions(actions, (kind, value, path) => {
    asked.push(`${path} ${kind} ${value}`);
    return typeof value === 'number' ? value + 100 : value;
  });
  const at = (type: AnyAction['type']) => `actions.${actions.findIndex((one) => one.type === type)}.value`;
  expect(asked).toEqual([
    `${at('set_category')} category 1`,
    `${at('set_priority')} priority 2`,
    `${at('set_sender')} sender 3`,
    `${at('set_team')} team 4`,
    `${at('assign')}.team_id team 4`,
    `${at('mail')}.to.0 agent 5`,
    `${at('mail')}.to.1 agent ${email}`,
    `${at('webhook')}.channel_id channel 6`,
    `${at('follow')}.0 agent 5`,
    `${at('follow')}.1 agent 7`,
    `${at('create_ticket')}.category_id category 1`,
    `${at('create_ticket')}.priority_id priority 2`,
    `${at('create_ticket')}.assigned_to agent 5`,
  ]);
  expect(renamed.find(({ type }) => type === 'follow')?.value).toEqual([105, 107]);
  expect(renamedActions([{ type: 'assign', value: 'round_robin' }], () => 0)[0]?.value).toBe('round_robin');
});
