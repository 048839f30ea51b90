// Reads what test runners print, and says at the end of a gate what failed, where, and how to repeat it.

export interface Failure {
  /** The file of the test; null where a whole suite failed. */
  file: string | null;
  name: string;
  /** The last lines that were printed before it failed. */
  said: string[];
}

export interface SuiteResult {
  name: string;
  seconds: number;
  passed: number;
  failures: Failure[];
  /** The command that runs only one of its files; null where it has no files. */
  repeat: ((file: string) => string) | null;
}

const saidLines = 30;
const longestLine = 300;

/**
 * @param output what `bun test --only-failures` prints, or scripts/test-node.ts in the same form: the file, what its tests said,
 *   `(fail)` and the test's name, and at the end the counts; and what scripts/check.ts prints of the linter and the types
 */
export function readOutput(output: string): { passed: number; failures: Failure[] } {
  const failures: Failure[] = [];
  let file: string | null = null;
  let said: string[] = [];
  let counted = 0;
  let uncounted = 0;
  let isApart = false;
  let isCheck = false;
  const counts = { pass: 0, fail: 0, skip: 0, todo: 0, error: 0 };
  const add = (name: string) => {
    failures.push({ file, name, said: said.slice(-saidLines) });
    said = [];
  };
  for (const line of output.split('\n')) {
    const header = /^(\S+\.tsx?):$/u.exec(line)?.[1];
    const failed = /^\(fail\) (.*?)(?: \[[\d.]+m?s\])?$/u.exec(line)?.[1];
    const crashed = /^✗ (\S+) \((.*)\)$/u.exec(line);
    const count = /^ *(\d+) (pass|fail|skip|todo|error)s?$/u.exec(line);
    if (header !== undefined || /^\$ (?:biome|tsc) /u.test(line)) {
      file = header ?? null;
      isCheck = header === undefined;
      said = [];
      continue;
    }
    if (count !== null) {
      counts[count[2] as keyof typeof counts] += Number(count[1]);
      continue;
    }
    if (crashed !== null) file = crashed[1] ?? file;
    said.push(line.slice(0, longestLine));
    if (failed !== undefined) {
      add(failed);
      if (isCheck) uncounted += 1;
    } else if (crashed !== null) add(crashed[2] ?? 'crashed');
    else if (line === '# Unhandled error between tests') isApart = true;
    // The rule before the error's text is the first, the one behind it the second.
    else if (isApart && /^-{20,}$/u.test(line) && ++counted % 2 === 0) {
      isApart = false;
      add('an error between its tests');
    }
  }
  const unread = counts.fail + counts.error - (failures.length - uncounted);
  if (unread > 0) failures.push({ file: null, name: `${unread} more failures`, said: said.slice(-saidLines) });
  const skipped = counts.skip + counts.todo;
  if (skipped > 0) failures.push({ file: null, name: `${skipped} tests were skipped`, said: [] });
  if (counts.pass === 0) failures.push({ file: null, name: 'no test ran', said: [] });
  return { passed: counts.pass, failures };
}

/** As many unsteady files are named and forgiven; with one more the gate fails. */
const mostUnsteady = 2;

interface Verdict {
  passed: number;
  failed: number;
  text: string;
}

/** @param unsteady by suite, the files that passed when they ran once more, alone */
export function verdictOf(results: readonly SuiteResult[], unsteady: ReadonlyMap<string, readonly string[]>): Verdict {
  const isUnsteady = (suite: SuiteResult, { file }: Failure) =>
    file !== null && (unsteady.get(suite.name)?.includes(file) ?? false);
  const unsteadyFiles = [...unsteady.values()].flat().length;
  const isForgiven = unsteadyFiles <= mostUnsteady;
  const counts = (suite: SuiteResult) => {
    const forgiven = isForgiven ? suite.failures.filter((failure) => isUnsteady(suite, failure)).length : 0;
    return { passed: suite.passed + forgiven, failed: suite.failures.length - forgiven };
  };
  const rows = results.map((suite) => {
    const { passed, failed } = counts(suite);
    return `${suite.name.padEnd(44)}${String(suite.seconds).padStart(8)}${String(passed).padStart(8)}${String(failed).padStart(8)}`;
  });
  const told = (suite: SuiteResult, { file, name, said }: Failure) =>
    [
      `${suite.name}: ${file ?? 'the suite'}: ${name}`,
      ...(file !== null && suite.repeat !== null ? [`  repeat: ${suite.repeat(file)}`] : []),
      ...said.map((line) => `  | ${line}`),
      '',
    ].join('\n');
  const pick = (wanted: boolean) =>
    results.flatMap((suite) =>
      suite.failures.filter((failure) => isUnsteady(suite, failure) === wanted).map((failure) => told(suite, failure)),
    );
  const [swaying, broken] = [pick(true), pick(false)];
  const tooMany = isForgiven ? '' : ` At most ${mostUnsteady} files may be.`;
  const text = [
    `${'suite'.padEnd(44)} seconds  passed  failed`,
    ...rows,
    '',
    ...(swaying.length > 0 ? [`Unsteady: failed, and passed when run again alone.${tooMany}`, '', ...swaying] : []),
    ...(broken.length > 0 ? ['Failed:', '', ...broken] : []),
  ].join('\n');
  const total = results.map(counts);
  return {
    passed: total.reduce((sum, { passed }) => sum + passed, 0),
    failed: total.reduce((sum, { failed }) => sum + failed, 0),
    text,
  };
}
