// The README's test command: every unit test, and the check beside them. Both run to their end, also when the other fails.

import { plainEnvironment } from '../test/support/environment.ts';

const env = plainEnvironment(process.env);
// A property with all its cases takes minutes.
const timeoutMs = process.env.HELPDESK_TEST_LONG === '1' ? 600_000 : 60_000;
// Loading the modules again for each file takes half the time.
const options = ['--parallel=3', '--no-isolate', '--only-failures', `--timeout=${timeoutMs}`];
const unit = [...options, '--path-ignore-patterns=test/{tidy,docs}.test.ts', 'test/'];
const tests = Bun.spawn([process.execPath, 'test', ...unit], { env, stdout: 'inherit', stderr: 'inherit' });
const check = Bun.spawn([process.execPath, 'scripts/check.ts'], { env, stdout: 'pipe', stderr: 'inherit' });
const [said, ...codes] = await Promise.all([new Response(check.stdout).text(), tests.exited, check.exited]);
// At the end, so that nothing stands between the lines of a test.
console.info(said);
process.exit(Math.max(...codes));
