// Compiles a release for every kind of machine, checks each, and writes their checksums: `bun run release [--target linux-x64]… [--out dist/release]`.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { version } from '../src/base/version.ts';
import { compile } from './compile.ts';
import { executableKind } from './executable-kind.ts';

const targets = [
  'linux-x64',
  'linux-arm64',
  'linux-x64-musl',
  'linux-arm64-musl',
  'darwin-arm64',
  'darwin-x64',
  'windows-x64',
] as const;
type Target = (typeof targets)[number];

function fail(message: string, code: number): never {
  console.error(message);
  process.exit(code);
}

function wanted(): { chosen: readonly Target[]; folder: string } {
  try {
    const { values } = parseArgs({
      options: { target: { type: 'string', multiple: true }, out: { type: 'string', default: 'dist/release' } },
    });
    const chosen = values.target ?? [...targets];
    const unknown = chosen.filter((name) => !(targets as readonly string[]).includes(name));
    if (unknown.length > 0) fail(`There is no target ${unknown.join(', ')}; there are ${targets.join(', ')}.`, 2);
    return { chosen: targets.filter((target) => chosen.includes(target)), folder: values.out };
  } catch (error) {
    fail(error instanceof Error ? error.message : 'wrong usage', 2);
  }
}

/** The kind of this Bun, which this machine can run. */
const ownKind = executableKind(readFileSync(process.execPath));

/** Compiles one target, checks it and moves it into place; returns its name. */
async function build(target: Target, folder: string): Promise<string> {
  const suffix = target.startsWith('windows') ? '.exe' : '';
  const name = `helpdesk-${version}-${target}${suffix}`;
  const draft = join(folder, `draft-${target}${suffix}`);
  await compile(draft, `bun-${target}`);
  const kind = executableKind(readFileSync(draft));
  if (kind !== target) throw new Error(`what was built for ${target} is for ${kind ?? 'no machine that is known'}`);
  if (target === ownKind) {
    const run = Bun.spawnSync([draft, 'version'], { env: {} });
    const told = run.stdout.toString().trim();
    if (run.exitCode !== 0 || !told.includes(version))
      throw new Error(`what was built for ${target} does not run: ${told} ${run.stderr}`);
  }
  renameSync(draft, join(folder, name));
  console.log(`${name} (${Math.round(statSync(join(folder, name)).size / 1_000_000)} MB)`);
  return name;
}

const { chosen, folder } = wanted();
mkdirSync(folder, { recursive: true });
// A release is complete or absent: remove the files of an earlier run.
for (const name of readdirSync(folder))
  if (/^(?:helpdesk-|draft-|SHA256SUMS$)/.test(name)) rmSync(join(folder, name), { force: true });
const names: string[] = [];
try {
  for (const target of chosen) names.push(await build(target, folder));
} catch (error) {
  fail(`The release failed: ${error instanceof Error ? error.message : String(error)}`, 1);
}
const sums = names.map((name) => {
  const sum = createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex');
  return `${sum}  ${name}\n`;
});
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
console.log(`${names.length} executables and their SHA256SUMS are in ${folder}`);
