// Diagnostics are kept if valid and otherwise dropped; only a value that is not an object or is too large is an error.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { cleanContext, contextGroups, contextLimits, identityIn } from '../../../src/domain/tickets/context.ts';

const keep = (value: unknown) => cleanContext(value).context;

describe('a context', () => {
  test('of nothing is nothing', () => {
    expect(cleanContext(null)).toEqual({ context: null, errors: {} });
    expect(cleanContext(undefined)).toEqual({ context: null, errors: {} });
    expect(keep({})).toEqual({});
  });

  test('that is an empty list is an empty object, as PHP writes one', () => {
    expect(keep([])).toEqual({});
    expect(keep({ user: [], app: { name: 'shop' } })).toEqual({ app: { name: 'shop' } });
  });

  test('that is no object is an error', () => {
    for (const value of ['x', 1, true, [1], [{}]]) expect(cleanContext(value).errors).toHaveProperty('context');
  });

  test('keeps the groups and keys that are listed, and drops the rest', () => {
    const whole = Object.fromEntries(
      Object.entries(contextGroups).map(([group, keys]) => [group, Object.fromEntries(keys.map((key) => [key, 'v']))]),
    );
    expect(keep({ ...whole, source: 'web' })).toEqual({ ...whole, source: 'web' } as never);
    expect(keep({ app: { name: 'shop', secret: 'x' }, cookies: {}, source: 'nowhere' })).toEqual({
      app: { name: 'shop' },
    });
  });

  test('drops a key of the wrong type, and never the ticket', () => {
    expect(
      keep({ app: { name: true, version: '4' }, page: 'x', user: null, device: [], console: {}, sdk: { name: {} } }),
    ).toEqual({ app: { version: '4' } });
  });

  test('takes a whole number as text, unless JSON has rounded it', () => {
    expect(keep({ user: { external_id: 1001 }, app: { build: 412 } })).toEqual({
      user: { external_id: '1001' },
      app: { build: '412' },
    });
    expect(keep({ user: { external_id: 2 ** 53, plan: 1.5 } })).toEqual({});
  });

  test('takes a list as an object with numbers as keys', () => {
    const entry = (message: string) => ({ level: 'info' as const, message, at: null });
    expect(keep({ console: { 3: entry('a'), 7: entry('b') } })).toEqual({ console: [entry('a'), entry('b')] });
  });

  test('cuts strings to characters, never through one', () => {
    const long = '😀'.repeat(300);
    const kept = keep({ app: { name: long } })?.app?.name ?? '';
    expect(Array.from(kept)).toHaveLength(contextLimits.stringCharacters);
    expect(kept.isWellFormed()).toBe(true);
  });

  test('keeps the newest of the console', () => {
    const entries = Array.from({ length: 80 }, (_, at) => ({
      level: 'info',
      message: `${at}`,
      at: '2026-09-11T09:30:00Z',
    }));
    const kept = keep({ console: entries })?.console ?? [];
    expect(kept).toHaveLength(contextLimits.consoleEntries);
    expect([kept[0]?.message, kept.at(-1)?.message]).toEqual(['30', '79']);
    expect(
      keep({ console: [{ level: 'fatal', message: 'x'.repeat(3000), at: 'then' }, 'x', null, { level: 'info' }] })
        ?.console,
    ).toEqual([{ level: 'error', message: 'x'.repeat(2000), at: null }]);
  });

  test('looks at no more of the console than it keeps', () => {
    let looked = 0;
    const entry = (message: string) => ({
      get message() {
        looked += 1;
        return message;
      },
    });
    const kept = keep({ console: Array.from({ length: 10_000 }, (_, at) => entry(`${at}`)) })?.console;
    expect(kept?.map(({ message }) => message)).toEqual(Array.from({ length: 50 }, (_, at) => `${9950 + at}`));
    expect(looked).toBeLessThan(200);
  });

  test('keeps the time of a console entry only as ISO 8601', () => {
    const at = (text: unknown) => keep({ console: [{ level: 'info', message: 'x', at: text }] })?.console?.[0]?.at;
    for (const text of ['2026-09-11T09:30:00Z', '2026-09-11T09:30:00.123+02:00', '2026-09-11T09:30:00', '2026-09-11'])
      expect(at(text)).toBe(text);
    for (const text of ['1', 'Fri Sep 11 2026', '2026-02-30T00:00:00Z', 1_789_000_000_000, null])
      expect(at(text)).toBeNull();
  });

  test('takes extra data up to its size and depth', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
    expect(keep({ extra: nested(8) })?.extra).toEqual(nested(8));
    expect(cleanContext({ extra: nested(9) }).errors).toHaveProperty(['context.extra']);
    const filled = (bytes: number) => ({ extra: 'x'.repeat(bytes - 2) });
    expect(cleanContext(filled(contextLimits.extraBytes)).errors).toEqual({});
    expect(cleanContext(filled(contextLimits.extraBytes + 1)).errors).toHaveProperty(['context.extra']);
    let hostile: unknown = 1;
    for (let at = 0; at < 100_000; at += 1) hostile = [hostile];
    expect(cleanContext({ extra: hostile }).errors).toHaveProperty(['context.extra']);
  });

  test('whatever it is, is cleaned once and for all', () => {
    fc.assert(
      fc.property(
        fc.object({
          key: fc.constantFrom('app', 'user', 'name', 'console', 'message', 'level', 'extra', 'x'),
          maxDepth: 4,
        }),
        (value) => {
          const once = cleanContext(value);
          if (once.context !== null) expect(cleanContext(once.context)).toEqual(once);
        },
      ),
    );
  });

  test('tells who it is about', () => {
    expect(identityIn(keep({ user: { external_id: ' u-1 ', name: ' ', email: 'a@b.example' } }))).toEqual({
      externalId: 'u-1',
      name: null,
      email: 'a@b.example',
    });
    expect(identityIn(null)).toEqual({ externalId: null, name: null, email: null });
    expect(identityIn(keep({ user: { external_id: '  ' } })).externalId).toBeNull();
  });
});
