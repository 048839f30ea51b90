// Which calls of the API a browser's code can make: read from the sources that a page loads, without running them.

import { readFileSync } from 'node:fs';
import { codeOnly, importsOf, targetsOf } from './source-rules.ts';

const root = new URL('../..', import.meta.url).pathname;

interface Source {
  file: string;
  text: string;
  /** As long as the text, without what is in strings and comments. */
  code: string;
}

interface Place {
  source: Source;
  from: number;
  to: number;
}

interface ApiCall {
  file: string;
  method: string;
  /** What only runs know is `{}`: `/sites/{}/senders`. */
  path: string;
}

/** The files of browsers that are loaded with a page, at first or later. */
export function loadedWith(entry: string, files = new Map<string, Source>()): Map<string, Source> {
  if (files.has(entry)) return files;
  const text = readFileSync(root + entry, 'utf8');
  files.set(entry, { file: entry, text, code: codeOnly(text) });
  for (const specifier of importsOf(text))
    for (const target of targetsOf(entry, specifier))
      if (/^src\/web\/.*\.tsx?$/.test(target)) loadedWith(target, files);
  return files;
}

/** Functions that ask the desk, with the method and the path first. */
const ways = ['ask', 'call', 'askOnce'];

/** Those that change something. Calls whose method or path could not be read are in `unread`. */
export function apiCalls(files: ReadonlyMap<string, Source>): { calls: ApiCall[]; unread: string[] } {
  const textsOf = createReading(files);
  const asking = new RegExp(`(?<!function )\\b(?:${ways.join('|')})(?=[<(])`, 'g');
  const calls: ApiCall[] = [];
  const unread: string[] = [];
  for (const source of files.values()) {
    for (const { index } of source.code.matchAll(asking)) {
      const [method, path] = argumentsOf(source, index);
      if (method === undefined || path === undefined || textsOf(method).join() === 'GET') continue;
      if (functionsAround(source, index).some(({ called }) => ways.includes(called))) continue;
      const found = textsOf(method).flatMap((one) => textsOf(path).map((other) => ({ method: one, path: other })));
      const read = found.filter((one) => /^[A-Z]+$/.test(one.method) && one.path.startsWith('/'));
      calls.push(...read.map((one) => ({ file: source.file, method: one.method, path: one.path.replace(/\?.*/, '') })));
      if (read.length === 0) unread.push(`${source.file}: ${source.text.slice(index, path.to)}`);
    }
  }
  return { calls, unread };
}

/** Where the bracket at `from` ends. */
function closing(code: string, from: number): number {
  for (let at = from, depth = 0; at < code.length; at += 1) {
    if ('([{'.includes(code[at] ?? ' ')) depth += 1;
    else if (')]}'.includes(code[at] ?? ' ') && --depth === 0) return at;
  }
  return code.length;
}

/** Where what begins at `from` ends: at one of these characters, outside of all brackets. */
function end(code: string, from: number, marks: string, last = code.length): number {
  for (let at = from; at < last; at += 1) {
    const char = code[at] ?? ' ';
    if (marks.includes(char)) return at;
    if ('([{'.includes(char)) at = closing(code, at);
    else if (')]}'.includes(char)) return at;
  }
  return last;
}

/** Types in angle brackets have brackets of their own. */
function skipTypes(code: string, index: number): number {
  const begin = index + (/^\w+/.exec(code.slice(index))?.[0].length ?? 0);
  if (code[begin] !== '<') return begin;
  for (let at = begin, depth = 0; at < code.length; at += 1) {
    if (code[at] === '<') depth += 1;
    if (code[at] === '>' && code[at - 1] !== '=' && --depth === 0) return at + 1;
  }
  return begin;
}

/** Behind the type of what it answers. */
function bodyAt(code: string, from: number): number {
  for (let at = from, depth = 0; at < code.length; at += 1) {
    if (code[at] === '<') depth += 1;
    else if (code[at] === '>' && code[at - 1] !== '=') depth -= 1;
    else if (code[at] === '{' && depth === 0) {
      if (!/:\s*$/.test(code.slice(from, at))) return at;
      at = closing(code, at);
    }
  }
  return code.length;
}

function isInScope(code: string, definition: number, use: number): boolean {
  const depthAt = (index: number) =>
    (code.slice(0, index).match(/[{]/g)?.length ?? 0) - (code.slice(0, index).match(/[}]/g)?.length ?? 0);
  const own = depthAt(definition);
  if (own === 0) return true;
  if (definition > use) return false;
  let depth = own;
  for (let at = definition; at < use; at += 1) {
    if (code[at] === '{') depth += 1;
    if (code[at] === '}' && --depth < own) return false;
  }
  return true;
}

const textOf = ({ source, from, to }: Place) => source.text.slice(from, to).trim();

/** Between the brackets of a call or a function, whose name is at `index`. */
function argumentsOf(source: Source, index: number): Place[] {
  const { code } = source;
  const open = end(code, index, '');
  const start = code.indexOf('(', skipTypes(code, index));
  if (start < 0 || start > open) return [];
  const close = closing(code, start);
  const found: Place[] = [];
  for (let from = start + 1; from < close; ) {
    const to = end(code, from, ',', close);
    if (code.slice(from, to).trim() !== '') found.push({ source, from, to });
    from = to + 1;
  }
  return found;
}

/** Of a short function: what it answers. */
function valueAt(source: Source, from: number): Place {
  const { code } = source;
  const to = end(code, from, ';');
  const arrow = /^(?:async )?\([^()]*(?:\([^()]*\)[^()]*)*\)[^=;]*=> (?!\{)/.exec(code.slice(from, to));
  return { source, from: from + (arrow?.[0].length ?? 0), to };
}

interface Around {
  called: string;
  inputs: Place[];
}

/** The innermost comes first. */
function functionsAround(source: Source, use: number): Around[] {
  const { code } = source;
  const found: (Around & { from: number })[] = [];
  for (const { index, 0: start, 1: called = '' } of code.matchAll(
    /\b(?:function |const )(\w+)(?: = (?:async )?)?(?=[<(])/g,
  )) {
    const isShort = start.startsWith('const');
    const at = index + (isShort ? start.length : 'function '.length);
    const behind = closing(code, code.indexOf('(', skipTypes(code, at))) + 1;
    const from = isShort ? shortBodyAt(code, behind) : bodyAt(code, behind);
    const to = isShort ? end(code, from, ';') : closing(code, from);
    if (from < use && use < to) found.push({ called, inputs: argumentsOf(source, at), from });
  }
  return found.sort((one, other) => other.from - one.from);
}

/** Behind its arrow; the end of the file for what is no function. */
function shortBodyAt(code: string, from: number): number {
  const arrow = /^[^;=()]*=> /.exec(code.slice(from, from + 200));
  return arrow === null ? code.length : from + arrow[0].length;
}

const isGiven = ({ source, from, to }: Place, name: string) =>
  new RegExp(`^\\s*(?:\\{[^}]*\\b${name}\\b[^}]*\\}|${name}\\b)`).test(source.code.slice(from, to));

/** Follows names to what they stand for: constants, what a component or function is given, and imports of both. */
function createReading(files: ReadonlyMap<string, Source>) {
  /** Every text that an expression can be. */
  function textsOf(place: Place, depth = 0): string[] {
    const { text, code } = place.source;
    const from = place.from + (/^\s*/.exec(text.slice(place.from, place.to))?.[0].length ?? 0);
    const written = text.slice(from, place.to).trimEnd();
    const inner = { source: place.source, from, to: from + written.length };
    if (depth > 12 || written === '') return [];
    const question = end(code, from, '?', inner.to);
    if (question < inner.to && !/^\?[.?]/.test(code.slice(question))) {
      const colon = end(code, question + 1, ':', inner.to);
      return [
        ...textsOf({ ...inner, from: question + 1, to: colon }, depth + 1),
        ...textsOf({ ...inner, from: colon + 1 }, depth + 1),
      ];
    }
    if (/^'[^']*'$/.test(written)) return [written.slice(1, -1)];
    if (written.startsWith('`')) return template(inner, depth);
    return meanings(inner, depth + 1).flatMap((one) => textsOf(one, depth + 1));
  }

  function template({ source, from, to }: Place, depth: number): string[] {
    const { text, code } = source;
    let found = [''];
    for (let at = from + 1; at < to - 1; ) {
      const open = code.indexOf('${', at);
      const stop = open < 0 || open >= to ? to - 1 : open;
      found = found.map((one) => one + text.slice(at, stop));
      if (stop === to - 1) break;
      const close = closing(code, open + 1);
      const parts = textsOf({ source, from: open + 2, to: close }, depth + 1);
      found = found.flatMap((one) => (parts.length === 0 ? ['{}'] : parts).map((part) => one + part));
      at = close + 1;
    }
    return found;
  }

  /** What a name, a call of it, or an entry of what it names stands for. */
  function meanings(place: Place, depth: number): Place[] {
    const [, name = '', entry, rest = ''] = /^([\w$]+)(?:\.(\w+))?(.*)$/s.exec(textOf(place)) ?? [];
    if (depth > 12 || name === '' || !/^(?:\(.*\))?$/s.test(rest)) return [];
    return entry === undefined ? named(name, place, depth) : entriesOf(entry, named(name, place, depth), depth);
  }

  function named(name: string, { source, from }: Place, depth: number): Place[] {
    const { code } = source;
    const written = new RegExp(`\\bconst (?:${name}|\\{[^{}]*\\b${name}\\b[^{}]*\\})(?:: [^=;]+)? = `, 'g');
    const constant = [...code.matchAll(written)].filter(({ index }) => isInScope(code, index, from)).at(-1);
    if (constant !== undefined) {
      const value = valueAt(source, constant.index + constant[0].length);
      return constant[0].startsWith('const {') ? entriesOf(name, meanings(value, depth + 1), depth) : [value];
    }
    for (const { called, inputs } of functionsAround(source, from)) {
      const position = inputs.findIndex((one) => isGiven(one, name));
      const input = inputs[position];
      if (input !== undefined) return inputsTo(called, input, position, name);
    }
    const home = homeOf(name, source);
    const last = home?.code.length ?? 0;
    return home === undefined ? [] : named(name, { source: home, from: last, to: last }, depth + 1);
  }

  /** Of objects that are written out, or named. */
  function entriesOf(name: string, objects: readonly Place[], depth: number): Place[] {
    return objects.flatMap((object) => {
      const written = textOf(object);
      if (!/^[{<]/.test(written)) return depth > 12 ? [] : entriesOf(name, meanings(object, depth + 1), depth + 1);
      return entryIn(name, object, depth);
    });
  }

  /** What each caller gives a function, or the words that its type names. */
  function inputsTo(called: string, input: Place, position: number, name: string): Place[] {
    const words = new RegExp(`\\b${name}: '\\w+'(?: \\| '\\w+')*`).exec(input.source.text.slice(input.from, input.to));
    if (words !== null) {
      const start = input.from + words.index;
      return [...words[0].matchAll(/'\w+'/g)].map(({ index, 0: word }) => ({
        ...{ source: input.source, from: start + index, to: start + index + word.length },
      }));
    }
    const isOneOfSome = textOf(input).startsWith('{');
    return [...files.values()].flatMap((source) => {
      if (source !== input.source && homeOf(called, source) !== input.source) return [];
      const { code } = source;
      const calls = [...code.matchAll(new RegExp(`(?<!function )\\b${called}(?=[<(])`, 'g'))].flatMap(
        ({ index }) => argumentsOf(source, index)[position] ?? [],
      );
      // As a component: its input is the tag.
      const tags = [...code.matchAll(new RegExp(`<${called}\\b`, 'g'))].map(({ index }) => ({
        ...{ source, from: index, to: end(code, index + 1, '>') },
      }));
      return isOneOfSome ? [...calls, ...tags].flatMap((one) => entriesOf(name, [one], 0)) : [...calls, ...tags];
    });
  }

  /** As an attribute, `name={…}`, as `name: …`, short as `{ name, … }`, or in an object that is spread. */
  function entryIn(name: string, { source, from, to }: Place, depth: number): Place[] {
    const { code } = source;
    const whole = code.slice(from, to);
    const value = new RegExp(`\\b${name}(?:=\\{|: )`).exec(whole);
    if (value !== null) {
      const start = from + value.index + value[0].length;
      return [{ source, from: start, to: end(code, start, ',', to) }];
    }
    const short = new RegExp(`[{,]\\s*${name}(?=\\s*[,}])`).exec(whole);
    if (short !== null) {
      const last = from + short.index + short[0].length;
      return [{ source, from: last - name.length, to: last }];
    }
    return [...whole.matchAll(/\.\.\.(?=\w)/g)].flatMap(({ index }) => {
      const start = from + index + 3;
      return depth > 12 ? [] : entriesOf(name, [{ source, from: start, to: end(code, start, ',', to) }], depth + 1);
    });
  }

  /** The file that an import takes a name from. */
  function homeOf(name: string, source: Source): Source | undefined {
    for (const [, names = '', specifier = ''] of source.text.matchAll(/import \{([^}]*)\} from '([^']+)'/g))
      if (new RegExp(`\\b${name}\\b`).test(names))
        return targetsOf(source.file, specifier).map((one) => files.get(one))[0];
    return undefined;
  }

  return textsOf;
}
