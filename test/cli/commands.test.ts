// The commands on a data directory: their answers, the shapes under --json, their refusals and exit codes.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createProgram } from '../../cli/main.ts';
import { noteBaseUrl } from '../../src/data/desk-address.ts';
import { temporaryFolder } from '../support/folders.ts';
import { anImage } from '../support/images.ts';
import { type Ran, terminal } from './terminal.ts';

const desk = terminal();
const { type } = desk;
let siteToken = '';
let ulid = '';

beforeAll(async () => {
  const created = await type('site', 'create', '--name', 'Web shop', '--json');
  siteToken = String(created.json().site_token);
  const opened = await type(
    'ticket',
    'open',
    '--site',
    'web-shop',
    '--email',
    'mia@example.org',
    '--subject',
    'The invoice is missing',
    '--body',
    'Where is it?',
    '--json',
  );
  ulid = String(opened.json().data.ulid);
});
afterAll(desk.remove);

function expectRefusal(ran: Ran, code: number, sentence: string) {
  expect(ran.errors).toContain(sentence);
  expect(ran.errors.trim().split('\n').length).toBe(1);
  expect(ran.output).toBe('');
  expect(ran.code).toBe(code);
}

describe('site', () => {
  test('its token is shown this once, alone on its line', async () => {
    const { output, code } = await type('site', 'create', '--name', 'Second shop');
    expect(code).toBe(0);
    const secret = output.split('\n')[1] ?? '';
    expect(secret).toMatch(/^\S{20,}$/);
    const others = [await type('site', 'show', 'second-shop', '--json'), await type('site', 'list', '--json')];
    for (const { output: shown } of others) expect(shown).not.toContain(secret);
  });

  test('is found by id, ulid and slug', async () => {
    const { data } = (await type('site', 'show', 'web-shop', '--json')).json();
    for (const name of [String(data.id), String(data.ulid)])
      expect((await type('site', 'show', name, '--json')).json().data.slug).toBe('web-shop');
  });

  test('business hours in words become the policy', async () => {
    const ran = await type(
      'site',
      'update',
      'second-shop',
      '--timezone',
      'Europe/Amsterdam',
      '--business-hours',
      'mon-tue 09:00-12:30,13:00-17:00; sat 10:00-14:00',
      '--holidays',
      '2026-12-25',
      '--json',
    );
    const morning = ['09:00', '12:30'];
    const afternoon = ['13:00', '17:00'];
    expect(ran.json().data.sla_policy).toMatchObject({
      business_hours: {
        timezone: 'Europe/Amsterdam',
        weekly: { mon: [morning, afternoon], tue: [morning, afternoon], sat: [['10:00', '14:00']] },
      },
      holidays: ['2026-12-25'],
    });
    expectRefusal(
      await type('site', 'update', 'second-shop', '--business-hours', 'whenever'),
      2,
      '--business-hours must be',
    );
  });

  test('what customers see is set by options, the logo by a file', async () => {
    const folder = temporaryFolder();
    const logo = join(folder, 'logo.png');
    const script = join(folder, 'logo.svg');
    writeFileSync(logo, anImage('image/png'));
    writeFileSync(script, '<svg/>');
    const update = (...flags: string[]) => type('site', 'update', 'second-shop', ...flags);
    const brand = ['--brand-name', 'Shop & Co', '--brand-color', '#2563eb', '--brand-logo', logo];
    const ran = await update('--portal', 'form', '--customer-links', 'open', '--locale', 'fr', ...brand, '--json');
    expect(ran.json().data.settings).toMatchObject({
      portal: 'form',
      customer_links: 'open',
      locale: 'fr',
      brand: { name: 'Shop & Co', color: '#2563eb', logo: expect.stringMatching(/^\/s\/second-shop\/logo\?v=/) },
    });
    expect((await type('site', 'show', 'second-shop')).output).toMatch(/brand name +Shop & Co/);
    const bare = ['--brand-name', 'none', '--brand-color', 'none', '--brand-logo', 'none', '--locale', 'none'];
    expect((await update(...bare, '--json')).json().data.settings).toMatchObject({
      portal: 'form',
      brand: { name: null, color: null, logo: null },
      locale: null,
    });
    expectRefusal(await update('--brand-logo', script), 2, 'is not a PNG, JPEG, WebP or GIF image');
    expectRefusal(await update('--brand-logo', join(folder, 'none.png')), 1, 'none.png');
    expectRefusal(await update('--portal', 'everything'), 1, 'settings.portal');
  });

  test('every field of the operation has a flag, with null as a word where it says something', async () => {
    const policy = ['--pause-while-pending', 'no', '--warn-at-percent', '70'];
    const settings = ['--auto-close-days', 'never', '--status-after-agent-reply', 'unchanged'];
    const { data } = (await type('site', 'update', 'second-shop', ...policy, ...settings, '--json')).json();
    expect(data).toMatchObject({
      sla_policy: { pause_while_pending: false, warn_at_percent: 70, holidays: ['2026-12-25'] },
      settings: { auto_close_days: null, status_after_agent_reply: null },
    });
    expectRefusal(await type('site', 'update', 'second-shop'), 2, 'Nothing to change');
  });

  test('rotating gives another token', async () => {
    const rotated = (await type('site', 'rotate-token', 'second-shop', '--json')).json();
    expect(String(rotated.site_token).length).toBeGreaterThan(20);
    expect(rotated.site_token).not.toBe(siteToken);
  });

  test('removing asks, and without a terminal wants --yes', async () => {
    await type('site', 'create', '--name', 'Short lived');
    expectRefusal(await type('site', 'rm', 'short-lived'), 2, '--yes');
    expect((await type('site', 'show', 'short-lived')).code).toBe(0);
    expect((await type('site', 'rm', 'short-lived', '--yes', '--json')).json()).toEqual({ data: null } as never);
    expectRefusal(await type('site', 'show', 'short-lived'), 3, 'No such site.');
  });
});

describe('token and agent', () => {
  test('a token has abilities, a site and an end', async () => {
    const before = Date.now();
    const { json } = await type(
      'token',
      'issue',
      '--name',
      'console',
      '--site',
      'web-shop',
      '--abilities',
      'read',
      '--expires',
      '90d',
      '--json',
    );
    const after = Date.now();
    const issued = json();
    expect(String(issued.token).length).toBeGreaterThan(20);
    expect(issued.data).toMatchObject({ name: 'console', abilities: ['read'], last_used_at: null });
    expect(Date.parse(String(issued.data.expires_at)) - 90 * 86_400_000).toBeWithin(before, after + 1);
    const listed = await type('token', 'list');
    expect(listed.output).toContain('console');
    expect(listed.output).not.toContain(String(issued.token));
  });

  test.each([
    [['--abilities', 'read,fly'], 1, 'abilities'],
    [['--expires', 'soon'], 2, '--expires must be a time'],
    [['--expires', '2027-02-30'], 2, '--expires must be a time'],
    [['--site', 'nowhere'], 3, 'No such site.'],
    // Null would be every site.
    [['--site', 'none'], 3, 'No such site.'],
  ])('issue refuses %p', async (flags, code, sentence) => {
    expectRefusal(await type('token', 'issue', '--name', 'x', ...flags), code, sentence);
  });

  test('an agent is added, changed by address and removed', async () => {
    const added = await type(
      'agent',
      'add',
      '--email',
      'kim@example.org',
      '--name',
      'Kim',
      '--role',
      'admin',
      '--json',
    );
    expect(added.json().data).toMatchObject({ email: 'kim@example.org', role: 'admin', is_active: true });
    const changed = await type('agent', 'update', 'kim@example.org', '--role', 'owner', '--json');
    expect(changed.json().data.role).toBe('owner');
    expect((await type('agent', 'list', '--site', 'web-shop', '--json')).json().data.length).toBe(1);
    await type('agent', 'update', 'kim@example.org', '--active', 'no', '--role', 'member', '--all-sites');
    expect((await type('agent', 'update', 'kim@example.org', '--active', 'yes')).code).not.toBe(0);
    const back = await type('agent', 'update', 'kim@example.org', '--active', 'yes', '--all-sites', '--json');
    expect(back.json().data).toMatchObject({ is_active: true, sites: [] });
    expect((await type('agent', 'rm', 'kim@example.org', '--yes')).code).toBe(0);
    expectRefusal(await type('agent', 'update', 'kim@example.org', '--name', 'K'), 3, 'agent');
    expectRefusal(
      await type('agent', 'add', '--email', 'nope', '--name', 'N'),
      1,
      'email: The email field must be an e-mail address.',
    );
  });
});

describe('category, priority and field', () => {
  const nouns = [
    ['category', ['--name', 'Billing'], { name: 'Billing' }, ['--active', 'no'], { is_active: false }],
    [
      'priority',
      ['--name', 'Critical', '--level', '5', '--first-response', '30', '--resolution', 'none'],
      { first_response_minutes: 30, resolution_minutes: null },
      ['--default', 'yes'],
      { is_default: true },
    ],
    [
      'field',
      ['--label', 'Plan', '--key', 'plan', '--type', 'select', '--options', 'free, pro'],
      { key: 'plan', options: ['free', 'pro'] },
      ['--required', 'no', '--visible', 'yes'],
      { is_author_visible: true },
    ],
  ] as const;
  test.each(nouns)('%s: add, list, update, order, rm', async (word, flags, made, change, changed) => {
    const site = ['--site', 'second-shop'] as const;
    const added = (await type(word, 'add', ...site, ...flags, '--json')).json().data;
    expect(added).toMatchObject(made);
    const id = String(added.id);
    const ids = (await type(word, 'list', ...site, '--json')).json().data.map((row) => String(row.id));
    expect(ids).toContain(id);
    expect((await type(word, 'update', id, ...site, ...change, '--json')).json().data).toMatchObject(changed);
    const turned = [...ids].reverse();
    const ordered = (await type(word, 'order', ...turned, ...site, '--json')).json().data;
    expect(ordered.map((row) => String(row.id))).toEqual(turned);
    expectRefusal(await type(word, 'rm', id, ...site), 2, '--yes');
    if (word === 'priority') expect((await type(word, 'rm', id, ...site, '--yes')).code).toBe(1);
    else expect((await type(word, 'rm', id, ...site, '--yes')).code).toBe(0);
    expectRefusal(await type(word, 'update', '9999', ...site, ...change), 3, 'No such');
  });
});

describe('channel', () => {
  const add = (...flags: string[]) =>
    type('channel', 'add', '--site', 'web-shop', '--name', 'Team', '--type', 'custom', ...flags);

  test('its signing secret is shown this once', async () => {
    const { output, code } = await add('--url', 'https://hooks.example.org/x', '--events', 'ticket.created');
    expect(code).toBe(0);
    const secret = /^whsec_\S+$/m.exec(output)?.[0] ?? '';
    expect(secret).not.toBe('');
    const listed = await type('channel', 'list', '--site', 'web-shop', '--json');
    expect(listed.output).not.toContain(secret);
    const id = String(listed.json().data[0]?.id);
    expect((await type('channel', 'disable', id, '--site', 'web-shop', '--json')).json().data.is_active).toBe(false);
    expect((await type('channel', 'enable', id, '--site', 'web-shop', '--json')).json().data.is_active).toBe(true);
    expect((await type('channel', 'test', id, '--site', 'web-shop')).output).toContain('queued');
    expect((await type('channel', 'rm', id, '--site', 'web-shop', '--yes')).code).toBe(0);
  });

  test.each([
    [['--url', 'http://127.0.0.1:9/x', '--events', 'ticket.created'], 'webhook_url: The webhook url field is refused'],
    [['--url', 'ftp://example.org', '--events', 'ticket.created'], 'webhook_url:'],
    [['--url', 'https://hooks.example.org/x', '--events', 'ticket.exploded'], 'events'],
  ])('add refuses %p', async (flags, sentence) => {
    expectRefusal(await add(...flags), 1, sentence);
  });
});

describe('rule', () => {
  const add = (...flags: string[]) => type('rule', 'add', '--site', 'web-shop', ...flags);

  test('agents by name or address', async () => {
    const agent = await type('agent', 'add', '--email', 'Rhea@agents.example', '--name', 'Rhea Ruler', '--json');
    for (const word of ['rhea ruler', 'rhea@agents.example']) {
      const { id, ...rule } = (await add('--then', `assign ${word}`, '--json')).json().data;
      expect(rule).toMatchObject({ actions: [{ type: 'assign', value: agent.json().data.id }] });
      await type('rule', 'rm', String(id), '--site', 'web-shop', '--yes');
    }
  });

  test('conditions and actions in words; categories by name', async () => {
    const added = await add('--if', 'subject contains invoice', '--then', 'set_category General', '--stop', '--json');
    expect(added.errors).toBe('');
    const rule = added.json().data;
    expect(rule).toMatchObject({
      match: 'all',
      stop_processing: true,
      conditions: [{ field: 'subject', operator: 'contains', value: 'invoice', negate: false }],
    });
    const second = (
      await add('--any', '--if', 'from_domain not in example.com,example.org', '--then', 'add_tags abroad', '--json')
    ).json().data;
    expect(second).toMatchObject({
      match: 'any',
      conditions: [{ negate: true, value: ['example.com', 'example.org'] }],
    });
    const updated = await type(
      ...['rule', 'update', String(second.id), '--site', 'web-shop', '--match', 'any', '--stop-processing', 'yes'],
      ...['--if', 'subject contains refund', '--then', 'add_tags refund', '--json'],
    );
    expect(updated.json().data).toMatchObject({
      ...{ name: second.name, match: 'any', stop_processing: true },
      conditions: [{ field: 'subject', operator: 'contains', value: 'refund' }],
      actions: [{ type: 'add_tags', value: ['refund'] }],
    });
    const moved = await type('rule', 'move', String(second.id), '1', '--site', 'web-shop', '--json');
    expect(moved.json().data.map(({ id }) => id)).toEqual([second.id, rule.id]);
    expect((await type('rule', 'disable', String(rule.id), '--site', 'web-shop', '--json')).json().data.is_active).toBe(
      false,
    );
    expect((await type('rule', 'rm', String(rule.id), '--site', 'web-shop', '--yes')).code).toBe(0);
    expectRefusal(await type('rule', 'move', '999', '1', '--site', 'web-shop'), 3, 'No such inbound rule.');
  });

  test.each([
    [['--if', 'mood contains grim', '--then', 'discard'], 'There is no field'],
    [['--if', 'subject resembles x', '--then', 'discard'], 'There is no operator'],
    [['--then', 'explode'], 'There is no action'],
    [['--if', 'subject matches (', '--then', 'discard'], '--if:'],
    [
      ['--if', 'site_category equals nowhere', '--then', 'discard'],
      'Names category nowhere, which the site does not have.',
    ],
  ])('add refuses %p', async (flags, sentence) => {
    expectRefusal(await add(...flags), 2, sentence);
  });
});

describe('ticket', () => {
  test('list takes the filters of the API and answers with its envelope', async () => {
    const found = (await type('ticket', 'list', '--site', 'web-shop', '--q', 'invoice', '--json')).json();
    expect(Object.keys(found)).toEqual(['data', 'links', 'meta']);
    expect(found.meta).toMatchObject({ current_page: 1, per_page: 15, total: 1 });
    expect((await type('ticket', 'list')).output).toMatch(/^ticket +status +priority +subject +customer /);
    expect(found.data[0]).toMatchObject({ ulid, subject: 'The invoice is missing', status: 'open' });
    expect((await type('ticket', 'list', '--status', 'closed,pending', '--json')).json().data).toEqual([] as never);
    expectRefusal(await type('ticket', 'list', '--status', 'lost'), 2, 'status');
    expectRefusal(await type('ticket', 'list', '--page', 'two'), 2, 'page');
  });

  test('reply, note and set, then show all of it', async () => {
    const replied = (
      await type('ticket', 'reply', '#1', '--body', 'It is on its way.', '--agent-name', 'Kim', '--json')
    ).json();
    expect(replied.message).toBe('Reply added.');
    expect(replied.reply).toMatchObject({ body: 'It is on its way.', is_internal: false, agent_name: 'Kim' });
    expect((await type('ticket', 'note', ulid, '--body', 'Old address.', '--json')).json().note).toMatchObject({
      is_internal: true,
    });
    const tags = ['--tags', 'billing', '--tags', 'eu'];
    const set = await type('ticket', 'set', '1', '--status', 'resolved', ...tags, '--json');
    expect(set.json().data).toMatchObject({ status: 'resolved', tags: ['billing', 'eu'] });
    const shown = (await type('ticket', 'show', '1', '--json')).json().data;
    expect((shown.messages as { body: string }[]).map(({ body }) => body)).toEqual([
      'Where is it?',
      'It is on its way.',
      'Old address.',
    ]);
    const words = (await type('ticket', 'show', '1')).output;
    for (const part of ['#1', 'resolved', 'Kim (agent)', ', note', 'It is on its way.', 'ticket.status_changed'])
      expect(words).toContain(part);
  });

  test('fields are read as their type takes them, by open as by set', async () => {
    for (const [key, kind, ...more] of [
      ['order_number', 'text', '--required', 'yes'],
      ['seats', 'number'],
      ['is_paid', 'boolean'],
      ['colours', 'multiselect', '--options', 'red,blue'],
    ] as const)
      await type('field', 'add', '--site', 'web-shop', '--key', key, '--label', key, '--type', kind, ...more);
    const open = ['ticket', 'open', '--site', 'web-shop', '--email', 'mia@example.org', '--subject', 'Fields'];
    expectRefusal(await type('ticket', 'open', ...open.slice(2), '--body', 'x'), 1, 'custom_fields.order_number');
    const fields = ['order_number=1041', 'seats=4', 'is_paid=true', 'colours=red,blue'];
    const opened = await type(...open, '--body', 'x', ...fields.flatMap((one) => ['--field', one]), '--json');
    expect(opened.json().data.custom_fields).toEqual({
      order_number: '1041',
      seats: 4,
      is_paid: true,
      colours: ['red', 'blue'],
    });
    const { ulid: ticket } = opened.json().data;
    const change = ['--field', 'order_number=true', '--field', 'colours=["blue"]', '--field', 'seats='];
    expect((await type('ticket', 'set', String(ticket), ...change, '--json')).json().data.custom_fields).toEqual({
      order_number: 'true',
      is_paid: true,
      colours: ['blue'],
    });
    expectRefusal(await type('ticket', 'set', String(ticket), '--field', 'seats=many'), 1, 'custom_fields.seats');
    for (const { id } of (await type('field', 'list', '--site', 'web-shop', '--json')).json().data)
      await type('field', 'rm', String(id), '--site', 'web-shop', '--yes');
  });

  test.each([
    [['show', '4711'], 3, 'No such ticket.'],
    [['set', '1'], 2, 'Nothing to change'],
    [['set', '1', '--status', 'lost'], 1, 'status: The status field must be one of: open, pending, resolved, closed.'],
    [['set', '1', '--assign', 'kim'], 2, '--assign must be a whole number'],
    [['reply', '1', '--body', ' '], 1, 'body: The body field is required.'],
    [['set', '1', '--field', 'nokey'], 2, '--field must be key=value'],
    [['set', '1', '--field', 'unknown=1'], 1, 'custom_fields.unknown'],
  ])('refuses %p', async (argv, code, sentence) => {
    expectRefusal(await type('ticket', ...argv), code, sentence);
  });
});

describe('the program', () => {
  test('help and the version end with 0, wrong usage with 2', async () => {
    expect((await type('version', '--json')).json().data.version).toMatch(/^\d+\.\d+\.\d+/);
    expect((await type('ticket', 'list', '--help')).code).toBe(0);
    expect((await type('ticket', 'lisst')).code).toBe(2);
    expect((await type('site', 'create')).code).toBe(2);
    expect((await type('ticket')).code).toBe(2);
  });

  test('config masks secrets and names every variable', async () => {
    const shown = (await type('config', '--json')).json().data;
    expect(shown.find(({ name }) => name === 'HELPDESK_PORT')).toMatchObject({ default: '8080', is_set: false });
    expect(shown.find(({ name }) => name === 'HELPDESK_DATA')).toMatchObject({ is_set: true });
  });

  test('openapi is the document of the API', async () => {
    const document = JSON.parse((await type('openapi')).output) as { openapi: string; paths: Record<string, unknown> };
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toContain('/api/v1/public/tickets');
  });

  test('every command has an example in its help, and every one that does something takes --data and --json', async () => {
    const lacking: string[] = [];
    let seen = 0;
    async function walk(command: Command, path: string[]): Promise<void> {
      seen += 1;
      const { output, code } = await type(...path, '--help');
      const inner = command.commands.filter((one) => one.name() !== 'help');
      const wanted = ['Example:\n  $ helpdesk ', ...(inner.length === 0 ? ['--data', '--json'] : [])];
      for (const part of wanted) if (code !== 0 || !output.includes(part)) lacking.push(`${path.join(' ')}: ${part}`);
      for (const one of inner) await walk(one, [...path, one.name()]);
    }
    await walk(await createProgram(undefined), []);
    expect(lacking).toEqual([]);
    expect(seen).toBeGreaterThan(60);
  });

  test('--data and --json may stand before the words of a command, between them and after them', async () => {
    const data = join(desk.directory, 'data');
    const slugs = async (...argv: string[]) => {
      const { code, json } = await desk.typeOnly(...argv);
      expect(code).toBe(0);
      return json().data.map(({ slug }) => slug);
    };
    const after = await slugs('site', 'list', '--data', data, '--json');
    expect(after).toContain('web-shop');
    expect(await slugs('--data', data, '--json', 'site', 'list')).toEqual(after);
    expect(await slugs('--json', `--data=${data}`, 'site', 'list')).toEqual(after);
    expect(await slugs('site', '--data', data, 'list', '--json')).toEqual(after);
    expect(await slugs('--data', '/nowhere', 'site', 'list', '--data', data, '--json')).toEqual(after);
    const shown = await desk.typeOnly('--data', data, 'ticket', 'show', ulid, '--json');
    expect(shown.json().data.ulid).toBe(ulid as never);
    expect((await desk.typeOnly('--data', data, 'config', '--json')).output).toContain(data);
    // A directory with the name of a command is not a command.
    expectRefusal(await desk.typeOnly('--data', 'ticket', 'site', 'list'), 2, 'There is no desk in');
    expectRefusal(await desk.typeOnly('--data', '', 'site', 'list'), 2, '--data is empty.');
    expectRefusal(await desk.typeOnly('--data', data, 'ticket', 'show', '999'), 3, 'No such ticket.');
  });

  test('a flag that does not fit is named as it was typed', async () => {
    expectRefusal(await type('serve', '--port', 'many'), 2, '--port must be a port from 0 to 65535.');
    expectRefusal(await type('serve', '--base-url', 'desk'), 2, '--base-url must be an http or https address');
    expectRefusal(await type('serve', '--port', ''), 2, '--port is empty.');
  });

  test('links lead to where the desk listens', async () => {
    const url = async () => (await type('site', 'show', 'web-shop', '--json')).json().data.inbound_webhook_url;
    const data = join(desk.directory, 'data');
    expect(await url()).toStartWith('http://127.0.0.1:8080/api/webhooks/');
    process.env.HELPDESK_HOST = '::';
    try {
      expect(await url()).toStartWith('http://localhost:8080/api/webhooks/');
      noteBaseUrl(data, 'http://127.0.0.1:4711');
      expect(await url()).toStartWith('http://127.0.0.1:4711/api/webhooks/');
      for (const broken of ['', 'http', 'javascript:alert(1)']) {
        noteBaseUrl(data, broken);
        expect(await url()).toStartWith('http://localhost:8080/api/webhooks/');
      }
      process.env.HELPDESK_BASE_URL = 'https://desk.example.org';
      expect(await url()).toStartWith('https://desk.example.org/api/webhooks/');
    } finally {
      delete process.env.HELPDESK_HOST;
      delete process.env.HELPDESK_BASE_URL;
    }
  });

  test('without a desk it says how to begin', async () => {
    const empty = terminal();
    try {
      expectRefusal(await empty.type('site', 'list'), 2, 'Start one with `helpdesk serve`');
    } finally {
      empty.remove();
    }
  });
});
