// What the tests use of `bun:test`, from Node's own runner and Jest's matchers as Vitest has them.

import * as node from 'node:test';
import { format } from 'node:util';
import { JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect';
import * as chai from 'chai';

type Body = () => unknown;
type Row = readonly unknown[];

/** A test that takes longer has a fault of its own; this machine may be slower than the one that a test was written on. */
const leastMs = 30_000;

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);
// Whole values in the text of a failure.
chai.config.truncateThreshold = 0;
export const { expect } = chai;

const matchersOfBun: Record<string, (value: unknown, given: unknown, end: unknown) => boolean> = {
  toStartWith: (value, given) => typeof value === 'string' && value.startsWith(String(given)),
  toEndWith: (value, given) => typeof value === 'string' && value.endsWith(String(given)),
  toSatisfy: (value, given) => (given as (value: unknown) => boolean)(value),
  toBeOneOf: (value, given) => (given as unknown[]).includes(value),
  toBeWithin: (value, given, end) => Number(value) >= Number(given) && Number(value) < Number(end),
  toBeArray: (value) => Array.isArray(value),
  toBeString: (value) => typeof value === 'string',
  toBeFunction: (value) => typeof value === 'function',
};
for (const [name, isSo] of Object.entries(matchersOfBun))
  chai.Assertion.addMethod(name, function (given: unknown, end: unknown) {
    const isMet = isSo(chai.util.flag(this, 'object'), given, end);
    this.assert(isMet, `${name} of #{this}: #{exp}`, `not ${name} of #{this}: #{exp}`, given);
  });

function one(name: string, body: Body, limitMs = 0): void {
  void node.test(name, { timeout: Math.max(limitMs, leastMs) }, async () => {
    await body();
  });
}

function many(name: string, body: Body): void {
  void node.describe(name, async () => {
    await body();
  });
}

/** Each row is a list of arguments, or the only one; the name shows them at its `%` signs. */
function each(declare: (name: string, body: Body, limitMs?: number) => void) {
  return (rows: readonly unknown[]) => (name: string, body: (...row: unknown[]) => unknown, limitMs?: number) => {
    for (const row of rows) {
      const values: Row = Array.isArray(row) ? row : [row];
      const signs = name.match(/%[sp]/g)?.length ?? 0;
      declare(format(name.replaceAll('%p', '%j'), ...values.slice(0, signs)), () => body(...values), limitMs);
    }
  };
}

const hook = (declare: (body: () => Promise<void>) => void) => (body: Body) =>
  declare(async () => {
    await body();
  });

export const test = Object.assign(one, {
  each: each(one),
  skipIf: (isSkipped: boolean) => (isSkipped ? (name: string) => void node.test.skip(name) : one),
});
export const describe = Object.assign(many, { each: each(many) });

/** Settles when the hooks before all that have begun are over, whether they failed or not. */
let earlier: Promise<unknown> = Promise.resolve();

/** Node begins each hook of a file where it is written, without waiting for the one above it, which this one may need. */
export function beforeAll(body: Body): void {
  node.before(async () => {
    const done = earlier.then(body);
    earlier = Promise.allSettled([done]);
    await done;
  });
}

export const afterAll = hook(node.after);
export const beforeEach = hook(node.beforeEach);
export const afterEach = hook(node.afterEach);
