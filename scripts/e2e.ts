// Runs the end-to-end tests against the compiled executable, or with HELPDESK_BUILD=node against the package for Node.

import { existsSync } from 'node:fs';
import { delimiter, relative, resolve } from 'node:path';
import { builds, chosenBuild } from './builds.ts';
import { chosenFiles, fail, runTests } from './run-tests.ts';

const build = builds[chosenBuild()];
const executable = resolve(process.env.HELPDESK_EXECUTABLE ?? build.executable);
if (!existsSync(executable)) fail(`There is no executable at ${executable}; build it with \`${build.command}\`.`);
const given = process.argv.slice(2);
const named = given.filter((word) => word.endsWith('.e2e.ts')).map((file) => relative('.', file));
const options = given.filter((word) => !word.endsWith('.e2e.ts'));
const pathOf = (name: string) => `test/e2e/${name}.e2e.ts`;
/** Not for this build unless they are named. */
const others = {
  // Two builds on one directory need both; the package is Node's.
  bun: ['two-builds', 'node-package'].map(pathOf),
  // The release is one of executables. What the others look at is the desk's own code above `src/platform`, which the same
  // tests check with the executable; crash and mail-crash kill this build as well.
  node: ['release', 'connect', 'mail-crowd', 'outbox-crash', 'scheduled-replies', 'snooze-crash'].map(pathOf),
}[chosenBuild()];
/** Slow, and close to what unit tests prove of the same code. */
const thorough = ['backup', 'clamav-mail', 'connect', 'hostile-conversations', 'mail-crowd', 'mailbox', 'release'].map(
  pathOf,
);
const files = named.length > 0 ? named : chosenFiles('test/e2e/*.e2e.ts', thorough, others);
const environment = {
  PATH: [...build.programs, process.env.PATH ?? ''].join(delimiter),
  HELPDESK_BUILD: chosenBuild(),
  HELPDESK_EXECUTABLE: executable,
};
if (files.length === 0) fail('There are no end-to-end tests in test/e2e.');
process.exit(runTests({ files, timeoutMs: 120_000, options, environment }));
