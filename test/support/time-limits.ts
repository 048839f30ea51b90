// Finds tests that compare what passed on a clock with a limit, which a slow machine breaks with a correct desk.

import { codeOnly } from './source-rules.ts';

const clock = String.raw`(?:(?:performance|Date)\.now|process\.(?:thread)?[cC]puUsage)\([^()]*\)`;
const comparison = String.raw`\.(?:toBe(?:Less|Greater)Than(?:OrEqual)?|toBeWithin|toBeCloseTo)\(`;
/** The rest of a statement that may still be in the same `expect`. */
const within = String.raw`(?:(?!expect\()[^;])*?`;

const namesIn = (code: string, pattern: string) => [...code.matchAll(new RegExp(pattern, 'g'))].map(([, name]) => name);
const oneOf = (...patterns: string[]) => `(?:${patterns.join('|')})`;
const words = (names: (string | undefined)[]) => names.map((name) => String.raw`\b${name}\b`);

/** The line of each comparison in a test file. Knows differences of clocks, and variables and lists of them. */
export function timeLimits(text: string): number[] {
  const code = codeOnly(text);
  const reading = oneOf(clock, ...words(namesIn(code, String.raw`\b(\w+) = ${clock};`)));
  // Processor time comes in two parts.
  const difference = oneOf(`${clock} - `, `[^;]- ${reading}`, String.raw`\buser \+ system\b`);
  const measured = namesIn(code, String.raw`\b(\w+)(?::| \+?=|\.push\()[^;{}]*?${difference}`);
  const spent = oneOf(difference, ...words(measured));
  const limit = new RegExp(
    oneOf(String.raw`expect\(${within}${spent}${within}${comparison}`, `return ${difference}`),
    'g',
  );
  return [...code.matchAll(limit)].map(({ index }) => code.slice(0, index).split('\n').length);
}
