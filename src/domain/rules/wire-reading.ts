// What reading a rule from the wire is made of: limits, tests of unknown values, and the problems that are found.
import type { FieldErrors } from '../errors.ts';
import type { RuleSurroundings } from './rule.ts';

export const ruleLimits = {
  name: 255,
  conditions: 50,
  actions: 20,
  value: 1000,
  listItems: 500,
  metadataKeys: 50,
  metadataBytes: 4096,
  note: 10_000,
} as const;

type Wire = Record<string, unknown>;

export class RuleReading {
  readonly errors: FieldErrors = {};
  readonly surroundings: RuleSurroundings | undefined;

  constructor(surroundings: RuleSurroundings | undefined) {
    this.surroundings = surroundings;
  }

  wrong(path: string, message: string): null {
    const messages = this.errors[path];
    if (messages === undefined) this.errors[path] = [message];
    else messages.push(message);
    return null;
  }

  flag(wire: Wire, key: string, otherwise: boolean): boolean {
    const value = wire[key] ?? otherwise;
    if (typeof value !== 'boolean') this.wrong(key, 'Must be true or false.');
    return value === true;
  }

  list<T>(value: unknown, path: string, most: number, read: (each: unknown, path: string) => T | null): T[] {
    if (!Array.isArray(value)) {
      this.wrong(path, 'Must be a list.');
      return [];
    }
    if (value.length > most) {
      this.wrong(path, `Must have at most ${most} entries.`);
      return [];
    }
    return value.map((each, at) => read(each, `${path}.${at}`)).filter((each): each is T & {} => each !== null);
  }
}

export function isObject(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isOneOf<T extends string>(list: readonly T[], value: unknown): value is T {
  return list.some((each) => each === value);
}

export function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= ruleLimits.value;
}

export function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
