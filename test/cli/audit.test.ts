// helpdesk audit list: what the command line did, as a table, as the API's JSON, and as CSV.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { terminal } from './terminal.ts';

const desk = terminal();
const { type } = desk;
beforeAll(async () => {
  await type('site', 'create', '--name', 'Web shop');
  await type('site', 'update', 'web-shop', '--name', '=Web store');
  await type('token', 'issue', '--name', 'CI', '--abilities', 'read');
});
afterAll(desk.remove);

test('has the changes of other commands, newest first', async () => {
  const { output, code } = await type('audit', 'list');
  expect(code).toBe(0);
  const lines = output.trim().split('\n');
  expect(lines.slice(1).map((line) => line.split(/\s+/)[1])).toEqual(['token.issued', 'site.updated', 'site.created']);
  expect(output).toContain('name: Web shop → =Web store');
});

test('takes the API’s filters and answers its envelope', async () => {
  const ran = await type('audit', 'list', '--action', 'site.updated,site.created', '--site', 'web-shop', '--json');
  expect(ran.json().data.map(({ action }) => action)).toEqual(['site.updated', 'site.created']);
  expect(ran.json().meta).toEqual({ per_page: 15, next_cursor: null });
  const first = (await type('audit', 'list', '--per-page', '1', '--json')).json();
  const cursor = (first.meta as { next_cursor: string }).next_cursor;
  expect((await type('audit', 'list', '--cursor', cursor, '--json')).json().data.length).toBe(2);
  expect((await type('audit', 'list', '--actor', 'command_line', '--from', '2100-01-01')).output).toBe('None.\n');
});

test('prints CSV that a spreadsheet takes for text', async () => {
  const { output } = await type('audit', 'list', '--csv');
  expect(output.split('\r\n').length).toBe(5);
  expect(output).toContain(',site,1,Web shop,');
  expect((await type('site', 'rotate-token', 'web-shop')).code).toBe(0);
  expect((await type('audit', 'list', '--csv', '--action', 'site.token_rotated')).output).toContain(",'=Web store,");
});

test('refuses what it does not know', async () => {
  for (const words of [
    ['--action', 'nope'],
    ['--actor', 'kim'],
    ['--from', 'x'],
    ['--csv', '--json'],
  ])
    expect((await type('audit', 'list', ...words)).code).toBe(2);
  expect((await type('audit', 'list', '--site', 'nowhere')).code).toBe(3);
});
