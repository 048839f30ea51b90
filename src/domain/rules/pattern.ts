// Regular expressions of rules: RE2 syntax, linear time, compiled once and kept in a bounded cache.
import { RE2JS } from 're2js';
import { patternSize } from './pattern-size.ts';

const longestPattern = 500;
const mostSteps = 1_000;
const mostCached = 2_000;

type Compiled = { test: (text: string, check?: () => void) => boolean };
const cache = new Map<string, Compiled | string>();

export function patternProblem(pattern: string): string | null {
  const compiled = compiledOf(pattern);
  return typeof compiled === 'string' ? compiled : null;
}

export function patternTest(pattern: string): Compiled['test'] | null {
  const compiled = compiledOf(pattern);
  return typeof compiled === 'string' ? null : compiled.test;
}

function compiledOf(pattern: string): Compiled | string {
  const known = cache.get(pattern);
  if (known !== undefined) {
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

const tooLarge = 'The expression is too large: lower its repeat counts.';

function compile(pattern: string): Compiled | string {
  if (pattern === '') return 'The expression is empty.';
  if (pattern.length > longestPattern) return `The expression is longer than ${longestPattern} characters.`;
  // Compiling a huge expression only to refuse it would take too long.
  if (patternSize(pattern) > 5 * mostSteps) return tooLarge;
  try {
    const expression = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    if (expression.programSize() > mostSteps) return tooLarge;
    return { test: (text, check = unhurried) => testWith(pattern, expression, text, check) };
  } catch (error) {
    const detail =
      error instanceof Error
        ? error.message.replace(/^error parsing regexp: /, '').replace('`(?i)', '`')
        : 'it cannot be parsed';
    return `The expression is not valid (RE2 syntax): ${detail}.`;
  }
}

const unhurried = () => undefined;

// RE2 reads every character at least once, so a text can check the time while it is read.
class WatchedText extends String {
  private static readonly charactersACheck = 64;
  private readonly text: string;
  private readonly check: () => void;
  private left = 0;

  constructor(text: string, check: () => void) {
    super(text);
    this.text = text;
    this.check = check;
  }

  override charCodeAt(at: number): number {
    if (this.left === 0) {
      this.left = WatchedText.charactersACheck;
      this.check();
    }
    this.left -= 1;
    return this.text.charCodeAt(at);
  }
}

function testWith(pattern: string, expression: RE2JS, text: string, check: () => void): boolean {
  try {
    // RE2JS only uses the length, characters and substrings of the text, which a String object has too.
    return expression.test(new WatchedText(text, check) as unknown as string);
  } catch (error) {
    // Its half-finished state must not meet the next text.
    cache.delete(pattern);
    throw error;
  }
}

/** Compiled expressions keep tables that grow with the texts they met, up to megabytes each. */
export function forgetPatterns(): void {
  cache.clear();
}

/** Judges a text by its lower-case form: false is certain, true is not. */
export function mayMatch(pattern: string): (lower: string) => boolean {
  const words = requiredWords(pattern);
  if (words === null) return () => true;
  const [only, ...others] = words;
  if (only !== undefined && others.length === 0) return (lower) => lower.includes(only);
  return (lower) => words.some((word) => lower.includes(word));
}

// Searching for more words than this is hardly faster than the expression itself.
const mostWords = 16;

/** Lower-case ASCII runs, one of which every match contains; null if unclear. Leaves out "k" and "s", which match characters beyond ASCII. */
export function requiredWords(pattern: string): readonly string[] | null {
  // A star after bare flags, ab(?i)*, applies to what is before them.
  if (/\(\?[a-zA-Z-]*\)/.test(pattern)) return null;
  const found = alternatives(pattern, 0);
  return found !== null && found.end === pattern.length ? found.words : null;
}

/** Reads up to the end of the group. Null for syntax it does not know. */
function alternatives(pattern: string, start: number): { words: readonly string[] | null; end: number } | null {
  let words: readonly string[] | null = [];
  for (let at = start; ; at++) {
    const one = sequence(pattern, at);
    if (one === null) return null;
    words = words === null || one.words === null ? null : [...words, ...one.words];
    if (words !== null && words.length > mostWords) words = null;
    at = one.end;
    if (pattern[at] !== '|') return { words, end: at };
  }
}

function sequence(pattern: string, start: number): { words: readonly string[] | null; end: number } | null {
  let best: readonly string[] | null = null;
  let run = '';
  const shortest = (words: readonly string[]) => Math.min(...words.map((word) => word.length));
  const offer = (words: readonly string[] | null) => {
    if (words === null || words.length === 0 || shortest(words) < 2) return;
    if (best === null || shortest(words) > shortest(best)) best = words;
  };
  const endRun = () => {
    offer([run]);
    run = '';
  };
  let at = start;
  for (; at < pattern.length; at++) {
    const char = pattern[at]!;
    if (char === '|' || char === ')') break;
    if (char === '[') {
      endRun();
      const close = endOfClass(pattern, at);
      if (close === null) return null;
      at = close;
    } else if (char === '(') {
      endRun();
      const opening = /^\((?:\?(?:[a-zA-Z-]*:|P?<\w+>)|(?!\?))/.exec(pattern.slice(at))?.[0];
      if (opening === undefined) return null;
      const group = alternatives(pattern, at + opening.length);
      if (group === null || pattern[group.end] !== ')') return null;
      at = group.end;
      // An optional group requires nothing.
      if (!/[*?{]/.test(pattern[at + 1] ?? '')) offer(group.words);
    } else if (char === '\\') {
      const next = pattern[at + 1] ?? '';
      at++;
      if (/[.+*?$^/@#:;,!=_\- ()[\]{}|]/.test(next)) run += next;
      else if (/[dDwWsSbB]/.test(next)) endRun();
      else return null;
    } else if (char === '*' || char === '?' || char === '{') {
      run = run.slice(0, -1);
      endRun();
      if (char === '{') {
        const counts = /^\{\d+(?:,\d*)?\}/.exec(pattern.slice(at))?.[0];
        if (counts === undefined) return null;
        at += counts.length - 1;
      }
    } else if (char === '+' || char === '.' || char === '^' || char === '$') endRun();
    else if (/[a-jl-rt-z0-9 @_:;,/#!=%&<>"'~`-]/i.test(char)) run += char.toLowerCase();
    else endRun();
  }
  endRun();
  return { words: best, end: at };
}

function endOfClass(pattern: string, open: number): number | null {
  const close = pattern.indexOf(']', open + 2);
  return close === -1 || /[[\\]/.test(pattern.slice(open + 1, close)) ? null : close;
}
