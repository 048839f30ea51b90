// The details of a ticket by rule: SLA clocks, their ledger, spans of time, tags, custom fields and diagnostics.

import { beforeAll, describe, expect, test } from 'bun:test';
import { tagPattern } from '../../src/domain/tickets/ticket.ts';
import { consoleOf, groupsOf } from '../../src/web/console/details/diagnostics.tsx';
import { enteredValue, listOf, shownValue } from '../../src/web/console/details/field-value.ts';
import { entriesOf, type LedgerClock } from '../../src/web/console/details/ledger-text.ts';
import { tagOf } from '../../src/web/console/details/tags.tsx';
import { clockState } from '../../src/web/console/sla/clock-state.ts';
import { span } from '../../src/web/shared/format.ts';
import { loadMessages } from '../../src/web/shared/messages.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const at = (minutes: number) => new Date(noon + minutes * 60_000).toISOString();

beforeAll(async () => {
  Object.defineProperty(globalThis.navigator, 'languages', { get: () => [], configurable: true });
  Object.assign(globalThis, { document: { documentElement: {} } });
  await loadMessages('en');
});

describe('a clock', () => {
  const ticket = {
    first_response_due_at: at(60),
    first_response_at: null,
    first_response_warned_at: null,
    resolution_due_at: at(600),
    resolution_warned_at: null,
    resolved_at: null,
    sla_paused_at: null,
    awaits_author: false,
  };
  const kindOf = (change: Partial<typeof ticket> | object, clock: 'first_response' | 'resolution' = 'first_response') =>
    clockState({ ...ticket, ...change }, clock, noon).kind;

  test.each([
    ['running', {}],
    ['soon', { first_response_due_at: at(29) }],
    ['soon', { first_response_warned_at: at(-1) }],
    ['breached', { first_response_due_at: at(0) }],
    ['paused', { sla_paused_at: at(-10) }],
    // It was overdue before it was paused.
    ['breached', { first_response_due_at: at(-20), sla_paused_at: at(-10) }],
    ['met', { first_response_at: at(-5) }],
    ['met', { first_response_at: at(-5), first_response_due_at: null }],
    ['late', { first_response_at: at(61) }],
    ['stopped', { resolved_at: at(-5) }],
    ['none', { first_response_due_at: null }],
    ['awaiting', { first_response_due_at: null, awaits_author: true }],
  ] as const)('is %s with %p', (kind, change) => {
    expect(kindOf(change)).toBe(kind);
  });

  test('of the resolution has its own times', () => {
    expect(kindOf({ first_response_due_at: at(-20) }, 'resolution')).toBe('running');
    expect(kindOf({ awaits_author: true }, 'resolution')).toBe('running');
    expect(kindOf({ resolved_at: at(-5) }, 'resolution')).toBe('met');
    expect(kindOf({ resolved_at: at(601) }, 'resolution')).toBe('late');
  });

  test('counts what is left and what is over', () => {
    expect(clockState(ticket, 'first_response', noon)).toMatchObject({ leftMs: 3_600_000 });
    expect(clockState(ticket, 'first_response', noon + 7_200_000)).toMatchObject({ overMs: 3_600_000 });
  });
});

test.each([
  [0, '0s'],
  [59_999, '59s'],
  [61_000, '1m 1s'],
  [-7_200_000, '2h'],
  [7_500_000, '2h 5m'],
  [90_000_000, '1d 1h'],
  [86_400_000 + 59_000, '1d'],
])('%d milliseconds are "%s"', (ms, text) => {
  expect(span(ms)).toBe(text);
});

describe('the ledger', () => {
  const clock: LedgerClock = {
    clock: 'resolution',
    target_minutes: 120,
    started_at: at(-180),
    due_at: at(60),
    stopped_at: null,
    warned_at: at(-10),
    breached_at: null,
    is_paused: false,
    elapsed_seconds: 3600,
    remaining_seconds: 3600,
    paused_seconds: 7200,
    intervals: [
      { kind: 'counted', from: at(-180), to: at(-120), working_seconds: 3600, is_projected: false, event_seq: null },
      { kind: 'paused', from: at(-120), to: at(0), working_seconds: 7200, is_projected: false, event_seq: 4 },
      { kind: 'counted', from: at(0), to: at(60), working_seconds: 3600, is_projected: true, event_seq: null },
    ],
  };
  const kinds = (change: Partial<LedgerClock>) => entriesOf({ ...clock, ...change }, noon).map(({ kind }) => kind);

  test('is told in order, with what lies ahead', () => {
    expect(kinds({})).toEqual(['started', 'counted', 'paused', 'warned', 'now', 'counted', 'due']);
    expect(entriesOf(clock, noon).filter(({ isAhead }) => isAhead)).toHaveLength(2);
  });
  test('is empty before it begins', () => {
    expect(kinds({ started_at: null, due_at: null, intervals: [] })).toEqual([]);
  });
  test('has no deadline ahead while it is paused, nor after it stopped', () => {
    expect(kinds({ is_paused: true })).not.toContain('due');
    expect(kinds({ stopped_at: at(0), intervals: [] })).toEqual(['started', 'warned', 'stopped']);
  });
});

test.each([
  ['VIP Customer!', 'vip-customer'],
  ['  Größe ', 'grosse'],
  ['crème_brûlée', 'creme-brulee'],
  ['a'.repeat(40), 'a'.repeat(32)],
  ['!!', ''],
])('the tag %p is %p', (typed, tag) => {
  expect(tagOf(typed)).toBe(tag);
  if (tag !== '') expect(tag).toMatch(tagPattern);
});

test.each([
  ['number', ' 4,5 ', 4.5],
  ['number', 'four', 'four'],
  ['text', ' a ', 'a'],
  ['text', '  ', null],
  ['textarea', ' a\n', ' a\n'],
  ['date', '2026-11-20', '2026-11-20'],
] as const)('in a field of %s, %p is sent as %p', (type, typed, value) => {
  expect(enteredValue(type, typed)).toBe(value);
});

test('values are shown as they are', () => {
  expect([shownValue(null), shownValue(4.5), shownValue('a')]).toEqual(['', '4.5', 'a']);
  expect(listOf(['a', 1, 'b'])).toEqual(['a', 'b']);
  expect(listOf('a')).toEqual([]);
});

test('diagnostics leave out what is not there, and read logs of any shape', () => {
  const context = {
    app: { name: 'Shop', os_version: '1' },
    device: {},
    console: [null, { message: 'x', level: 'odd' }],
  };
  expect(groupsOf(context)).toEqual([
    {
      name: 'app',
      facts: [
        ['name', 'Shop'],
        ['os version', '1'],
      ],
    },
  ]);
  expect(consoleOf(context)).toEqual([{ level: 'error', message: 'x', at: null }]);
  expect(consoleOf({ console: 'x' })).toEqual([]);
});
