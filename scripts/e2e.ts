// Runs the end-to-end tests against the compiled executable, and nothing else.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const executable = resolve(process.env.HELPDESK_EXECUTABLE ?? 'dist/helpdesk');
if (!existsSync(executable)) {
  console.error(`There is no executable at ${executable}; build it with \`bun run build\`.`);
  process.exit(1);
}
const files = [...new Bun.Glob('test/e2e/*.e2e.ts').scanSync('.')].sort().map((file) => `./${file}`);
if (files.length === 0) {
  console.error('There are no end-to-end tests in test/e2e.');
  process.exit(1);
}
const run = Bun.spawnSync([process.execPath, 'test', '--timeout', '120000', ...process.argv.slice(2), ...files], {
  env: { ...process.env, HELPDESK_EXECUTABLE: executable },
  stdout: 'inherit',
  stderr: 'inherit',
});
process.exit(run.exitCode ?? 1);
