// Demo data: some weeks of tickets in every state, added once, and only to an empty desk.

import { afterAll, expect, test } from 'bun:test';
import { readConfig } from '../../src/base/config.ts';
import { openDataDirectory } from '../../src/data/directory.ts';
import { query } from '../../src/engine/database.ts';
import samples from '../../src/server/demo/sites.json' with { type: 'json' };
import { terminal } from './terminal.ts';

const desk = terminal();
afterAll(desk.remove);

test('fills an empty directory with tickets in every state, and nothing that would be sent', async () => {
  const filled = await desk.type('demo', '--json');
  expect(filled.code).toBe(0);
  expect(String(filled.json().token).length).toBeGreaterThan(20);
  expect(String(filled.json().site_token).length).toBeGreaterThan(20);
  const { data, meta } = (await desk.type('ticket', 'list', '--per-page', '100', '--json')).json();
  expect(meta).toMatchObject({ total: filled.json().data.tickets });
  expect(new Set(data.map(({ status }) => status))).toEqual(new Set(['open', 'pending', 'resolved']));
  const oldest = (await desk.type('ticket', 'list', '--sort', 'created_at', '--direction', 'asc', '--json')).json()
    .data;
  const moments = [...data, ...oldest].map(({ created_at }) => Date.parse(String(created_at)));
  expect(Math.max(...moments)).toBeLessThanOrEqual(Date.now());
  expect((Math.max(...moments) - Math.min(...moments)) / 86_400_000).toBeGreaterThan(20);
  for (const { author } of data as { author?: { email: string } }[])
    expect(author?.email).toMatch(/@example\.(?:org|net|com)$/);
  expect((await desk.type('ticket', 'list', '--q', 'invoice', '--json')).json().data.length).toBeGreaterThan(3);
});

test('is told from data whose words are all known', () => {
  for (const { tickets, categories, fields, customers } of samples) {
    const languages = new Set(customers.map(([, , language]) => language));
    for (const story of tickets) {
      expect(categories).toContain(story.category);
      expect(['open', 'pending', 'resolved']).toContain(story.endsAs);
      expect([0, 1, 2, 3, undefined]).toContain(story.priority);
      expect(['web', 'phone', undefined]).toContain(story.diagnostics);
      expect(languages).toContain(story.language ?? 'en');
      for (const key of Object.keys(story.fields ?? {})) expect(fields.map((field) => field.key)).toContain(key);
      for (const [who, hoursLater] of story.turns)
        expect([who, typeof hoursLater]).toEqual([expect.stringMatching(/^(?:customer|agent|note)$/), 'number']);
    }
  }
});

test('knows which deadlines it missed, so that its start sends no pile of late warnings', async () => {
  expect((await desk.type('sla', 'scan', '--dry-run')).output).toBe('Nothing is due.\n');
  const missed = (await desk.type('ticket', 'list', '--sla', 'breached', '--per-page', '100', '--json')).json().data;
  expect(missed.length).toBeGreaterThan(3);
});

test('has views, macros and snoozed tickets of its owner', async () => {
  const data = openDataDirectory(readConfig({ HELPDESK_DATA: `${desk.directory}/data` }, {}));
  const rows = (table: string, where = '1') =>
    data.desk.read((tx) => query<{ n: number }>(tx, `SELECT count(*) AS n FROM ${table} WHERE ${where}`).get()?.n);
  expect(rows('views')).toBe(3);
  expect(rows('macros')).toBe(4);
  expect(rows('tickets', 'snoozed_until IS NOT NULL')).toBeGreaterThan(2);
  expect(rows('mentions')).toBeGreaterThan(5);
  expect(rows('messages', "body_format = 'markdown' AND html IS NOT NULL")).toBeGreaterThan(100);
  await data.close();
});

test('has an owner, which the page for signing in does not deny', async () => {
  for (const language of ['en', 'nl', 'de', 'fr', 'es']) {
    const { messages } = (await import(`../../src/web/messages/sign-in/${language}/pages.ts`)) as {
      messages: { deskIsNew: string };
    };
    expect(messages.deskIsNew).not.toMatch(
      /no owner yet|keinen Inhaber|geen eigenaar|pas encore de propriétaire|no tiene/,
    );
  }
});

test('refuses a directory that has a desk in it', async () => {
  const again = await desk.type('demo');
  expect(again.code).toBe(2);
  expect(again.errors).toContain('Name an empty directory with --data');
});
