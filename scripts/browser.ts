// Runs the browser tests, or those that are named, against the compiled executable, in Chromium.

import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { chromiumPath } from '../test/browser/browser.ts';

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

const executable = resolve(process.env.HELPDESK_EXECUTABLE ?? 'dist/helpdesk');
if (!existsSync(executable)) fail(`There is no executable at ${executable}; build it with \`bun run build\`.`);
if (chromiumPath() === null) {
  const advice =
    'There is no Chromium on this machine. Install it (`apt-get install chromium`) or name it in CHROMIUM.';
  if (process.env.CI === 'true') fail(advice);
  console.error(`${advice} The browser tests did not run.`);
  process.exit(2);
}
// Without the dot, bun takes a path for a part of a test's name.
const given = process.argv
  .slice(2)
  .map((argument) => (argument.endsWith('.browser.ts') ? `./${relative('.', argument)}` : argument));
const isNamed = given.some((argument) => argument.endsWith('.browser.ts'));
const all = [...new Bun.Glob('test/browser/*.browser.ts').scanSync('.')].sort().map((file) => `./${file}`);
if (all.length === 0) fail('There are no browser tests in test/browser.');
const run = Bun.spawnSync([process.execPath, 'test', '--timeout', '180000', ...given, ...(isNamed ? [] : all)], {
  env: { ...process.env, HELPDESK_EXECUTABLE: executable },
  stdout: 'inherit',
  stderr: 'inherit',
});
process.exit(run.exitCode ?? 1);
