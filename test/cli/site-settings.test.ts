// helpdesk site export-settings and import-settings: round trips, plans, and files that are wrong or hostile.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromYaml, toYaml } from '../../src/domain/input/settings-yaml.ts';
import { terminal } from './terminal.ts';

const first = terminal();
const second = terminal();
const path = join(first.directory, 'site.yaml');
let files = 0;

const whole = `
version: 1
name: Web shop
description: Everything with wheels.
settings:
  auto_close_days: 14
  signature: "{{agent.signature}}"
  blocked_senders: ["@spam.example"]
  locale: nl
  brand: { name: Wheels, color: "#112233" }
sla_policy:
  business_hours: { timezone: Europe/Amsterdam, weekly: { mon: [[09:00, 17:00]] } }
  holidays: [2026-12-25]
  holiday_names: { 2026-12-25: Christmas }
  warn_at_percent: 70
senders:
  - { address: shop@shop.example, name: Shop, is_default: true }
  - { address: returns@shop.example, dkim_selectors: [mail] }
categories:
  - { slug: returns, name: Returns }
priorities:
  - { slug: normal, is_active: false }
  - { slug: now, name: Now, level: 9, first_response_minutes: 5, resolution_minutes: 60, is_default: true }
custom_fields:
  - { key: bike, label: Bike, type: select, options: [Fjord, Tarn] }
mail_templates:
  - { name: acknowledgement, locale: nl, subject: Dank, body: "Dank u wel.\\n\\n{{link}}" }
webhook_channels:
  - { name: Chat, type: custom, events: [ticket.created] }
inbound_rules:
  - name: Returns
    conditions: [{ field: site_category, operator: equals, value: returns }]
    actions:
      - { type: set_category, value: returns }
      - { type: set_priority, value: now }
      - { type: set_sender, value: returns@shop.example }
      - { type: assign, value: rhea@agents.example }
  - name: Returns
    conditions: []
    actions: [{ type: assign, value: round_robin }]
macros:
  - name: Take it
    body: Hello {{author.name}}, about {{field.bike}}
    changes: { category: returns, priority: now, assigned_to: rhea@agents.example, add_tags: [mine] }
`;

function written(text: string): string {
  files += 1;
  const file = join(first.directory, `${files}.yaml`);
  writeFileSync(file, text);
  return file;
}

const exported = async (desk: typeof first, site: string) => {
  const { output, code } = await desk.type('site', 'export-settings', site);
  expect(code).toBe(0);
  return output;
};
const auditRows = async (desk: typeof first) => (await desk.type('audit', 'list', '--json')).json().data.length;

beforeAll(async () => {
  writeFileSync(path, whole);
  for (const [at, desk] of [first, second].entries()) {
    // The ids of the two desks differ.
    if (at === 1) await desk.type('site', 'create', '--name', 'Another');
    if (at === 1) await desk.type('agent', 'add', '--email', 'bo@agents.example', '--name', 'Bo');
    await desk.type('site', 'create', '--name', 'Shop');
    await desk.type('agent', 'add', '--email', 'rhea@agents.example', '--name', 'Rhea');
  }
});
afterAll(() => {
  first.remove();
  second.remove();
});

describe('a file of settings', () => {
  test('is planned, then applied as planned, and changes nothing the second time', async () => {
    const before = await exported(first, 'shop');
    const rows = await auditRows(first);
    const planned = await first.type('site', 'import-settings', 'shop', path, '--json');
    expect([planned.code, planned.errors]).toEqual([0, '']);
    expect(await exported(first, 'shop')).toBe(before);
    expect(await auditRows(first)).toBe(rows);

    const applied = await first.type('site', 'import-settings', 'shop', path, '--apply', '--json');
    expect(applied.json()).toEqual({ ...planned.json(), meta: { applied: true } });
    expect(planned.json().meta).toEqual({ applied: false });
    const plan = applied.json().data;
    expect(plan).toContainEqual({
      change: 'changed',
      section: 'settings',
      name: null,
      field: 'auto_close_days',
      from: null,
      to: 14,
    });
    expect(plan).toContainEqual(expect.objectContaining({ change: 'added', section: 'categories', name: 'returns' }));
    // The default sender keeps its row, and its address changes.
    expect(plan.filter(({ section }) => section === 'senders').map(({ change, field }) => [change, field])).toEqual([
      ['changed', 'address'],
      ['changed', 'name'],
      ['added', null],
    ]);
    const actions = (await first.type('audit', 'list', '--json')).json().data.map(({ action }) => action);
    for (const action of [
      'site.updated',
      'category.created',
      'inbound_rule.created',
      'macro.created',
      'sender.created',
    ])
      expect(actions).toContain(action);

    const done = await auditRows(first);
    const again = await first.type('site', 'import-settings', 'shop', path, '--apply', '--json');
    expect(again.json()).toMatchObject({ data: [], meta: { applied: false } });
    expect(again.json().data).toHaveLength(0);
    expect(await auditRows(first)).toBe(done);
  });

  test('read into another desk gives the same file, by names and without ids', async () => {
    const output = await exported(first, 'shop');
    const [file] = [written(output)];
    expect((await second.type('site', 'import-settings', 'shop', file, '--apply')).code).toBe(0);
    expect(await exported(second, 'shop')).toBe(output);
    const value = fromYaml(output) as Record<string, Record<string, unknown>[]>;
    expect(value.inbound_rules?.[0]?.actions).toEqual([
      { type: 'set_category', value: 'returns' },
      { type: 'set_priority', value: 'now' },
      { type: 'set_sender', value: 'returns@shop.example' },
      { type: 'assign', value: 'rhea@agents.example' },
    ]);
    expect(value.macros?.[0]?.changes).toEqual({
      add_tags: ['mine'],
      category: 'returns',
      priority: 'now',
      assigned_to: 'rhea@agents.example',
    });
    expect(output).not.toMatch(/\b(?:id|\w+_id|secret|webhook_url):/);
    // On the other desk the names mean its own rows.
    const rule = (await second.type('rule', 'list', '--site', 'shop', '--json')).json().data[0];
    const category = (await second.type('category', 'list', '--site', 'shop', '--json'))
      .json()
      .data.find(({ slug }) => slug === 'returns');
    expect(rule).toMatchObject({ actions: [{ value: category?.id }, {}, {}, {}] });
  });

  test('--file writes it, and a channel that came without its address is off', async () => {
    const file = join(first.directory, 'written.yaml');
    const { output } = await first.type('site', 'export-settings', 'shop', '--file', file);
    expect(output).toContain(file);
    expect(readFileSync(file, 'utf8')).toBe(await exported(first, 'shop'));
    const nowhere = await first.type('site', 'export-settings', 'shop', '--file', join(first.directory, 'no', 'x'));
    expect([nowhere.code, nowhere.errors]).toEqual([2, expect.stringContaining('cannot be written.')]);
    const [channel] = (await second.type('channel', 'list', '--site', 'shop', '--json')).json().data;
    expect(channel).toMatchObject({ name: 'Chat', is_active: false });
  });

  test('leaves what it does not name, and shows the plan in words', async () => {
    const file = written('version: 1\ncategories: [{ slug: returns, color: "#ff0000" }]\n');
    const { output } = await first.type('site', 'import-settings', 'shop', file);
    expect(output).toBe(
      '~ categories returns color: "#64748b" → "#ff0000"\n0 added, 1 changed. This is only the plan: add --apply to change it.\n',
    );
  });

  test.each([
    ['settings: { auto_close_dayz: 3 }', 'settings.auto_close_dayz'],
    ['settings: { auto_close_days: "3" }', 'settings.auto_close_days'],
    ['settings: { spam_hold_score: .inf }', 'settings.spam_hold_score'],
    ['settings: { mail_from_address: a@b.example }', 'settings.mail_from_address'],
    ['sla_policy: { business_hours: { timezone: Mars/Base, weekly: {} } }', 'sla_policy.business_hours.timezone'],
    ['__proto__: { x: 1 }', '__proto__'],
    ['sla_policy: { holiday_names: { __proto__: x } }', 'sla_policy.holiday_names.__proto__'],
    ['categories: [{ name: Without a slug }]', 'categories.0.slug'],
    ['categories: [{ slug: general }, { slug: new-one }]', 'categories.1.name'],
    ['categories: [{ slug: general }, { slug: general }]', 'categories.1'],
    ['priorities: [{ slug: low, id: 1 }]', 'priorities.0.id'],
    ['custom_fields: [{ key: bike, type: text }]', 'custom_fields.0.type'],
    ['custom_fields: [{ key: bike, options: [] }]', 'custom_fields.0.options'],
    ['webhook_channels: [{ name: Chat, webhook_url: "https://x.example" }]', 'webhook_channels.0.webhook_url'],
    [
      'inbound_rules: [{ name: N, conditions: [], actions: [{ type: set_category, value: nowhere }] }]',
      'inbound_rules.0.actions.0.value',
    ],
    [
      'inbound_rules: [{ name: N, conditions: [], actions: [{ type: set_category, value: 1 }] }]',
      'inbound_rules.0.actions.0.value',
    ],
    [
      'inbound_rules: [{ name: N, conditions: [], actions: [{ type: assign, value: no@one.example }] }]',
      'inbound_rules.0.actions.0.value',
    ],
    ['macros: [{ name: M, changes: { priority: nowhere } }]', 'macros.0.changes.priority'],
    ['macros: [{ name: M, changes: { priority_id: 1 } }]', 'macros.0.changes.priority_id'],
    ['mail_templates: [{ name: code, locale: nl, body: Hello }]', 'mail_templates.0.body'],
    ['version: 2', 'version'],
    ['- a list', 'file'],
  ])('with %p is refused by its path, and nothing is changed', async (text, where) => {
    const head = text.startsWith('version') || text.startsWith('-') ? '' : 'version: 1\nname: Changed\n';
    const { code, errors } = await first.type(
      'site',
      'import-settings',
      'shop',
      written(`${head}${text}\n`),
      '--apply',
    );
    expect(errors).toStartWith('The file cannot be imported. Nothing was changed.');
    expect(errors).toContain(` ${where}: `);
    expect(code).toBe(1);
  });

  test('none of those changed anything', async () => {
    const plan = await first.type('site', 'import-settings', 'shop', path, '--json');
    expect(plan.json().data).toHaveLength(0);
    expect(await exported(first, 'shop')).toContain('name: Web shop');
  });

  test('keeps a rule that names what is no longer there, where it is the same rule', async () => {
    const found = (await second.type('category', 'list', '--site', 'shop', '--json')).json().data;
    const id = found.find(({ slug }) => slug === 'returns')?.id;
    expect((await second.type('category', 'rm', String(id), '--site', 'shop', '--yes')).code).toBe(0);
    const file = written(await exported(second, 'shop'));
    const same = await second.type('site', 'import-settings', 'shop', file, '--json');
    expect(same.errors).toBe('');
    expect(same.json().data).toHaveLength(0);
    const { inbound_rules } = fromYaml(readFileSync(file, 'utf8')) as Record<string, unknown>;
    const rules = written(toYaml({ version: 1, inbound_rules }));
    const other = await second.type('site', 'import-settings', 'another', rules);
    expect(other.errors).toContain('inbound_rules.0.');
  });

  test('of a site that is not there, or that is no file, is refused', async () => {
    expect((await first.type('site', 'import-settings', 'nowhere', path)).code).toBe(3);
    expect((await first.type('site', 'export-settings', 'nowhere')).code).toBe(3);
    expect((await first.type('site', 'import-settings', 'shop', first.directory)).code).toBe(2);
    const large = written(`# ${'x'.repeat(4 * 1024 * 1024)}`);
    expect((await first.type('site', 'import-settings', 'shop', large)).errors).toContain('more than 4 MB');
  });
});

describe('YAML', () => {
  test.each([
    ['a: &x 1', 'anchor'],
    ['a: &x [1]\nb: *x', 'anchor'],
    ['a: !!js/function x', 'tag'],
    ['a: !own 1', 'tag'],
    ['a: !!str 1', 'tag'],
    ['%TAG ! tag:x,2000:\n--- !y a', 'tag'],
    ['a: 1\na: 2', 'unique'],
    ['? [a]\n: b', 'strings'],
    ['--- a\n--- b', 'documents'],
    ['a: [', 'YAML'],
    [`a: ${'['.repeat(60)}${']'.repeat(60)}`, 'nested too deeply'],
    ['['.repeat(100_000), 'nested too deeply'],
  ])('%p is refused in a sentence', (text, word) => {
    let said = '';
    try {
      fromYaml(text);
    } catch (error) {
      said = (error as Error).message;
    }
    expect(said).toContain(word);
    expect(said).not.toContain('\n');
  });

  test('plain words keep their meaning on the way out and in', () => {
    const value = { no: 'no', time: '09:00', day: '2026-12-25', lines: 'a\n\nb\n', none: null, list: [], same: ['x'] };
    expect(fromYaml(toYaml({ ...value, twice: value.same }))).toEqual({ ...value, twice: ['x'] });
    expect(toYaml({ time: '09:00', no: 'no' })).toBe('time: "09:00"\n"no": "no"\n');
  });
});
