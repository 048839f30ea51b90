// Diagnostics that an application sends with a ticket (docs/spec/api.md#context): what fits is kept, the rest is dropped.

import type { FieldErrors } from '../errors.ts';
import { asList, asText } from '../input/lenient.ts';
import { parseTime } from '../instant.ts';
import { cleanText, truncate } from '../text.ts';

export const contextSources = ['web', 'ios', 'android', 'macos', 'api', 'email'] as const;
type ContextSource = (typeof contextSources)[number];

export const consoleLevels = ['debug', 'info', 'warning', 'error'] as const;

export const contextGroups = {
  sdk: ['name', 'version'],
  app: ['name', 'version', 'build', 'environment'],
  runtime: ['php', 'framework'],
  device: ['platform', 'os_version', 'model', 'locale', 'timezone'],
  page: ['url', 'referrer', 'viewport', 'user_agent', 'locale'],
  user: ['external_id', 'name', 'email', 'plan', 'signed_up_at'],
} as const;
type Group = keyof typeof contextGroups;

interface ConsoleEntry {
  level: (typeof consoleLevels)[number];
  message: string;
  at: string | null;
}

export type TicketContext = { source?: ContextSource } & { [G in Group]?: Record<string, string> } & {
  console?: ConsoleEntry[];
  extra?: unknown;
};

export const contextLimits = {
  stringCharacters: 255,
  consoleEntries: 50,
  consoleMessageCharacters: 2000,
  extraBytes: 16 * 1024,
  extraDepth: 8,
} as const;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((inner) => isDeeperThan(inner, depth - 1));
}

function cleanGroup(value: unknown, keys: readonly string[]): Record<string, string> | undefined {
  if (!isObject(value)) return undefined;
  const kept: Record<string, string> = {};
  for (const key of keys) {
    const text = asText(value[key]);
    if (typeof text === 'string') kept[key] = truncate(cleanText(text), contextLimits.stringCharacters);
  }
  return Object.keys(kept).length > 0 ? kept : undefined;
}

function isTimestamp(text: string): boolean {
  return parseTime(text) !== null || parseTime(`${text}Z`) !== null;
}

function cleanConsole(given: unknown): ConsoleEntry[] | undefined {
  const value = asList(given);
  if (!Array.isArray(value)) return undefined;
  const kept: ConsoleEntry[] = [];
  // The newest entries are last, and matter most. Older ones are not read at all.
  for (let at = value.length - 1; at >= 0 && kept.length < contextLimits.consoleEntries; at -= 1) {
    const entry: unknown = value[at];
    if (!isObject(entry) || typeof entry.message !== 'string') continue;
    const level = consoleLevels.find((known) => known === entry.level) ?? 'error';
    const moment = typeof entry.at === 'string' && isTimestamp(entry.at) ? entry.at : null;
    const message = truncate(cleanText(entry.message), contextLimits.consoleMessageCharacters);
    kept.push({ level, message, at: moment });
  }
  return kept.reverse();
}

/** A diagnostic must never cost a ticket: only a value that is not an object, or `extra` over its limits, is an error. */
export function cleanContext(value: unknown): { context: TicketContext | null; errors: FieldErrors } {
  if (value === null || value === undefined) return { context: null, errors: {} };
  // PHP writes an empty object as [].
  if (Array.isArray(value) && value.length === 0) return { context: {}, errors: {} };
  if (!isObject(value)) return { context: null, errors: { context: ['must be an object.'] } };
  const context: TicketContext = {};
  const source = contextSources.find((known) => known === value.source);
  if (source) context.source = source;
  for (const group of Object.keys(contextGroups) as Group[]) {
    const kept = cleanGroup(value[group], contextGroups[group]);
    if (kept) context[group] = kept;
  }
  const console = cleanConsole(value.console);
  if (console && console.length > 0) context.console = console;
  if (value.extra !== undefined && value.extra !== null) {
    // Check the depth first: JSON.stringify recurses, and hostile nesting must not exhaust the stack.
    if (isDeeperThan(value.extra, contextLimits.extraDepth)) {
      return {
        context: null,
        errors: { 'context.extra': [`must be nested at most ${contextLimits.extraDepth} levels deep.`] },
      };
    }
    const bytes = new TextEncoder().encode(JSON.stringify(value.extra)).length;
    if (bytes > contextLimits.extraBytes) {
      return {
        context: null,
        errors: { 'context.extra': [`must have at most ${contextLimits.extraBytes} bytes as JSON; it has ${bytes}.`] },
      };
    }
    context.extra = value.extra;
  }
  return { context, errors: {} };
}

/** The identity in `context.user`. The site token vouches for an external id (docs/spec/api.md#authors). */
export function identityIn(context: TicketContext | null): {
  externalId: string | null;
  name: string | null;
  email: string | null;
} {
  const user = context?.user;
  const externalId = user?.external_id?.trim();
  return { externalId: externalId || null, name: user?.name?.trim() || null, email: user?.email?.trim() || null };
}
