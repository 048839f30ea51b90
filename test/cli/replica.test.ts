// The command line on a replica: it reads, and refuses to write with a sentence that names the primary.

import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type FakeLiteFS, fakeLiteFS } from '../support/litefs.ts';
import { clusterKey } from '../support/machines.ts';
import { serve } from '../support/serving.ts';
import { terminal } from './terminal.ts';

const here = terminal();
const primary = await fakeLiteFS();
const replica = await fakeLiteFS();
const before = { ...process.env };

function standOn(litefs: FakeLiteFS): void {
  Object.assign(process.env, {
    HELPDESK_LITEFS_DIR: litefs.mount,
    HELPDESK_LITEFS_URL: litefs.url,
    HELPDESK_SECRET_KEY: clusterKey,
  });
}

beforeAll(async () => {
  primary.setPrimary(true);
  standOn(primary);
  expect((await here.type('site', 'list')).errors).toContain(`There is no desk in ${primary.mount}`);
  const created = await here.type('site', 'create', '--name', 'Web shop');
  expect([created.code, created.errors]).toEqual([0, '']);
  replica.setPrimary(false);
  replica.namePrimary('node-1');
  symlinkSync(primary.database, replica.database);
});
afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  here.remove();
  primary.close();
  replica.close();
});

describe('on the primary', () => {
  test('commands work, and the mount holds the database and nothing else', async () => {
    standOn(primary);
    expect((await here.type('site', 'list')).output).toContain('Web shop');
    expect(readdirSync(primary.mount).filter((name) => !/^(?:\.lag|helpdesk\.db(?:-wal|-shm)?)$/.test(name))).toEqual(
      [],
    );
  });
});

test('only a replica with a primary is promoted', async () => {
  standOn(primary);
  expect((await here.type('promote')).output).toContain('This machine is the primary already.');
  const alone = await fakeLiteFS();
  alone.setPrimary(false);
  standOn(alone);
  const ran = await here.type('promote');
  expect([ran.code, ran.errors]).toEqual([2, expect.stringContaining('No primary is known, so none can hand over')]);
  alone.close();
});

test('a primary that hangs is told as such', async () => {
  const hung = await serve(() => new Promise<Response>(() => undefined));
  standOn(replica);
  process.env.HELPDESK_PEER_URL = `http://127.0.0.1:${hung.port}/{hostname}`;
  const ran = await here.type('promote');
  delete process.env.HELPDESK_PEER_URL;
  expect([ran.code, ran.errors]).toEqual([2, expect.stringContaining('The primary, node-1, does not answer')]);
  await hung.stop(true);
}, 20_000);

describe('on a replica', () => {
  test('what looks works', async () => {
    standOn(replica);
    expect((await here.type('site', 'list')).output).toContain('Web shop');
    expect((await here.type('ticket', 'list')).code).toBe(0);
  });

  test('what reads for long is refused, because it would stop the replication', async () => {
    standOn(replica);
    for (const command of [
      ['backup', 'copy.tar.zst'],
      ['export', '--site', 'web-shop'],
    ]) {
      const ran = await here.type(...command);
      expect(ran.errors).toContain('the primary is node-1');
      expect([ran.code, ran.output]).toEqual([1, '']);
    }
  });

  const writes = [
    ['site', 'create', '--name', 'Another'],
    ['token', 'issue', '--name', 'x', '--abilities', 'read'],
    ['outbox', 'run'],
    ['sla', 'scan'],
    ['agent', 'add', '--email', 'a@example.org', '--name', 'A'],
  ];
  for (const command of writes) {
    test(`helpdesk ${command.slice(0, 2).join(' ')} is refused, and the primary is named`, async () => {
      standOn(replica);
      const ran = await here.type(...command);
      expect(ran.errors).toMatch(/the primary is node-1. Nothing was stored/);
      expect([ran.code, ran.output]).toEqual([1, '']);
    });
  }

  test('with no primary, or none to be known, it is refused as well', async () => {
    standOn(replica);
    replica.namePrimary(null);
    expect((await here.type('site', 'create', '--name', 'x')).errors).toMatch(/no primary at the moment/);
    replica.setPrimary(null);
    expect((await here.type('site', 'create', '--name', 'x')).errors).toMatch(/LiteFS does not answer/);
    replica.setPrimary(false);
    replica.namePrimary('node-1');
    standOn(primary);
    expect((await here.type('site', 'list')).output).not.toMatch(/\bx\b|Another/);
  });

  test('a database that has not arrived is no desk', async () => {
    const empty = await fakeLiteFS();
    empty.setPrimary(false);
    standOn(empty);
    const ran = await here.type('site', 'create', '--name', 'x');
    expect(ran.errors).toContain('The database has not arrived from the primary yet.');
    expect([ran.code, readdirSync(empty.mount)]).toEqual([1, ['.lag']]);
    empty.setPrimary(null);
    expect((await here.type('site', 'create', '--name', 'x')).errors).toContain(
      'LiteFS does not answer on this machine',
    );
    // What is not a mount must not become a desk, whatever LiteFS says.
    empty.setPrimary(true);
    rmSync(join(empty.mount, '.lag'));
    for (const command of [['create', '--name', 'x'], ['list']]) {
      const unmounted = await here.type('site', ...command);
      expect(unmounted.errors).toContain(`LiteFS is not mounted at ${empty.mount} on this machine.`);
      expect([unmounted.code, readdirSync(empty.mount)]).toEqual([1, []]);
    }
    empty.close();
  });
});

test('a command for the directory of one machine says so', async () => {
  standOn(primary);
  const ran = await here.type('demo');
  expect(ran.code).not.toBe(0);
  expect(ran.errors).toMatch(/one machine/);
});

describe('doctor', () => {
  const checked = (output: string) => output.includes('database: ok') && output.includes('attachments: ok');

  test('examines the database of the machine, on the primary and on a replica', async () => {
    for (const litefs of [primary, replica]) {
      standOn(litefs);
      const before = [litefs.exported(), ...readdirSync(litefs.mount)];
      const ran = await here.type('doctor');
      expect([ran.code, ran.errors, checked(ran.output)]).toEqual([0, '', true]);
      expect(ran.output.includes('No backup has been made')).toBe(litefs === primary);
      expect([litefs.exported() - 1, ...readdirSync(litefs.mount)]).toEqual(before);
    }
  });

  test('fixes on the primary, and refuses to on a replica', async () => {
    const opened = new Database(primary.database);
    opened.run("INSERT INTO ticket_counts (site_id, status, is_test, total, is_spam) VALUES (1, 'open', 0, 7, 0)");
    opened.close();
    standOn(replica);
    const refused = await here.type('doctor', '--fix');
    expect([refused.code, refused.errors]).toEqual([1, expect.stringMatching(/the primary is node-1/)]);
    standOn(primary);
    const ran = await here.type('doctor', '--fix');
    expect([ran.code, ran.output]).toEqual([0, expect.stringContaining('fixed: The stored totals of tickets')]);
    expect((await here.type('doctor')).output).toContain('counters: ok');
  });

  test('says why it could not look, and which setting is wrong', async () => {
    const silent = await fakeLiteFS();
    standOn(silent);
    silent.close();
    const ran = await here.type('doctor');
    expect([ran.code, ran.output]).toEqual([1, expect.stringContaining(`LiteFS does not answer at ${silent.url}.`)]);
    expect(ran.output).toContain('index: could not be checked');
    process.env.HELPDESK_LITEFS_URL = 'nowhere';
    const wrong = await here.type('doctor');
    expect([wrong.code, wrong.errors]).toEqual([2, expect.stringContaining('HELPDESK_LITEFS_URL')]);
  });
});
