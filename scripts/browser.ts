// Runs the browser tests, or those that are named, against the compiled executable, in Chromium.

import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { chromiumPath } from '../test/browser/browser.ts';
import { fail, runTests } from './run-tests.ts';

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
const files = named.length > 0 ? named : [...new Bun.Glob('test/browser/*.browser.ts').scanSync('.')].sort();
if (files.length === 0) fail('There are no browser tests in test/browser.');
process.exit(runTests({ files, timeoutMs: 180_000, options, environment: { HELPDESK_EXECUTABLE: executable } }));
