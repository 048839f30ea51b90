// Copies, backups and restores with the executable: under load, killed at any moment, and on a full disk.

import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { existsSync, readdirSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../browser/wait.ts';
import { bareEnvironment, executable, helpdesk, newDirectory, serve, siteAndToken, unlimited } from './executable.ts';
import { killsOf } from './kills.ts';
import { onSmallDisk } from './small-disk.ts';

const { path, remove } = newDirectory();
afterAll(remove);

function columnIn(directory: string, column: 'ulid' | 'subject'): string[] {
  const database = new Database(join(directory, 'helpdesk.db'), { readwrite: true });
  try {
    return database
      .query<{ value: string }, []>(`SELECT ${column} AS value FROM tickets`)
      .all()
      .map(({ value }) => value);
  } finally {
    database.close();
  }
}

const ticketsIn = (directory: string) => new Set(columnIn(directory, 'ulid'));

/** Opens tickets one after the other until told to stop; remembers those that were answered with 201. */
function load(url: string, siteToken: string, workers: number) {
  const answered: string[] = [];
  const begun: string[] = [];
  let isOver = false;
  const done = Array.from({ length: workers }, async (_, worker) => {
    for (let turn = 0; !isOver; turn += 1) {
      const subject = `Load ${worker}.${turn}`;
      begun.push(subject);
      const response = await fetch(`${url}/api/v1/public/tickets`, {
        method: 'POST',
        headers: { 'X-Site-Token': siteToken, 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: `w${worker}@example.org`, subject, message: 'x'.repeat(400) }),
      }).catch(() => null);
      // The desk was killed.
      if (response === null) return;
      if (response.status === 201) answered.push(((await response.json()) as { ticket: { ulid: string } }).ticket.ulid);
      else await response.arrayBuffer();
    }
  });
  return {
    answered,
    begun,
    /** Until so many more have been answered. */
    more: (count: number) => {
      const before = answered.length;
      return waitUntil('more is answered', () => answered.length >= before + count);
    },
    async stop() {
      isOver = true;
      await Promise.all(done);
    },
  };
}

/** Each of them with a directory, and with one file. */
const rounds = killsOf(2);

const missing = (before: readonly string[], directory: string) => {
  const there = ticketsIn(directory);
  return before.filter((ulid) => !there.has(ulid));
};

test('plain copies and backups of a desk under load hold what was answered before they began', async () => {
  const { siteToken } = await siteAndToken(path);
  // Snapshots, and with them new logs, come as often as possible.
  const desk = await serve(path, { ...unlimited, HELPDESK_SNAPSHOT_EVERY: '1s' });
  const busy = load(desk.url, siteToken, 6);
  for (let round = 0; round < rounds; round += 1) {
    await busy.more(20);
    const before = [...busy.answered];
    const copy = join(path, `copy-${round}`);
    await Bun.spawn(['cp', '-r', join(path, 'data'), copy], { stderr: 'ignore' }).exited;
    const opened = await helpdesk(path, ['site', 'list', '--data', copy]);
    expect(opened).toMatchObject({ code: 0, errors: expect.stringContaining('This directory is a copy of a desk.') });
    expect(missing(before, copy)).toEqual([]);
    rmSync(copy, { recursive: true });
    const backup = join(path, round % 2 === 0 ? 'backup' : 'backup.tar.zst');
    const again = [...busy.answered];
    expect(await helpdesk(path, ['backup', backup])).toMatchObject({ code: 0, errors: '' });
    const restored = await helpdesk(path, ['restore', backup, '--data', join(path, 'restored')]);
    expect(restored).toMatchObject({ code: 0, errors: '' });
    expect(missing(again, join(path, 'restored'))).toEqual([]);
    for (const name of [backup, join(path, 'restored')]) rmSync(name, { recursive: true });
  }
  await busy.stop();
  expect(await (await fetch(`${desk.url}/readyz`)).json()).toMatchObject({
    backup_age: expect.any(Number),
    disk_used: expect.any(Number),
    snapshot_age: expect.any(Number),
  });
  desk.signal('SIGTERM');
  expect(await desk.exited).toBe(0);
  expect(missing(busy.answered, join(path, 'data'))).toEqual([]);
});

test('a desk that was killed goes back to any moment of its load, and exactly to it', async () => {
  const { path: place, remove: clear } = newDirectory();
  try {
    const { siteToken } = await siteAndToken(place);
    const desk = await serve(place, { ...unlimited, HELPDESK_SNAPSHOT_EVERY: '2s' });
    const busy = load(desk.url, siteToken, 3);
    const moments: { at: number; begun: string[]; answered: string[] }[] = [];
    for (let round = 0; round < 3; round += 1) {
      await busy.more(15);
      const at = Date.now();
      const answered = [...busy.answered];
      // A request of that millisecond can be on either side; none that begins after it can be there.
      while (Date.now() === at) await Bun.sleep(0);
      moments.push({ at, begun: [...busy.begun], answered });
    }
    desk.signal('SIGKILL');
    await desk.exited;
    await busy.stop();
    for (const { at, begun, answered } of moments) {
      const done = await helpdesk(place, [
        'restore',
        'data',
        '--data',
        'back',
        '--at',
        new Date(at).toISOString(),
        '--json',
      ]);
      expect(done).toMatchObject({ code: 0, errors: '' });
      expect(missing(answered, join(place, 'back'))).toEqual([]);
      expect(columnIn(join(place, 'back'), 'subject').filter((subject) => !begun.includes(subject))).toEqual([]);
      rmSync(join(place, 'back'), { recursive: true });
    }
    const middle = moments[1]!;
    const at = new Date(middle.at).toISOString();
    expect(await helpdesk(place, ['restore', '--at', at])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('--force'),
    });
    const back = await helpdesk(place, ['restore', '--at', at, '--force']);
    expect(back).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /is now as it was at .*Left out, because they came later: \d+ commits? with \d+ tickets?/s,
      ),
    });
    expect(missing(middle.answered, join(place, 'data'))).toEqual([]);
    expect((await helpdesk(place, ['doctor'])).output).toContain('Nothing is wrong.');
    expect(await helpdesk(place, ['restore', '--at', '2001-01-01T00:00:00Z', '--force'])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('has no snapshot to start from'),
    });
    expect(await helpdesk(place, ['restore'])).toMatchObject({ code: 2 });
  } finally {
    clear();
  }
});

/** Names of files at whose first sight a backup or a restore is killed: where it begins, in the middle, and at the end. */
const backupMoments: [name: string, seen: RegExp][] = [
  ['one', /^one\.partial$/],
  ['one', /^one\.partial\/SHA256SUMS$/],
  ['one', /^one$/],
  ['one.tar.zst', /^one\.tar\.zst\.partial\.db$/],
  ['one.tar.zst', /^one\.tar\.zst\.partial$/],
];
const restoreMoments = [
  /^target\/\.restoring\/new\/helpdesk\.db$/,
  /^target\/\.restoring\/ready$/,
  /^target\/secret\.key$/,
];

test('a backup and a restore that are killed at any moment leave all or nothing', async () => {
  const { path: place, remove: clear } = newDirectory();
  try {
    expect((await helpdesk(place, ['demo'])).code).toBe(0);
    expect((await helpdesk(place, ['backup', 'whole.tar.zst'])).code).toBe(0);
    const expected = ticketsIn(join(place, 'data'));
    let struck = 0;
    const killed = async (args: string[], seen: RegExp) => {
      const allSeen = Promise.withResolvers<void>();
      let isStruck = false;
      const watcher = watch(place, { recursive: true }, (_, name) => {
        if (name === 'end') allSeen.resolve();
        if (isStruck || !seen.test(name ?? '')) return;
        isStruck = true;
        struck += 1;
        child.kill('SIGKILL');
      });
      const child = Bun.spawn([executable, ...args], {
        cwd: place,
        env: bareEnvironment,
        stdout: 'ignore',
        stderr: 'ignore',
      });
      await child.exited;
      writeFileSync(join(place, 'end'), '');
      await allSeen.promise;
      watcher.close();
      rmSync(join(place, 'end'));
    };
    for (const [name, seen] of backupMoments) {
      await killed(['backup', name], seen);
      if (existsSync(join(place, name))) {
        expect((await helpdesk(place, ['restore', name, '--data', 'proof'])).code).toBe(0);
        rmSync(join(place, 'proof'), { recursive: true });
      }
      rmSync(join(place, name), { recursive: true, force: true });
      // The next one removes what the killed one left.
      expect((await helpdesk(place, ['backup', name])).code).toBe(0);
      expect(readdirSync(place).filter((entry) => entry.includes('partial'))).toEqual([]);
      rmSync(join(place, name), { recursive: true });
    }
    // What happens in a folder that has just been made may be seen too late.
    expect(struck).toBeGreaterThanOrEqual(backupMoments.length - 1);
    for (const seen of restoreMoments) {
      await killed(['restore', 'whole.tar.zst', '--data', 'target'], seen);
      const again = await helpdesk(place, ['restore', 'whole.tar.zst', '--data', 'target', '--force']);
      expect(again).toMatchObject({ code: 0 });
      expect(ticketsIn(join(place, 'target'))).toEqual(expected);
      // Over an existing desk: at any moment, one of the two opens.
      await killed(['restore', 'whole.tar.zst', '--data', 'target', '--force'], seen);
      expect(await helpdesk(place, ['ticket', 'list', '--data', 'target'])).toMatchObject({ code: 0 });
      expect(ticketsIn(join(place, 'target'))).toEqual(expected);
      rmSync(join(place, 'target'), { recursive: true });
    }
    expect(struck).toBeGreaterThan(backupMoments.length - 1);
  } finally {
    clear();
  }
});

test('a full or read-only disk refuses a backup, a restore and writes in plain words, and the desk goes on reading', async () => {
  const { path: place, remove: clear } = newDirectory();
  try {
    expect((await helpdesk(place, ['demo'])).code).toBe(0);
    expect((await helpdesk(place, ['backup', 'whole'])).code).toBe(0);
    writeFileSync(join(place, 'noise'), Bun.randomUUIDv7('buffer').toString().repeat(20_000));
    for (const name of ['backup', 'backup.tar.zst']) {
      const full = await onSmallDisk(
        place,
        1,
        `head -c 900000 /dev/zero > "$disk/other"; "$helpdesk" backup "$disk/${name}"; code=$?; ls -A "$disk"; exit $code`,
      );
      expect(full.errors).toContain('has no room left; the unfinished backup was removed.');
      expect(full).toMatchObject({ code: 1, output: 'other\n' });
    }
    const restored = await onSmallDisk(
      place,
      1,
      `head -c 700000 /dev/zero > "$disk/other"; mkdir "$disk/data"; "$helpdesk" restore whole --data "$disk/data"; code=$?; ls -A "$disk/data"; exit $code`,
    );
    expect(restored.code).toBe(1);
    expect(restored.output).toBe('');
    expect(restored.errors).toContain('no room left');
    const readOnly = await onSmallDisk(
      place,
      16,
      `cp -r data "$disk/data"; mount -o remount,ro "$disk" || exit 99
      for words in 'ticket list' "backup $PWD/of-read-only" 'serve --port 0'; do "$helpdesk" $words --data "$disk/data"; echo "code $?"; done
      "$helpdesk" backup "$disk/there"; echo "code $?"`,
    );
    expect(readOnly.output).toBe('code 1\ncode 1\ncode 1\ncode 1\n');
    expect(readOnly.errors.match(/is on a read-only disk/g)).toHaveLength(4);
    const served = await onSmallDisk(
      place,
      16,
      `
      cp -r data "$disk/data"
      "$helpdesk" serve --data "$disk/data" --port 0 > out 2> err &
      pid=$!
      until grep -q 'listens on' out; do sleep 0.05; done
      url=$(sed -n 's/.*listens on \\(http:[^ ]*\\) and.*/\\1/p' out)
      token=$("$helpdesk" token issue --name t --data "$disk/data" | grep -o 'hdt_[A-Za-z0-9_-]*')
      dd if=/dev/zero of="$disk/other" bs=64k 2>/dev/null
      for i in 1 2 3 4 5 6 7 8; do
        curl -s -o answer -w '%{http_code}\\n' -X PATCH -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \\
          -d "{\\"subject\\":\\"written $i $(head -c 30000 /dev/zero | tr '\\0' x | head -c 180)\\",\\"metadata\\":{\\"k\\":\\"$(head -c 3000 /dev/zero | tr '\\0' y)\\"}}" "$url/api/v1/tickets/1"
      done
      cat answer; echo
      curl -s -o /dev/null -w 'read %{http_code}\\n' -H "Authorization: Bearer $token" "$url/api/v1/tickets/1"
      rm "$disk/other"
      curl -s -o /dev/null -w 'after %{http_code}\\n' -X PATCH -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{"subject":"there is room again"}' "$url/api/v1/tickets/1"
      kill $pid; wait $pid
      "$helpdesk" doctor --data "$disk/data" --json
    `,
    );
    const lines = served.output.split('\n');
    expect(lines.slice(0, 8)).toContain('503');
    expect(served.output).toContain('The disk is full; nothing was stored.');
    expect(served.output).toContain('read 200');
    expect(served.output).toContain('after 200');
    const { data } = JSON.parse(lines.findLast((line) => line.startsWith('{"data"')) ?? '') as {
      data: { areas_checked: string[]; findings: { area: string; level: string }[] };
    };
    expect(data.areas_checked).toEqual(expect.arrayContaining(['database', 'index', 'counters', 'attachments']));
    // Little free space is the only finding.
    expect(data.findings.filter(({ area, level }) => level === 'wrong' && area !== 'disk')).toEqual([]);
  } finally {
    clear();
  }
});

test('a desk whose directory is taken from it goes on with what it has open, and says what it cannot do', async () => {
  const { path: place, remove: clear } = newDirectory();
  try {
    const { siteToken } = await siteAndToken(place);
    const desk = await serve(place, unlimited);
    const open = () =>
      fetch(`${desk.url}/api/v1/public/tickets`, {
        method: 'POST',
        headers: { 'X-Site-Token': siteToken, 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: 'a@example.org', subject: 's', message: 'm' }),
      });
    expect((await open()).status).toBe(201);
    // Permissions do not restrict root, but a moved directory does.
    renameSync(join(place, 'data'), join(place, 'elsewhere'));
    expect((await open()).status).toBe(201);
    expect((await fetch(`${desk.url}/readyz`)).status).toBe(200);
    expect((await helpdesk(place, ['site', 'list'])).code).toBe(2);
    // A snapshot that was due may have created the folder again.
    rmSync(join(place, 'data'), { recursive: true, force: true });
    renameSync(join(place, 'elsewhere'), join(place, 'data'));
    expect((await open()).status).toBe(201);
    desk.signal('SIGTERM');
    expect(await desk.exited).toBe(0);
    expect(ticketsIn(join(place, 'data')).size).toBe(3);
  } finally {
    clear();
  }
});
