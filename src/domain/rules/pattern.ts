// Regular expressions of rules: RE2 syntax, linear time, compiled once and kept in a bounded cache.
import { RE2JS } from 're2js';

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
  if (mostStepsOf(pattern) > 10 * mostSteps) return tooLarge;
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

const pieces =
  /\\Q.*?(?:\\E|$)|\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\(\?(?:P?<\w+>|[a-zA-Z-]*[:)])|\{(\d+)(?:,(\d*))?\}|./gsu;

/** About as many steps as RE2 would make of it at most: what a repeat applies to counts that many times. */
function mostStepsOf(pattern: string): number {
  const groups: { steps: number; last: number }[] = [{ steps: 0, last: 0 }];
  for (const [piece, least, most] of pattern.matchAll(pieces)) {
    const group = groups.at(-1) as (typeof groups)[number];
    if (least !== undefined) {
      group.steps += group.last * Math.max(Number(least), Number(most ?? 0), 1);
    } else if (piece === ')' && groups.length > 1) {
      groups.pop();
      const outer = groups.at(-1) as (typeof groups)[number];
      outer.last = group.steps + 2;
      outer.steps += outer.last;
    } else if (piece.startsWith('(') && !piece.endsWith(')')) groups.push({ steps: 0, last: 0 });
    else {
      group.last = piece.startsWith('\\Q') ? piece.length : 2;
      group.steps += group.last;
    }
  }
  return groups.reduce((sum, { steps }) => sum + steps, 0);
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
