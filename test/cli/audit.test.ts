// helpdesk audit list: what the command line did, as a table, as the API's JSON, and as CSV.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
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

test('has exports, imports, backups and restores', async () => {
  const file = join(desk.directory, 'site.jsonl');
  const backup = join(desk.directory, 'backup');
  const others = join(desk.directory, 'restored');
  expect((await type('export', '--site', 'web-shop', '--output', file, '--secrets')).code).toBe(0);
  expect((await type('import', '--input', file, '--as', 'copy')).code).toBe(0);
  expect((await type('backup', backup)).code).toBe(0);
  expect((await desk.typeOnly('restore', backup, '--data', others)).code).toBe(0);
  const rows = (await desk.typeOnly('audit', 'list', '--json', '--data', others)).json().data;
  expect(rows.slice(0, 3).map(({ action, after }) => [action, Object.keys(after as object)[0]])).toEqual([
    ['desk.restored', 'kind'],
    ['site.imported', 'name'],
    ['site.exported', 'has_secrets'],
  ]);
  const [made] = (await type('audit', 'list', '--json')).json().data;
  expect(made).toMatchObject({ action: 'desk.backed_up', actor: { type: 'command_line' }, after: { path: backup } });
});

test('an export of a site that does not exist is refused and leaves nothing', async () => {
  const before = (await type('audit', 'list', '--csv')).output;
  const ran = await type('export', '--site', 'nowhere', '--output', join(desk.directory, 'none.jsonl'));
  expect(ran.code).toBe(3);
  expect((await type('audit', 'list', '--csv')).output).toBe(before);
});
