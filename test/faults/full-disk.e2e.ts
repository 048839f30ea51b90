// Messages on a full disk: which disk it is and that it is full, and nothing about damage or another helpdesk.

import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../migrations/index.ts';
import { openStore } from '../../src/engine/database.ts';
import { migrate } from '../../src/engine/migrate.ts';
import { bareEnvironment, executable, helpdesk, newDirectory } from '../e2e/executable.ts';
import { onSmallDisk } from '../e2e/small-disk.ts';
import { createDisk, EIO, ENOSPC } from '../support/faults.ts';

const newest = migrations.at(-1)!.version;

/** A desk as the previous version would have left it. */
async function olderDesk(place: string): Promise<string> {
  expect((await helpdesk(place, ['demo'])).code).toBe(0);
  const data = join(place, 'data');
  for (const name of ['helpdesk.db', 'helpdesk.db-wal', 'helpdesk.db-shm', 'wal', 'backups'])
    rmSync(join(data, name), { recursive: true, force: true });
  const store = openStore(join(data, 'helpdesk.db'), 'OFF');
  migrate(store.writing, migrations.slice(0, -1), 0);
  store.close();
  return data;
}

async function commanded(place: string, args: string[], environment: Record<string, string>) {
  const child = Bun.spawn([executable, ...args], {
    cwd: place,
    env: { ...bareEnvironment, ...environment },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { output, errors, code };
}

test('every command says that the disk is full, however little room there is', async () => {
  const { path: place, remove } = newDirectory();
  try {
    const { output, errors } = await onSmallDisk(
      place,
      12,
      `for room in 0 4 16 28 32 36; do
        for words in 'ticket list' "backup $PWD/elsewhere" 'site create --name x' 'doctor' 'serve --port 0'; do
          rm -rf "$disk/data" "$disk/other" elsewhere
          "$helpdesk" demo --data "$disk/data" >/dev/null
          free=$(df -k --output=avail "$disk" | tail -1)
          head -c $(( (free - room) * 1024 )) /dev/zero > "$disk/other"
          echo "== $room KiB: $words"
          timeout --preserve-status 2 "$helpdesk" $words --data "$disk/data" > out 2> err
          code=$?
          grep -v '^{' err
          if grep -q 'from a backup' out; then echo "wrong advice"; cat out; fi
          [ $code = 0 ] || [ -s err ] || [ "$words" = doctor ] || echo "silent"
          ls -A "$disk/data/backups" 2>/dev/null | grep -v '^snapshot-\\|^last-backup.json$'
        done
      done`,
    );
    expect(errors).toBe('');
    expect(output).not.toMatch(/Something went wrong|damaged|wrong advice|silent|I\/O|ENOSPC|\.new|partial/);
    expect(output).toMatch(/== 0 KiB: ticket list\n\S+disk\/data\/helpdesk\.db is on a full disk\. Free some space/);
    expect(output).toMatch(/== 0 KiB: serve --port 0\n\S+disk\/data\/helpdesk\.db is on a full disk\. Free some space/);
  } finally {
    remove();
  }
});

test('a backup whose date cannot be noted is whole all the same', async () => {
  const { path: place, remove } = newDirectory();
  const backups = join(place, 'data', 'backups');
  try {
    expect((await helpdesk(place, ['demo'])).code).toBe(0);
    mkdirSync(backups, { recursive: true });
    const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', backups]);
    expect(mounted.stderr.toString()).toBe('');
    writeFileSync(join(backups, 'full'), Buffer.alloc(4096));
    const { errors, code } = await helpdesk(place, ['backup', 'there']);
    expect(errors).toMatch(/data has no room left; the backup is complete, but its date could not be saved/);
    expect(code).toBe(0);
    expect(readdirSync(join(place, 'there'))).toContain('backup.json');
  } finally {
    Bun.spawnSync(['umount', backups]);
    remove();
  }
});

test('a backup that fails for its own disk names that', async () => {
  const { path: place, remove } = newDirectory();
  try {
    expect((await helpdesk(place, ['demo'])).code).toBe(0);
    const disk = createDisk();
    disk.fail(`write there.partial ${ENOSPC}`);
    expect((await commanded(place, ['backup', 'there'], disk.environment)).errors).toMatch(
      /\/there has no room left; the unfinished backup was removed/,
    );
    expect(readdirSync(place).sort()).toEqual(['data']);
  } finally {
    remove();
  }
});

test('an upgrade without room says how much it needs, and changes nothing', async () => {
  const { path: place, remove } = newDirectory();
  try {
    await olderDesk(place);
    const { output, errors } = await onSmallDisk(
      place,
      60,
      `cp -r data "$disk/data"; "$helpdesk" ticket list --data "$disk/data"; echo "code $?"; ls -A "$disk/data"`,
    );
    expect(errors).toMatch(
      new RegExp(
        `from schema ${newest - 1} to ${newest} needs \\d+ MiB free on the disk of \\S+/disk/data, which has \\d+ MiB\\.`,
      ),
    );
    expect(errors).not.toContain('another helpdesk');
    expect(output).toContain('code 1');
    expect(output).not.toContain('before-schema');
  } finally {
    remove();
  }
});

test('an upgrade whose copy fails leaves no file that looks like one, and goes through the next time', async () => {
  const { path: place, remove } = newDirectory();
  try {
    const data = await olderDesk(place);
    const whole = readFileSync(join(data, 'helpdesk.db'));
    const disk = createDisk();
    for (const [errno, words] of [
      [ENOSPC, 'has no room left'],
      [EIO, 'is on a failing disk'],
    ] as const) {
      disk.fail(`write before-schema ${errno}`, `sync before-schema ${errno}`);
      const failed = await commanded(place, ['ticket', 'list'], disk.environment);
      expect(failed.code).toBe(1);
      expect(failed.errors).toContain(
        `${join(data, 'backups')} before an upgrade, but that folder ${words}. Nothing was changed.`,
      );
      expect(readdirSync(join(data, 'backups'))).toEqual([]);
      expect(Buffer.compare(readFileSync(join(data, 'helpdesk.db')), whole)).toBe(0);
    }
    disk.fail();
    expect((await commanded(place, ['ticket', 'list'], disk.environment)).code).toBe(0);
    expect(readdirSync(join(data, 'backups')).filter((name) => !name.startsWith('before-schema-'))).toEqual([]);
    expect(existsSync(join(data, 'backups'))).toBe(true);
  } finally {
    remove();
  }
});
