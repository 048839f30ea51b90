// helpdesk doctor: what it says, its JSON, and its exit codes.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createProgress } from '../../cli/output/progress.ts';
import { terminal } from './terminal.ts';

const desk = terminal();
const data = join(desk.directory, 'data');
beforeAll(async () => {
  await desk.type('site', 'create', '--name', 'Web shop');
});
afterAll(desk.remove);

test('a healthy desk: each area by name, and exit code 0', async () => {
  const { code, output, errors } = await desk.type('doctor');
  expect(code).toBe(0);
  expect(errors).toBe('');
  for (const line of ['database: ok', 'index: ok', 'permissions: ok', 'Nothing is wrong.'])
    expect(output).toContain(line);
});

test('one of a kind is named as one', async () => {
  const who = ['--email', 'mia@example.org', '--name', 'Mia Jansen'];
  await desk.type('ticket', 'open', '--site', 'web-shop', ...who, '--subject', 'Late', '--body', 'Where is it?');
  expect((await desk.type('doctor')).output).toContain('Checked 1 ticket, 2 events and 0 files');
});

test('a fault: exit code 1, what it is and that --fix repairs it; then it is no longer found', async () => {
  chmodSync(data, 0o755);
  const found = await desk.type('doctor');
  expect(found.code).toBe(1);
  expect(found.errors).toBe('');
  expect(found.output).toContain('wrong: Other users can read the data directory (--fix repairs it).');
  expect(found.output).toContain('One thing is wrong. Run it again with --fix');
  const json = await desk.type('doctor', '--json');
  expect(json.code).toBe(1);
  expect(json.json().data).toMatchObject({ is_sound: false });
  const some = await desk.type('doctor', '--fix', '--only', 'totals_differ,key_open');
  expect(some).toMatchObject({ code: 1, output: expect.stringContaining('wrong: Other users can read the data') });
  expect((await desk.type('doctor', '--fix', '--only', 'disk_low')).errors).toContain('totals_differ');
  expect((await desk.type('doctor', '--only', 'totals_differ')).errors).toContain('--only needs --fix.');
  const fixed = await desk.type('doctor', '--fix');
  expect(fixed.code).toBe(0);
  expect(fixed.output).toContain('fixed: Other users can read');
  expect((await desk.type('doctor', '--json')).json().data).toMatchObject({ is_sound: true });
});

test('a setting that does not fit is a finding, not the end', async () => {
  process.env.HELPDESK_PORT = 'eighty';
  try {
    const { code, output } = await desk.type('doctor');
    expect(code).toBe(1);
    expect(output).toContain('HELPDESK_PORT must be a port');
    expect(output).toContain('database: ok');
  } finally {
    delete process.env.HELPDESK_PORT;
  }
});

test('where there is no desk, it says so and makes none', async () => {
  const other = terminal();
  mkdirSync(join(other.directory, 'data'));
  const { code, errors } = await other.type('doctor');
  expect(code).toBe(2);
  expect(errors).toContain('There is no desk in');
  other.remove();
});

test('a command on a directory whose database is missing says what can be restored', async () => {
  const other = terminal();
  await other.type('site', 'create', '--name', 'Shop');
  const data = join(other.directory, 'data');
  rmSync(join(data, 'helpdesk.db'));
  const { code, errors } = await other.type('site', 'list');
  expect(errors).toContain('helpdesk.db is missing, but there was a desk here: ');
  expect(errors).toContain('helpdesk restore');
  expect(errors).not.toContain('Start one');
  expect(code).toBe(1);
  expect(existsSync(join(data, 'helpdesk.db'))).toBe(false);
  other.remove();
});

test('a directory that this user cannot read is reported as such, and not as one without a desk', async () => {
  const other = terminal();
  await other.type('site', 'create', '--name', 'Shop');
  const data = join(other.directory, 'data');
  chmodSync(other.directory, 0o755);
  const { seteuid, geteuid } = process;
  const uid = geteuid?.() ?? 0;
  // Root can read everything.
  if (uid === 0) seteuid?.(65534);
  else chmodSync(data, 0o000);
  try {
    for (const argv of [['site', 'list'], ['doctor']]) {
      const { code, errors } = await other.type(...argv);
      expect(errors).toBe(
        `${data} cannot be read by this user. Run this as the user that the desk runs as, or check who owns the directory.\n`,
      );
      expect(code).toBe(1);
    }
  } finally {
    if (uid === 0) seteuid?.(0);
    else chmodSync(data, 0o700);
    other.remove();
  }
});

test('a progress bar is drawn on a terminal, after a second, and wiped', () => {
  const drawn = (isTTY: boolean, afterMs: number) => {
    let text = '';
    let now = 5000;
    const out = { isTTY, write: (more: string) => (text += more) } as unknown as typeof process.stderr;
    const progress = createProgress('Looking', out, () => now);
    progress.show(0.1);
    now += afterMs;
    progress.show(0.5, 'half');
    progress.end();
    return text;
  };
  expect(drawn(true, 1000)).toBe(`\r\u001b[KLooking [${'#'.repeat(15)}${'.'.repeat(15)}] 50% half\r\u001b[K`);
  expect(drawn(true, 999)).toBe('');
  expect(drawn(false, 1000)).toBe('');
});
