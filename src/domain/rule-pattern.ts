// Regular expressions of rules: RE2 syntax, linear in the text, compiled once and kept in a bounded cache.
import { RE2JS } from 're2js';

export const longestPattern = 500;
/** A compiled expression of more steps than this could take a tenth of a second on one message. */
const mostSteps = 1_000;
const mostCached = 2_000;

type Compiled = { test: (text: string, lower: string) => boolean };
const cache = new Map<string, Compiled | string>();

/** Null where the pattern is sound, else a sentence that says what is wrong with it. */
export function patternProblem(pattern: string): string | null {
  const compiled = compiledOf(pattern);
  return typeof compiled === 'string' ? compiled : null;
}

/** The test for a text and its lower-case form, null where the pattern does not compile. */
export function patternTest(pattern: string): Compiled['test'] | null {
  const compiled = compiledOf(pattern);
  return typeof compiled === 'string' ? null : compiled.test;
}

function compiledOf(pattern: string): Compiled | string {
  const known = cache.get(pattern);
  if (known !== undefined) {
    // Newest last, so that the oldest is the one to go.
    if (cache.size > mostCached / 2) {
      cache.delete(pattern);
      cache.set(pattern, known);
    }
    return known;
  }
  const compiled = compile(pattern);
  if (cache.size >= mostCached)
    for (const oldest of cache.keys()) {
      cache.delete(oldest);
      break;
    }
  cache.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): Compiled | string {
  if (pattern === '') return 'The expression is empty.';
  if (pattern.length > longestPattern) return `The expression is longer than ${longestPattern} characters.`;
  try {
    const expression = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    if (expression.programSize() > mostSteps) return 'The expression is too large: lower its repeat counts.';
    const literal = requiredLiteral(pattern);
    if (literal === null) return { test: (text) => expression.test(text) };
    // Looking for a word is a hundred times faster than looking for an expression, and most messages lack the word.
    return { test: (text, lower) => lower.includes(literal) && expression.test(text) };
  } catch (error) {
    const detail =
      error instanceof Error
        ? error.message.replace(/^error parsing regexp: /, '').replace('`(?i)', '`')
        : 'unreadable';
    return `The expression is not valid (RE2 syntax): ${detail}.`;
  }
}

/** Index of the bracket that closes the class; null for a class with classes or escapes in it. */
function endOfClass(pattern: string, open: number): number | null {
  const close = pattern.indexOf(']', open + 2);
  return close === -1 || /[[\\]/.test(pattern.slice(open + 1, close)) ? null : close;
}

function endOfGroup(pattern: string, open: number): number | null {
  let depth = 0;
  for (let at = open; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === '\\') at++;
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return at;
    else if (char === '[') {
      const close = endOfClass(pattern, at);
      if (close === null) return null;
      at = close;
    }
  }
  return null;
}

/**
 * The longest run of plain ASCII characters, lower-case, that every match must contain; null where that is not plain
 * to see. "k" and "s" are left out: they have relatives beyond ASCII that also match.
 */
export function requiredLiteral(pattern: string): string | null {
  const runs: string[] = [];
  let run = '';
  const end = () => {
    runs.push(run);
    run = '';
  };
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]!;
    // A star behind bare flags, ab(?i)*, belongs to what stands before them.
    if (char === '|' || char === ')' || /^\(\?[a-zA-Z-]{0,10}\)/.test(pattern.slice(at, at + 14))) return null;
    if (char === '[' || char === '(') {
      end();
      // What a group requires is left out; what stands beside it is required all the same.
      const close = char === '[' ? endOfClass(pattern, at) : endOfGroup(pattern, at);
      if (close === null) return null;
      at = close;
    } else if (char === '\\') {
      const next = pattern[at + 1] ?? '';
      at++;
      if (/[.+*?$^/@#:;,!=_\- ]/.test(next)) run += next;
      else if (/[dDwWsSbB]/.test(next)) end();
      else return null;
    } else if (char === '*' || char === '?' || char === '{') {
      run = run.slice(0, -1);
      end();
      if (char === '{') {
        const close = pattern.indexOf('}', at);
        if (close === -1) return null;
        at = close;
      }
    } else if (char === '+' || char === '.' || char === '^' || char === '$') end();
    else if (/[a-jl-rt-z0-9 @_:;,/#!=%&<>"'~`-]/i.test(char)) run += char.toLowerCase();
    else end();
  }
  end();
  const longest = runs.reduce((best, each) => (each.length > best.length ? each : best), '');
  return longest.length >= 2 ? longest : null;
}
