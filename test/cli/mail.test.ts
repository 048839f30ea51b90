// Mail on the command line: piped in by another process, listed, shown, replayed; and the dry run of rules.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { mail } from '../desk/mail/mail-desk.ts';
import { terminal } from './terminal.ts';

const desk = terminal();
const { type, pipe } = desk;

beforeAll(async () => {
  await type('site', 'create', '--name', 'Web shop');
  await type('rule', 'add', '--site', 'web-shop', '--name', 'Spam', '--if', 'subject equals Spam', '--then', 'discard');
});
afterAll(desk.remove);

const ingest = (input: string, ...more: string[]) => pipe(input, 'mail', 'ingest', '--site', 'web-shop', ...more);

describe('mail ingest', () => {
  test('files a message and answers its row', async () => {
    const { output, code } = await ingest(mail({ subject: 'Piped' }), '--json');
    expect(code).toBe(0);
    expect(JSON.parse(output).data).toMatchObject({ outcome: 'ticket_created', subject: 'Piped', provider: 'raw' });
  });

  test('takes the envelope from its flags', async () => {
    const raw = mail({ to: 'list@customer.example', subject: 'By envelope' });
    const flags = ['--sender', 'mia@customer.example', '--recipient', 'support@desk.example', '--json'];
    expect(JSON.parse((await ingest(raw, ...flags)).output).data.recipient).toBe('support@desk.example');
  });

  test('what cannot be read is stored, and no reason to try again', async () => {
    const { output, code } = await ingest('', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(output).data.outcome).toBe('failed');
  });

  test('asks to try again where the desk is away, and not where the site is unknown', async () => {
    const away = await ingest(mail(), '--data', join(desk.directory, 'unmounted'));
    expect(away.code).toBe(75);
    expect(away.output).toBe('');
    expect(away.errors.trim().split('\n')).toHaveLength(1);
    expect((await pipe(mail(), 'mail', 'ingest', '--site', 'nowhere')).code).toBe(3);
  });
});

describe('the inbound log', () => {
  test('is listed by outcome, with the envelope of the API', async () => {
    await ingest(mail({ subject: 'Spam' }));
    const list = (await type('mail', 'list', '--site', 'web-shop', '--outcome', 'discarded,held', '--json')).json();
    expect(list.data.map(({ subject }) => subject)).toEqual(['Spam']);
    expect(list).toMatchObject({ meta: { total: 1, per_page: 15 } });
    expect(String((list.links as { first: string }).first)).toContain('outcome=discarded%2Cheld');
    expect((await type('mail', 'list', '--site', 'web-shop', '--outcome', 'lost')).code).toBe(1);
    const page = (await type('mail', 'list', '--site', 'web-shop', '--per-page', '1', '--page', '2')).output;
    expect(page).toContain('in total; see more with --page');
  });

  test('needs no site to be named: what a person knows is the outcome, or the id', async () => {
    await type('site', 'create', '--name', 'Second shop');
    const elsewhere = await pipe(mail({ subject: 'Elsewhere' }), 'mail', 'ingest', '--site', 'second-shop', '--json');
    const { id } = JSON.parse(elsewhere.output).data;
    const all = (await type('mail', 'list', '--per-page', '100', '--json')).json();
    expect(new Set(all.data.map(({ site_id }) => site_id))).toEqual(new Set([1, 2]));
    expect(all).toMatchObject({ meta: { total: all.data.length }, links: { first: null, next: null } });
    expect((await type('mail', 'list', '--outcome', 'ticket_created')).output).toContain('second-shop');
    const failed = (await type('mail', 'list', '--outcome', 'failed,held', '--json')).json();
    expect(failed.data.map(({ outcome }) => outcome)).toEqual(['failed']);
    expect((await type('mail', 'show', String(id))).output).toContain('Elsewhere');
    expect((await type('mail', 'show', String(id), '--site', 'web-shop')).code).toBe(3);
    const again = (await type('mail', 'replay', '--outcome', 'failed', '--json')).json();
    expect(again.data).toMatchObject([{ outcome: 'failed', attempts: 2 }]);
    expect((await type('mail', 'replay', String(id))).code).toBe(1);
  });

  test('a row tells why, and is replayed by its id or with its like', async () => {
    const [row] = (await type('mail', 'list', '--site', 'web-shop', '--outcome', 'discarded', '--json')).json().data;
    const id = String(row?.id);
    const shown = (await type('mail', 'show', id, '--site', 'web-shop')).output;
    expect(shown).toContain('Spam: matched');
    expect((await type('mail', 'replay', id, '--site', 'web-shop', '--json')).json().data).toMatchObject([
      { outcome: 'discarded', attempts: 2 },
    ]);
    const rules = (await type('rule', 'list', '--site', 'web-shop', '--json')).json().data;
    await type('rule', 'disable', String(rules[0]?.id), '--site', 'web-shop');
    const all = await type('mail', 'replay', '--site', 'web-shop', '--outcome', 'discarded', '--json');
    expect(all.json().data).toMatchObject([{ outcome: 'ticket_created', attempts: 3 }]);
    expect((await type('mail', 'replay', id, '--site', 'web-shop')).code).toBe(1);
    await type('rule', 'enable', String(rules[0]?.id), '--site', 'web-shop');
  });

  test('what is held is filed once it is released', async () => {
    const forged = mail({ subject: 'Held', headers: ['Authentication-Results: mx; dmarc=fail'] });
    expect(JSON.parse((await ingest(forged, '--json')).output).data.outcome).toBe('held');
    const replay = ['mail', 'replay', '--site', 'web-shop', '--outcome', 'held', '--json'];
    expect((await type(...replay)).json().data).toMatchObject([{ outcome: 'held' }]);
    expect((await type(...replay, '--release')).json().data).toMatchObject([{ outcome: 'ticket_created' }]);
  });

  test('what is held for a reason is listed, discarded and filed together', async () => {
    const held = async () =>
      (await type('mail', 'list', '--held-for', 'forged', '--json')).json().data.map(({ subject }) => subject);
    for (const subject of ['One', 'Two'])
      await ingest(mail({ subject, headers: ['Authentication-Results: mx; dmarc=fail'] }));
    const [newest] = (await type('mail', 'list', '--held-for', 'forged', '--json')).json().data;
    expect((await type('mail', 'discard', '--held-for', 'spam,too_much', '--yes', '--json')).json().data).toHaveLength(
      0,
    );
    expect((await pipe('', 'mail', 'discard', '--held-for', 'forged')).code).toBe(2);
    expect(await held()).toEqual(['Two', 'One']);
    await type('mail', 'discard', String(newest?.id));
    expect(await held()).toEqual(['One']);
    const filed = (await type('mail', 'replay', '--held-for', 'forged', '--release', '--yes', '--json')).json();
    expect(filed.data).toMatchObject([{ subject: 'One', outcome: 'ticket_created' }]);
  }, 60_000);

  test('is used rightly or not at all', async () => {
    expect((await type('mail', 'replay', '--site', 'web-shop')).code).toBe(2);
    expect((await type('mail', 'replay', '--site', 'web-shop', '--outcome', 'ticket_created')).code).toBe(2);
    expect((await type('mail', 'show', 'x', '--site', 'web-shop')).code).toBe(2);
    expect((await type('mail', 'show', '999', '--site', 'web-shop')).code).toBe(3);
  });
});

test("a site's trusted servers and SNS topics are set and taken back", async () => {
  const set = async (...flags: string[]) => (await type('site', 'update', 'web-shop', ...flags, '--json')).json().data;
  const topic = 'arn:aws:sns:eu-west-1:123456789012:mail';
  const lists = (trusted: string[], topics: string[]) => ({
    settings: { trusted_mail_servers: trusted, ses_topic_arns: topics },
  });
  expect(
    await set('--trusted-mail-servers', 'mx1.mine.example,mx2.mine.example', '--ses-topic-arns', topic),
  ).toMatchObject(lists(['mx1.mine.example', 'mx2.mine.example'], [topic]));
  expect(await set('--trusted-mail-servers', '', '--ses-topic-arns', '')).toMatchObject(lists([], []));
});

test('rule test explains each rule and files nothing', async () => {
  const before = (await type('mail', 'list', '--site', 'web-shop', '--json')).json().meta;
  const told = await pipe(mail({ subject: 'Spam' }), 'rule', 'test', '--site', 'web-shop');
  expect(told.code).toBe(0);
  expect(told.output).toContain('The message is ordinary and matches no ticket. Outcome: discarded. Rule');
  expect(told.output).toMatch(/Rule \d+ Spam: matched/);
  const dry = await pipe(mail({ subject: 'Ham' }), 'rule', 'test', '--site', 'web-shop', '--json');
  expect(JSON.parse(dry.output).data.rules).toMatchObject([{ name: 'Spam', outcome: 'not_matched' }]);
  expect((await type('mail', 'list', '--site', 'web-shop', '--json')).json().meta).toEqual(before);
});
