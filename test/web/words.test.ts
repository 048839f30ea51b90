// What the pages say by rule: languages, times, durations, refusals and problems with a new password.

import { beforeAll, describe, expect, test } from 'bun:test';
import type { Refusal } from '../../src/web/shared/api.ts';
import { fileSize } from '../../src/web/shared/file-size.ts';
import { ago, count, dateAndTime, day, dayKey, duration, readInTimeZone, span } from '../../src/web/shared/format.ts';
import { languageOf, loadMessages } from '../../src/web/shared/messages.ts';
import { passwordProblem } from '../../src/web/shared/password-rules.ts';
import { fieldProblems, refusalText } from '../../src/web/shared/refusal-text.ts';
import { t } from '../../src/web/shared/sign-in-messages.ts';

let preferred: string[] = [];
beforeAll(async () => {
  Object.defineProperty(globalThis.navigator, 'languages', { get: () => preferred, configurable: true });
  Object.assign(globalThis, { document: { documentElement: {} } });
  await loadMessages('en');
});

test.each([
  [['nl-BE', 'fr'], 'nl'],
  [['pt-BR', 'es-419', 'en'], 'es'],
  [['ja'], 'en'],
  [['constructor', 'toString'], 'en'],
  [[], 'en'],
] as const)('of %p the language is %s', (languages, language) => {
  expect(languageOf(languages)).toBe(language);
});

describe('times', () => {
  const now = Date.UTC(2026, 8, 11, 12);
  const before = (seconds: number) => new Date(now - seconds * 1000).toISOString();
  test.each([
    [0, 'now'],
    [59, 'now'],
    [60, '1 minute ago'],
    [3599, '59 minutes ago'],
    [7200, '2 hours ago'],
    [86_400, 'yesterday'],
    [3 * 86_400, '3 days ago'],
    [-30, 'now'],
  ])('%d seconds ago is "%s"', (seconds, words) => {
    expect(ago(before(seconds), now)).toBe(words);
  });

  test('older than a week is a date, as the region writes it', () => {
    preferred = ['en-GB'];
    expect(ago(before(20 * 86_400), now)).toBe('22 Aug 2026');
    preferred = ['en-US'];
    expect(ago(before(20 * 86_400), now)).toBe('Aug 22, 2026');
  });

  test('dates are those of the agent’s time zone, if the browser knows it', () => {
    preferred = ['en-GB'];
    const late = '2026-09-11T22:30:00.000Z';
    readInTimeZone('Asia/Tokyo');
    expect([day(late), dayKey(late) === dayKey('2026-09-12T10:00:00.000Z')]).toEqual(['12 Sept 2026', true]);
    readInTimeZone('America/New_York');
    expect([day(late), dateAndTime(late)]).toEqual(['11 Sept 2026', '11 Sept 2026, 18:30']);
    readInTimeZone('Moon/Crater');
    expect(dateAndTime(late)).toBe(
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(late)),
    );
    readInTimeZone(null);
  });

  test('durations are in words, in the language of the messages', async () => {
    expect([duration(1), duration(42), duration(89), duration(91), duration(3600), duration(20_000)]).toEqual([
      '1 second',
      '42 seconds',
      '89 seconds',
      '2 minutes',
      '60 minutes',
      '6 hours',
    ]);
    await loadMessages('de');
    expect(duration(1)).toBe('1 Sekunde');
    await loadMessages('en');
  });

  test.each([
    ['en', '7h 15m'],
    ['de', '7 Std. 15 Min.'],
    ['fr', '7h 15min'],
    ['es', '7h 15min'],
    ['nl', '7 u 15 m'],
  ] as const)('a span has units of one kind in %s', async (language, text) => {
    await loadMessages(language);
    expect(span(26_100_000)).toBe(text);
    await loadMessages('en');
  });
});

test('a format is made once for a language and a time zone, not for each row of a list', () => {
  const { DateTimeFormat, NumberFormat } = Intl;
  let made = 0;
  const counted = <Made extends object>(format: Made) =>
    new Proxy(format, {
      construct(target, args) {
        made += 1;
        return Reflect.construct(target as new () => object, args);
      },
    });
  Object.assign(Intl, { DateTimeFormat: counted(DateTimeFormat), NumberFormat: counted(NumberFormat) });
  try {
    const draw = () => [dateAndTime('2026-09-11T12:00:00Z'), span(7_500_000), count(1200)].join();
    preferred = ['en-NZ'];
    const first = draw();
    expect(made).toBe(4);
    expect([draw(), draw()]).toEqual([first, first]);
    expect(made).toBe(4);
    preferred = ['en-US'];
    expect(draw()).not.toBe(first);
    expect(made).toBe(8);
  } finally {
    Object.assign(Intl, { DateTimeFormat, NumberFormat });
  }
});

test('sizes of files are written in one place, so that they agree everywhere', async () => {
  expect([62, 1500, 999_999, 1_000_000, 2_345_678, 999_960_000, 73_603_800_000].map(fileSize)).toEqual([
    '62 bytes',
    '1.5 kB',
    '1 MB',
    '1 MB',
    '2.3 MB',
    '1 GB',
    '73.6 GB',
  ]);
  const root = new URL('../../src/', import.meta.url).pathname;
  const writers: string[] = [];
  for (const path of new Bun.Glob('**/*.{ts,tsx}').scanSync(root))
    if ((await Bun.file(root + path).text()).includes("'kilobyte'")) writers.push(path);
  expect(writers).toEqual(['web/shared/file-size.ts']);
});

describe('a refusal', () => {
  const refusal = (change: Partial<Refusal>): Refusal => ({
    code: 'internal_error',
    status: 500,
    message: 'The desk’s own words.',
    fields: {},
    requestId: null,
    retryAfterSeconds: null,
    ...change,
  });

  test('says what happened and what to do', () => {
    expect(refusalText(refusal({ code: 'offline' }))).toBe(t.offline);
    expect(refusalText(refusal({ code: 'rate_limited', retryAfterSeconds: 30 }))).toContain('30 seconds');
    expect(refusalText(refusal({ code: 'something_new' }))).toBe(t.failed);
    expect(refusalText(refusal({ status: 413 }))).toBe(t.tooLarge);
    const message =
      'This request does not come from here. Open the desk at https://desk.example; HELPDESK_BASE_URL must be…';
    expect(refusalText(refusal({ code: 'cross_site', message }))).toContain('https://desk.example.');
  });

  test('of fields is left to the fields, if the page has them all', () => {
    const refused = refusal({ code: 'validation_failed', status: 422, fields: { password: ['is common.'] } });
    expect(refusalText(refused, ['password'])).toBeNull();
    expect(fieldProblems(refused)).toEqual({ password: t.passwordRefused });
    expect(refusalText(refused)).toBe(t.passwordRefused);
    const unknown = refusal({ fields: { shoe_size: ['must be a number.'] } });
    expect(refusalText(unknown, ['password'])).toContain('must be a number.');
  });
});

test.each([
  ['', 'required'],
  ['short', 'passwordShort'],
  ['Ana@Example.org ', 'passwordRefused'],
  ['correct horse', null],
  // Two code units each, and one character.
  ['👍👍👍👍👍', 'passwordShort'],
] as const)('the password "%s" has the problem %p', (password, problem) => {
  const expected = problem === null ? null : problem === 'passwordShort' ? t.passwordShort(10) : t[problem];
  expect(passwordProblem(password, 'ana@example.org')).toBe(expected);
});
