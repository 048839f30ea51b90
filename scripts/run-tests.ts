// Runs files of tests with Bun, several side by side: each has a desk of its own, and waits for it much of the time.

import { availableParallelism } from 'node:os';
import { plainEnvironment } from '../test/support/environment.ts';

const atOnce = Math.min(availableParallelism() + 1, 4);

/**
 * The files of a suite, in the order of their names.
 *
 * @param thorough files that only the full gate runs (HELPDESK_TEST_LONG=1)
 * @param never files that run only when they are named
 */
export function chosenFiles(pattern: string, thorough: readonly string[], never: readonly string[] = []): string[] {
  const found = [...new Bun.Glob(pattern).scanSync('.')].sort();
  for (const file of [...thorough, ...never]) if (!found.includes(file)) fail(`There is no ${file}.`);
  const left = process.env.HELPDESK_TEST_LONG === '1' ? never : [...thorough, ...never];
  return found.filter((file) => !left.includes(file));
}

interface Run {
  files: readonly string[];
  timeoutMs: number;
  /** Further words for `bun test`. */
  options: readonly string[];
  environment: Record<string, string>;
}

/** @returns the exit code */
export function runTests({ files, timeoutMs, options, environment }: Run): number {
  const workers = files.length === 1 ? [] : [`--parallel=${atOnce}`];
  // Without the dot, bun takes a path for a part of a test's name.
  const paths = files.map((file) => `./${file}`);
  const command = [
    process.execPath,
    'test',
    '--only-failures',
    '--timeout',
    String(timeoutMs),
    ...workers,
    ...options,
    ...paths,
  ];
  const run = Bun.spawnSync(command, {
    env: { ...plainEnvironment(process.env), ...environment },
    stdout: 'inherit',
    stderr: 'inherit',
  });
  return run.exitCode ?? 1;
}

export function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
