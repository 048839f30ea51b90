// Runs the fault tests against the compiled executable: a disk that fails, fills up, or has lost bytes. --long runs
// many more rounds.

import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { chosenFiles, fail, runTests } from './run-tests.ts';

const executable = resolve(process.env.HELPDESK_EXECUTABLE ?? 'dist/helpdesk');
if (!existsSync(executable)) fail(`There is no executable at ${executable}; build it with \`bun run build\`.`);
const given = process.argv.slice(2);
const isLong = given.includes('--long');
const named = given.filter((word) => word.endsWith('.ts')).map((file) => relative('.', file));
const options = given.filter((word) => word !== '--long' && !word.endsWith('.ts'));
/** Rounds of minutes, and disks of their own. */
const thorough = ['clock', 'damage', 'full-disk', 'log-upkeep', 'refused-writes', 'rounds'].map(
  (name) => `test/faults/${name}.e2e.ts`,
);
const files = named.length > 0 ? named : chosenFiles('test/faults/*.e2e.ts', isLong ? [] : thorough);
process.exit(
  runTests({
    files,
    timeoutMs: isLong ? 3_600_000 : 120_000,
    options,
    environment: { HELPDESK_EXECUTABLE: executable, FAULTS_LONG: isLong ? '1' : '' },
  }),
);
