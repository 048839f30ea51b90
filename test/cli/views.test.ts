// helpdesk view: what everyone sees, with counts and tickets.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { terminal } from './terminal.ts';

const desk = terminal();
const { type } = desk;
beforeAll(async () => {
  await type('site', 'create', '--name', 'Web shop');
  const opened = ['--site', 'web-shop', '--email', 'mia@example.org', '--body', 'It fails.'];
  await type('ticket', 'open', ...opened, '--subject', 'Urgent one');
  await type('ticket', 'open', ...opened, '--subject', 'Other one');
  await type('ticket', 'set', '1', '--tags', 'vip');
});
afterAll(desk.remove);

test('a view is saved for everyone, listed with its count, shown and deleted', async () => {
  const filter = '{"status":["open"],"tag":["vip"]}';
  const saved = await type('view', 'create', '--name', 'Urgent', '--filter', filter, '--sort', 'next_due_at', '--json');
  const { data } = saved.json();
  expect([saved.code, data]).toMatchObject([0, { key: '1', is_shared: true, is_own: false, sort: 'next_due_at' }]);
  const listed = await type('view', 'list');
  expect(listed.output).toMatch(/1 +Urgent +1 +next_due_at +desc/);
  expect(listed.output).toMatch(/open +Open +2/);
  expect(listed.output).not.toContain('Mine');
  const shown = await type('view', 'show', '1');
  expect(shown.output).toContain('Urgent one');
  expect(shown.output).not.toContain('Other one');
  expect((await type('view', 'show', 'open', '--per-page', '1', '--json')).json().data).toHaveLength(1);
  expect((await type('view', 'delete', '1')).code).toBe(2);
  expect((await type('view', 'delete', '1', '--yes')).output.trim()).toBe('The view Urgent is deleted.');
  expect((await type('view', 'show', '1')).code).toBe(3);
});

test('what does not fit is said', async () => {
  const create = async (filter: string) => await type('view', 'create', '--name', 'x', '--filter', filter);
  expect((await create('open')).errors).toContain('--filter must be JSON');
  expect((await create('{"status":["lost"]}')).errors).toContain('status');
  expect((await create('{"site_id":"nowhere"}')).code).toBe(3);
  expect((await type('view', 'show', 'held-mail')).errors).toContain('helpdesk mail list');
});
