// Runs the fault tests against the compiled executable: a disk that fails, fills up, or has lost bytes. --long runs
// many more rounds.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const executable = resolve(process.env.HELPDESK_EXECUTABLE ?? 'dist/helpdesk');
if (!existsSync(executable)) {
  console.error(`There is no executable at ${executable}; build it with \`bun run build\`.`);
  process.exit(1);
}
const given = process.argv.slice(2);
const isLong = given.includes('--long');
const named = given.filter((word) => word.endsWith('.ts'));
const options = given.filter((word) => word !== '--long' && !named.includes(word));
const files = named.length > 0 ? named : [...new Bun.Glob('test/faults/*.e2e.ts').scanSync('.')].sort();
if (files.length === 0) {
  console.error('There are no fault tests in test/faults.');
  process.exit(1);
}
const timeout = isLong ? '3600000' : '120000';
const paths = files.map((file) => `./${file}`);
const run = Bun.spawnSync([process.execPath, 'test', '--timeout', timeout, ...options, ...paths], {
  env: { ...process.env, HELPDESK_EXECUTABLE: executable, FAULTS_LONG: isLong ? '1' : '' },
  stdout: 'inherit',
  stderr: 'inherit',
});
process.exit(run.exitCode ?? 1);
