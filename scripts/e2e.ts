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
/** Tests of the release of executables; and of both builds on one directory, which needs both. */
const others = { bun: 'test/e2e/two-builds.e2e.ts', node: 'test/e2e/release.e2e.ts' }[chosenBuild()];
const all =
  named.length > 0
    ? named
    : [...new Bun.Glob('test/e2e/*.e2e.ts').scanSync('.')].filter((file) => file !== others).sort();
const files = all.map((file) => `./${file}`);
if (files.length === 0) fail('There are no end-to-end tests in test/e2e.');
const path = [...build.programs, process.env.PATH ?? ''].join(delimiter);
const run = Bun.spawnSync([process.execPath, 'test', '--timeout', '120000', ...options, ...files], {
  env: { ...process.env, PATH: path, HELPDESK_BUILD: chosenBuild(), HELPDESK_EXECUTABLE: executable },
  stdout: 'inherit',
  stderr: 'inherit',
});
process.exit(run.exitCode ?? 1);
