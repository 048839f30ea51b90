// The end of a gate: what is read from the runners' output, what is forgiven, and how it is told.

import { describe, expect, test } from 'bun:test';
import { type Failure, readOutput, type SuiteResult, verdictOf } from '../scripts/gate-report.ts';

const output = `bun test v1.4.5 (a7733435c) 2x PARALLEL

test/a.test.ts:
said a
error: expect(received).toBe(expected)
(fail) group > fails "q" [7.24ms]

test/c.test.ts:

# Unhandled error between tests
-------------------------------
error: file broken
      at test/c.test.ts:2:11
-------------------------------

test/d.test.ts:
(fail) hangs [200.01ms]
  ^ this test timed out after 200ms.
✗ test/d.test.ts (worker crashed: SIGKILL)

 1 pass
 3 fail
 1 error
 1 expect() calls
`;

describe('what a runner prints', () => {
  test('names each failure with its file and what was said before it', () => {
    const { passed, failures } = readOutput(output);
    expect(passed).toBe(1);
    expect(failures.map(({ file, name }) => [file, name])).toEqual([
      ['test/a.test.ts', 'group > fails "q"'],
      ['test/c.test.ts', 'an error between its tests'],
      ['test/d.test.ts', 'hangs'],
      ['test/d.test.ts', 'worker crashed: SIGKILL'],
    ]);
    expect(failures[0]?.said).toEqual([
      'said a',
      'error: expect(received).toBe(expected)',
      '(fail) group > fails "q" [7.24ms]',
    ]);
    expect(failures[1]?.said).toContain('error: file broken');
  });

  test('names the linter and the types beside tests that fail', () => {
    const checks = `$ biome check .\nChecked 9 files.\n\n$ tsc --noEmit\na.ts(1,2): error TS1: no\n(fail) tsc --noEmit\n\n`;
    const { failures } = readOutput(`test/a.test.ts:\n(fail) one\n 1 pass\n 2 fail\n${checks}`);
    expect(failures.map(({ file, name }) => [file, name])).toEqual([
      ['test/a.test.ts', 'one'],
      [null, 'tsc --noEmit'],
      [null, '1 more failures'],
    ]);
    expect(failures[1]?.said).toEqual(['a.ts(1,2): error TS1: no', '(fail) tsc --noEmit']);
  });

  test('counts failures that it cannot name, skipped tests, and suites in which nothing ran', () => {
    expect(readOutput(' 3 pass\n 2 fail\n').failures.map(({ name }) => name)).toEqual(['2 more failures']);
    expect(readOutput(' 3 pass\n 2 skip\n 0 fail\n').failures.map(({ name }) => name)).toEqual([
      '2 tests were skipped',
    ]);
    expect(readOutput('nothing').failures.map(({ name }) => name)).toEqual(['no test ran']);
    expect(readOutput(' 3 pass\n 0 fail\n 4 pass\n 0 fail\n')).toEqual({ passed: 7, failures: [] });
  });

  test('is cut to its last thirty lines, and lines to a length that can be read', () => {
    const long = `test/a.test.ts:\n${'x'.repeat(1_000_000)}\n${'line\n'.repeat(50)}(fail) long\n 1 pass\n 1 fail\n`;
    const said = readOutput(long).failures[0]?.said ?? [];
    expect(said).toHaveLength(30);
    expect(readOutput(long.replaceAll('line\n', '')).failures[0]?.said[0]).toHaveLength(300);
  });
});

describe('the end of a gate', () => {
  const failure = (file: string): Failure => ({ file, name: 'fails', said: [`said of ${file}`] });
  const suite = (failures: Failure[]): SuiteResult => ({
    name: 'units',
    seconds: 12,
    passed: 5,
    failures,
    repeat: (file) => `bun test ./${file}`,
  });

  test('is green with counts where nothing failed', () => {
    const { passed, failed, text } = verdictOf([suite([])], new Map());
    expect([passed, failed]).toEqual([5, 0]);
    expect(text).not.toContain('Failed');
  });

  test('names what failed, the command that repeats it, and what it said', () => {
    const { failed, text } = verdictOf([suite([failure('a.test.ts')])], new Map());
    expect(failed).toBe(1);
    expect(text).toContain('repeat: bun test ./a.test.ts');
    expect(text).toContain('said of a.test.ts');
  });

  test('forgives two unsteady files by name, and not a third', () => {
    const failures = ['a', 'b', 'c'].map(failure);
    const two = verdictOf([suite(failures.slice(0, 2))], new Map([['units', ['a', 'b']]]));
    expect([two.passed, two.failed]).toEqual([7, 0]);
    expect(two.text).toContain('Unsteady');
    const three = verdictOf([suite(failures)], new Map([['units', ['a', 'b', 'c']]]));
    expect([three.passed, three.failed]).toEqual([5, 3]);
    expect(three.text).toContain('At most 2');
  });

  test('never forgives what has no file', () => {
    const whole: Failure = { file: null, name: 'exit code 1', said: [] };
    expect(verdictOf([suite([whole])], new Map([['units', ['a']]])).failed).toBe(1);
  });
});
