// Runs the end-to-end tests against the compiled executable, or with HELPDESK_BUILD=node against the package for Node.

import { existsSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { builds, chosenBuild } from './builds.ts';

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

const build = builds[chosenBuild()];
const executable = resolve(process.env.HELPDESK_EXECUTABLE ?? build.executable);
if (!existsSync(executable)) fail(`There is no executable at ${executable}; build it with \`${build.command}\`.`);
const given = process.argv.slice(2);
const named = given.filter((word) => word.endsWith('.e2e.ts'));
const options = given.filter((word) => !named.includes(word));
/**
 * Not for this build unless they are named: the release is one of executables; two builds on one directory need both. The two long
 * floods pass on Node on a quiet machine; beside other jobs they have failed there, or took too long.
 */
const others = {
  bun: ['two-builds', 'node-package'],
  node: ['release', 'mail-load', 'stall'],
}[chosenBuild()].map((name) => `test/e2e/${name}.e2e.ts`);
const found = [...new Bun.Glob('test/e2e/*.e2e.ts').scanSync('.')].sort();
const all = named.length > 0 ? named : found.filter((file) => !others.includes(file));
const files = all.map((file) => `./${file}`);
if (files.length === 0) fail('There are no end-to-end tests in test/e2e.');
// Floods of the executable are timed, so nothing runs beside them.
const workers = chosenBuild() === 'node' && files.length > 1 ? ['--parallel=2'] : [];
const path = [...build.programs, process.env.PATH ?? ''].join(delimiter);
const run = Bun.spawnSync([process.execPath, 'test', '--timeout', '120000', ...workers, ...options, ...files], {
  env: { ...process.env, PATH: path, HELPDESK_BUILD: chosenBuild(), HELPDESK_EXECUTABLE: executable },
  stdout: 'inherit',
  stderr: 'inherit',
});
process.exit(run.exitCode ?? 1);
