// How attempts are judged: what is delivered, what is retried and when, what is final.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type AttemptResult,
  countFailures,
  defaultRetryDelaysMs,
  judgeMailAttempt,
  judgeWebhookAttempt,
  longestRetryAfterMs,
  mailGivesUpAfterMs,
  parseRetryAfter,
  type WebhookAttempt,
} from '../../../src/domain/outbox/delivery.ts';

const now = Date.UTC(2026, 8, 11, 9, 30);
const step = { attemptNumber: 1, now, random: 0.5, retryDelaysMs: defaultRetryDelaysMs };
const answered = (status: number, retryAfter: string | null = null): WebhookAttempt => ({
  kind: 'answered',
  status,
  retryAfter,
});
const failed: AttemptResult = { outcome: 'failed', isGone: false };

describe('a webhook', () => {
  test.each([200, 201, 202, 204, 299])('answered %d is delivered', (status) => {
    expect(judgeWebhookAttempt(answered(status), step)).toEqual({ outcome: 'delivered' });
  });

  test.each([100, 101, 199, 300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 409, 413, 422, 431, 451])(
    'answered %d has failed for good at once',
    (status) => {
      expect(judgeWebhookAttempt(answered(status), step)).toEqual(failed);
    },
  );

  test.each([408, 425, 429, 500, 502, 503, 504, 599])('answered %d is tried again', (status) => {
    expect(judgeWebhookAttempt(answered(status), step)).toEqual({ outcome: 'retry', at: now + 10_000 });
  });

  test('that was not reached or took too long is tried again, one that was refused is not', () => {
    expect(judgeWebhookAttempt({ kind: 'timed_out' }, step).outcome).toBe('retry');
    expect(judgeWebhookAttempt({ kind: 'unreachable' }, step).outcome).toBe('retry');
    expect(judgeWebhookAttempt({ kind: 'refused' }, step)).toEqual(failed);
  });

  test('is given three retries after about 10 s, 1 min and 5 min, then has failed', () => {
    const at = (attemptNumber: number, random: number) =>
      judgeWebhookAttempt({ kind: 'unreachable' }, { ...step, attemptNumber, random });
    expect([1, 2, 3, 4].map((attemptNumber) => at(attemptNumber, 0))).toEqual([
      { outcome: 'retry', at: now + 8_000 },
      { outcome: 'retry', at: now + 48_000 },
      { outcome: 'retry', at: now + 240_000 },
      failed,
    ]);
    expect(at(3, 0.999)).toEqual({ outcome: 'retry', at: now + 359_880 });
  });

  test('answered 410 has failed and takes its channel with it, whatever came before', () => {
    expect(judgeWebhookAttempt(answered(410), step)).toEqual({ outcome: 'failed', isGone: true });
    expect(judgeWebhookAttempt(answered(410), { ...step, attemptNumber: 4 })).toEqual({
      outcome: 'failed',
      isGone: true,
    });
  });

  test('with Retry-After waits at least as long as asked, an hour at most', () => {
    expect(judgeWebhookAttempt(answered(429, '120'), step)).toEqual({ outcome: 'retry', at: now + 120_000 });
    expect(judgeWebhookAttempt(answered(503, '1'), step)).toEqual({ outcome: 'retry', at: now + 10_000 });
    expect(judgeWebhookAttempt(answered(429, '999999999'), step)).toEqual({ outcome: 'retry', at: now + 3_600_000 });
    expect(judgeWebhookAttempt(answered(429, '120'), { ...step, attemptNumber: 4 })).toEqual(failed);
    expect(judgeWebhookAttempt(answered(404, '120'), step)).toEqual(failed);
  });
});

test.each([
  ['0', 0],
  [' 30 ', 30_000],
  ['7200', 3_600_000],
  ['Fri, 11 Sep 2026 09:31:00 GMT', 60_000],
  ['Friday, 11-Sep-26 09:31:00 GMT', 60_000],
  ['Fri Sep 11 09:31:00 2026', 60_000],
  ['Fri, 11 Sep 2026 09:00:00 GMT', 0],
  ['Fri, 11 Sep 2099 09:00:00 GMT', 3_600_000],
  ['', null],
  ['-5', null],
  ['1.5', null],
  ['12 bananas', null],
  ['2026-09-11T09:31:00Z', null],
  ['Fri, 99 Sep 2026 09:31:00 GMT', null],
  [null, null],
])('Retry-After %p is a wait of %p ms', (header, expected) => {
  expect(parseRetryAfter(header, now)).toBe(expected);
});

test('any Retry-After is null or between nothing and an hour', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.date().map(String)), (header) => {
      const wait = parseRetryAfter(header, now);
      return wait === null || (wait >= 0 && wait <= longestRetryAfterMs);
    }),
  );
});

describe('a channel', () => {
  test('is disabled by the tenth failed delivery in a row; a retry does not count, a success starts again', () => {
    expect(countFailures(8, failed)).toEqual({ consecutiveFailures: 9, isDisabling: false });
    expect(countFailures(9, failed)).toEqual({ consecutiveFailures: 10, isDisabling: true });
    expect(countFailures(9, { outcome: 'retry', at: now })).toEqual({ consecutiveFailures: 9, isDisabling: false });
    expect(countFailures(9, { outcome: 'delivered' })).toEqual({ consecutiveFailures: 0, isDisabling: false });
  });

  test('is disabled at once by 410 Gone', () => {
    expect(countFailures(0, { outcome: 'failed', isGone: true })).toEqual({
      consecutiveFailures: 1,
      isDisabling: true,
    });
  });
});

describe('a mail', () => {
  const mailStep = { attemptNumber: 1, firstTriedAt: now, now, random: 0.5 };

  test('that was accepted is delivered, one rejected with 5xx has failed, anything else is tried again', () => {
    expect(judgeMailAttempt({ kind: 'accepted' }, mailStep)).toEqual({ outcome: 'delivered' });
    for (const code of [500, 521, 550, 554])
      expect(judgeMailAttempt({ kind: 'rejected', code }, mailStep)).toEqual(failed);
    for (const code of [421, 450, 451, 452]) {
      expect(judgeMailAttempt({ kind: 'rejected', code }, mailStep)).toEqual({ outcome: 'retry', at: now + 60_000 });
    }
    expect(judgeMailAttempt({ kind: 'unreachable' }, mailStep).outcome).toBe('retry');
    expect(judgeMailAttempt({ kind: 'unsendable' }, mailStep)).toEqual(failed);
  });

  test('is tried with growing gaps, the last time a day after the first', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.999, noNaN: true }), (random) => {
        const tries = [now];
        for (;;) {
          const result = judgeMailAttempt(
            { kind: 'unreachable' },
            { attemptNumber: tries.length, firstTriedAt: now, now: tries.at(-1)!, random },
          );
          if (result.outcome !== 'retry') break;
          tries.push(result.at);
        }
        const gaps = tries.slice(1).map((at, i) => at - tries[i]!);
        expect(tries.at(-1)! - now).toBe(mailGivesUpAfterMs);
        expect(tries.length).toBeGreaterThan(8);
        expect(tries.length).toBeLessThan(13);
        expect(gaps.slice(0, 8)).toEqual(gaps.slice(0, 8).toSorted((a, b) => a - b));
      }),
      { numRuns: 30 },
    );
  });
});
