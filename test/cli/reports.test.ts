// helpdesk report: saved reports and when they are mailed.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { terminal } from './terminal.ts';

const desk = terminal();
const { type } = desk;
beforeAll(async () => {
  await type('site', 'create', '--name', 'Web shop');
  await type('agent', 'add', '--email', 'ana@desk.example', '--name', 'Ana', '--role', 'member');
});
afterAll(desk.remove);

test('a report is saved for everyone, mailed every week, no more, and deleted', async () => {
  const saved = await type(
    'report',
    'save',
    '--name',
    'Weekly',
    '--report',
    'response',
    '--query',
    '{"group_by":"week"}',
  );
  expect([saved.code, saved.output.trim()]).toEqual([0, 'Report 1, Weekly, is saved.']);
  const often = ['--every', 'week', '--weekday', 'tue', '--at', '08:00', '--time-zone', 'UTC'];
  const scheduled = await type('report', 'schedule', '1', ...often, '--agents', '1');
  expect(scheduled.output).toMatch(/^Report 1, Weekly, is mailed next at \d{4}-\d\d-\d\dT08:00:00.000Z\.$/m);
  expect((await type('report', 'saved')).output).toMatch(/1 +Weekly +response +\{"group_by":"week"\} +\d{4}-.* +1/);
  expect((await type('report', 'schedule', '1', ...often, '--agents', '7')).errors).toContain('names 7');
  expect((await type('report', 'unschedule', '1')).output.trim()).toBe('Report 1, Weekly, is not mailed.');
  expect((await type('report', 'delete', '1')).code).toBe(2);
  expect((await type('report', 'delete', '1', '--yes')).code).toBe(0);
  expect((await type('report', 'saved', '--json')).json().data).toHaveLength(0);
});

test('what does not fit is said', async () => {
  const save = (query: string) => type('report', 'save', '--name', 'x', '--report', 'sla', '--query', query);
  expect((await save('week')).errors).toContain('--query must be JSON');
  expect((await save('{"group_by":"colour"}')).errors).toContain('query.group_by');
});
