// Runs the browser tests, or those that are named, against the compiled executable, in Chromium.

import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
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
/** Walks over every screen, and the settings one by one: minutes each. What stays is what agents and customers do all day. */
const thorough =
  'board controls customer-journeys every-setting factors files first-mail journeys-screens journeys-together labels look notifications push reports settings-danger settings-desk settings-inbound settings-macros settings-pages settings-proof settings-rules settings-site settings-sla settings-system settings-webhooks settings-writing side-conversations space teams'
    .split(' ')
    .map((name) => `test/browser/${name}.browser.ts`);
const files = named.length > 0 ? named : chosenFiles('test/browser/*.browser.ts', thorough);
process.exit(runTests({ files, timeoutMs: 180_000, options, environment: { HELPDESK_EXECUTABLE: executable } }));
