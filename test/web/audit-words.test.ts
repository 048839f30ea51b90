// What the audit log says in words.

import { expect, test } from 'bun:test';
import { auditActions } from '../../src/domain/audit.ts';
import { actionText, changesOf } from '../../src/web/console/settings/desk/audit-words.ts';
import { messages as profile } from '../../src/web/messages/console/en/profile.ts';
import { messages as settings } from '../../src/web/messages/console/en/settings.ts';
import { messages } from '../../src/web/messages/console/en/settings-desk.ts';
import { messages as site } from '../../src/web/messages/console/en/settings-site.ts';
import { messages as shell } from '../../src/web/messages/console/en/shell.ts';
import { messages as all } from '../../src/web/messages/en.ts';
import { speak } from '../../src/web/shared/messages.ts';

speak('en', { ...all, ...shell, ...profile, ...settings, ...messages, ...site });

test('every action has words, and no two the same', () => {
  const texts = auditActions.map((action) => actionText(action));
  expect(texts.filter((text) => !/^[A-Z].*: [a-z]/.test(text))).toEqual([]);
  const twice = texts.filter((text, at) => texts.indexOf(text) !== at);
  expect(twice).toEqual([]);
  expect(actionText('comet.seen')).toBe('comet seen');
});

test('of what differs, both sides are shown; of settings only those that differ', () => {
  expect(
    changesOf({ before: { role: 'member', is_active: true }, after: { role: 'viewer', is_active: false } }),
  ).toEqual([
    { field: 'Role', before: 'Member', after: 'Viewer' },
    { field: 'Active', before: 'yes', after: 'no' },
  ]);
  expect(changesOf({ before: null, after: { name: 'Kim', sites: [] } })).toEqual([
    { field: 'Name', before: null, after: 'Kim' },
    { field: 'Sites', before: null, after: 'Every site' },
  ]);
  expect(changesOf({ before: null, after: { name: 'Kim', notification_preferences: {} } })).toHaveLength(1);
  const side = (days: number) => ({ settings: { reopen_days: days, locale: 'en' } });
  expect(changesOf({ before: side(3), after: side(5) })).toEqual([{ field: 'reopen days', before: '3', after: '5' }]);
});

test('an order is told by its names, and by ids where the entry has only these', () => {
  const old = { before: { ids: [1, 2] }, after: { ids: [2, 1] } };
  expect(changesOf(old)).toEqual([{ field: 'Order', before: '1, 2', after: '2, 1' }]);
  const side = (ids: number[], order: string[]) => ({ ids, order });
  expect(changesOf({ before: side([1, 2], ['Low', 'High']), after: side([2, 1], ['High', 'Low']) })).toEqual([
    { field: 'Order', before: 'Low, High', after: 'High, Low' },
  ]);
  const many = (ids: number[]) =>
    side(
      ids,
      ids.map((id) => `Row ${id}`),
    );
  const down = { before: many([1, 2, 3, 4, 5, 6]), after: many([1, 3, 4, 5, 2, 6]) };
  expect(changesOf(down)).toEqual([{ field: 'Order: Row 2', before: '2', after: '5' }]);
  expect(changesOf({ before: down.after, after: down.before })).toEqual([
    { field: 'Order: Row 2', before: '5', after: '2' },
  ]);
  const [one] = changesOf({ before: many([1, 2, 3, 4, 5, 6]), after: many([6, 5, 4, 3, 2, 1]) });
  expect(one?.after).toBe('Row 6, Row 5, Row 4, Row 3, Row 2, Row 1');
});

test('a field has the name that its form has, also within another', () => {
  const server = { host: 'mail.example.org', port: 587 };
  expect(changesOf({ before: { mail_server: null }, after: { mail_server: server } })).toEqual([
    { field: 'Mail server', before: '–', after: 'Host: mail.example.org, Port: 587' },
  ]);
  const settings = (on: boolean) => ({ settings: { notify_resolved: on, spam_hold_score: 6 } });
  expect(changesOf({ before: settings(false), after: settings(true) })).toEqual([
    { field: 'Say when a ticket is resolved', before: 'no', after: 'yes' },
  ]);
});
