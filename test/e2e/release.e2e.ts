// A release of this machine's kind, as `bun run release` makes it: named, summed, and running.

import { afterAll, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { executableKind } from '../../scripts/executable-kind.ts';
import { newDirectory } from './executable.ts';

const root = join(import.meta.dir, '../..');
const directory = newDirectory();
afterAll(directory.remove);

function release(...args: string[]) {
  const run = Bun.spawnSync([process.execPath, 'scripts/release.ts', '--out', directory.path, ...args], { cwd: root });
  return { code: run.exitCode, output: run.stdout.toString(), errors: run.stderr.toString() };
}

const own = executableKind(readFileSync(process.execPath)) ?? 'unknown';

test('one of this kind runs, has its sum, and replaces what an earlier release left', () => {
  writeFileSync(join(directory.path, 'helpdesk-0.0.1-linux-x64'), 'old');
  writeFileSync(join(directory.path, 'SHA256SUMS'), 'old');
  writeFileSync(join(directory.path, 'notes.txt'), 'mine');
  const made = release('--target', own);
  expect([made.code, made.errors]).toEqual([0, expect.any(String)]);
  const name = `helpdesk-${manifest.version}-${own}`;
  expect(readdirSync(directory.path).sort()).toEqual(['SHA256SUMS', name, 'notes.txt']);
  const sum = createHash('sha256')
    .update(readFileSync(join(directory.path, name)))
    .digest('hex');
  expect(readFileSync(join(directory.path, 'SHA256SUMS'), 'utf8')).toBe(`${sum}  ${name}\n`);
  const run = Bun.spawnSync([join(directory.path, name), 'version'], { env: {} });
  expect(run.stdout.toString()).toContain(manifest.version);
});

test('a target that no one knows, or an unknown option, changes nothing', () => {
  const before = readdirSync(directory.path).sort();
  const unknown = release('--target', own, '--target', 'amiga-68k');
  expect([unknown.code, unknown.output]).toEqual([2, '']);
  expect(unknown.errors).toContain('There is no target amiga-68k; there are linux-x64,');
  expect(release('--tarket', own).code).toBe(2);
  expect(readdirSync(directory.path).sort()).toEqual(before);
});

test('one that cannot be built fails loudly, with no sums that would vouch for it', () => {
  const other = own === 'windows-x64' ? 'linux-x64' : 'windows-x64';
  // Without network and cache, the runtime for another kind is not available.
  const run = Bun.spawnSync(
    [process.execPath, 'scripts/release.ts', '--out', directory.path, '--target', own, '--target', other],
    {
      cwd: root,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: join(directory.path, 'home'),
        BUN_INSTALL: join(directory.path, 'home'),
        BUN_INSTALL_CACHE_DIR: join(directory.path, 'home/cache'),
        HTTPS_PROXY: 'http://127.0.0.1:1',
        https_proxy: 'http://127.0.0.1:1',
      },
    },
  );
  expect(run.exitCode).toBe(1);
  expect(run.stderr.toString()).toContain('The release failed');
  expect(existsSync(join(directory.path, 'SHA256SUMS'))).toBe(false);
});
