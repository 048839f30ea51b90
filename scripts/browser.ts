// Runs the browser tests, or those that are named, against the compiled executable, in Chromium.

import { existsSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { chromiumPath } from '../test/browser/browser.ts';
import { chosenFiles, fail, runTests } from './run-tests.ts';

const executable = resolve(process.env.HELPDESK_EXECUTABLE ?? 'dist/helpdesk');
if (!existsSync(executable)) fail(`There is no executable at ${executable}; build it with \`bun run build\`.`);
if (chromiumPath() === null) {
  const advice =
    'There is no Chromium on this machine. Install it (`apt-get install chromium`) or name it in CHROMIUM.';
  if (process.env.CI === 'true') fail(advice);
  console.error(`${advice} The browser tests did not run.`);
  process.exit(2);
}
const given = process.argv.slice(2);
const named = given.filter((word) => word.endsWith('.browser.ts')).map((file) => relative('.', file));
const options = given.filter((word) => !word.endsWith('.browser.ts'));
/** With every change: from the setup link to the first answer, signing in, journeys through the console, and a walk over its screens. All the others run in the full gate. */
const always = ['first-steps', 'journeys', 'screens', 'sign-in'];
const all = [...new Bun.Glob('test/browser/*.browser.ts').scanSync('.')];
const thorough = all.filter((file) => !always.includes(basename(file, '.browser.ts')));
if (all.length - thorough.length !== always.length) fail('A file that runs with every change is not in test/browser.');
const files = named.length > 0 ? named : chosenFiles('test/browser/*.browser.ts', thorough);
process.exit(runTests({ files, timeoutMs: 180_000, options, environment: { HELPDESK_EXECUTABLE: executable } }));
