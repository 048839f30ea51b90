// Decodes bodies and queries; errors name the field or parameter.

import * as z from 'zod';
import { DeskError, invalid, invalidFields } from '../../domain/errors.ts';
import { describeIssue, fieldErrors } from '../../domain/input/issues.ts';
import { asMeant } from '../../domain/input/lenient.ts';

const maxJsonDepth = 64;

// More than the largest rule has. Validating a megabyte of commas value by value would take too long.
const maxJsonValues = 30_000;

// Checked on the text, because the parser and the schemas recurse and cost time for each value.
function excessOf(text: string): string | null {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) at = endOfString(text, at);
    else if (unit === 0x2c) values += 1;
    else if (unit === 0x7b || unit === 0x5b) {
      depth += 1;
      values += 1;
      if (depth > maxJsonDepth) return `The JSON is nested more than ${maxJsonDepth} levels deep.`;
    } else if (unit === 0x7d || unit === 0x5d) depth -= 1;
    if (values > maxJsonValues) return `The JSON has more than ${maxJsonValues} values.`;
  }
  return null;
}

function endOfString(text: string, start: number): number {
  for (let at = start; ; ) {
    at = text.indexOf('"', at + 1);
    if (at === -1) return text.length;
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === 0x5c) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new DeskError('malformed', 'The body is not UTF-8.');
  }
  const excess = excessOf(text);
  if (excess !== null) throw new DeskError('malformed', excess);
  try {
    return JSON.parse(text);
  } catch {
    throw new DeskError('malformed', 'The body is not valid JSON.');
  }
}

export function requireJson(type: string | undefined, encoding: string | undefined): void {
  if (encoding !== undefined && encoding !== 'identity')
    throw new DeskError('unsupported', 'Compressed bodies are not supported.');
  if (type === undefined || !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new DeskError('unsupported', 'Send the body as application/json.');
  }
}

// No field has more entries, and a schema would check all of them before refusing. A context has its own limits.
const maxEntries = 1_000;
const freeFormField = 'context';

function crowdedPath(value: unknown, path: string[] = []): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const isCrowdedList = Array.isArray(value) && value.length > maxEntries;
  const entries = isCrowdedList ? [] : Object.entries(value);
  if (isCrowdedList || entries.length > maxEntries) return path.join('.') || 'body';
  for (const [key, inner] of entries) {
    if (path.length === 0 && key === freeFormField) continue;
    const found = crowdedPath(inner, [...path, key]);
    if (found !== null) return found;
  }
  return null;
}

export function decodeBody(schema: z.ZodType, value: unknown): unknown {
  const crowded = crowdedPath(value);
  if (crowded !== null) throw invalid(crowded, `must have at most ${maxEntries} entries.`);
  const meant = asMeant(schema, value);
  const parsed = schema.safeParse(meant);
  if (parsed.success) return parsed.data;
  throw invalidFields(fieldErrors(parsed.error.issues, meant, 'body'));
}

function isList(schema: z.ZodType | undefined): boolean {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return inner instanceof z.ZodArray;
}

/** Lists are `key[]=a&key[]=b`, `key[0]=a&key[1]=b` as PHP writes them, or `key=a,b`, for keys that the schema has as lists. A blank value counts as missing. */
export function decodeQuery(schema: z.ZodObject, url: URL): Record<string, unknown> {
  const raw: Record<string, string | string[]> = {};
  const shape = schema.shape as Record<string, z.ZodType>;
  for (const [name, value] of url.searchParams) {
    const key = name.replace(/\[\d{0,4}\]$/, '');
    const isEntry = key !== name;
    if (!Object.hasOwn(shape, key)) {
      // A call that came to have parameters only later took any before, and still does.
      if (schema.def.catchall !== undefined) continue;
      throw new DeskError('malformed', `Unknown query parameter "${Array.from(key).slice(0, 64).join('')}".`, {
        reason: 'unknown_parameter',
      });
    }
    if (value.trim() === '') continue;
    if (isList(shape[key])) {
      const values = isEntry ? [value] : value.split(',');
      raw[key] = [...((raw[key] as string[] | undefined) ?? []), ...values.filter((one) => one !== '')];
    } else if (raw[key] !== undefined || isEntry) {
      throw new DeskError('malformed', `The query parameter "${key}" takes one value.`);
    } else raw[key] = value;
  }
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new DeskError(
    'malformed',
    `The query parameter "${String(issue?.path[0] ?? '')}" ${issue ? describeIssue(issue) : 'has the wrong type.'}`,
  );
}
