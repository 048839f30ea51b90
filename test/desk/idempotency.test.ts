// One answer for one key: stored with the write, repeated later, and one write for two simultaneous requests.

import { afterAll, describe, expect, test } from 'bun:test';
import { type Idempotency, once } from '../../src/desk/idempotency.ts';
import { createSite } from '../../src/desk/sites/sites.ts';
import { forgetIdempotencyKeys } from '../../src/store/events.ts';
import { listSites } from '../../src/store/sites/sites.ts';
import { commandLine, workbench } from './workbench.ts';

const bench = workbench();
afterAll(() => bench.close());

const key = (name: string, change: Partial<Idempotency> = {}): Idempotency => ({
  credential: 'token:1',
  key: name,
  fingerprint: 'POST /x body',
  ...change,
});
const day = 24 * 60 * 60 * 1000;
const sites = () => listSites(bench.tx, 'all', 1, 0).total;

function make(idempotency: Idempotency | null) {
  return bench.do((tx, ctx) =>
    once(tx, ctx, idempotency, () => {
      const { site, siteToken } = createSite(tx, ctx, { name: 'Made once' });
      return { status: 201, body: JSON.stringify({ id: site.id, siteToken }), headers: { ETag: 'x' } };
    }),
  );
}

describe('a repeat', () => {
  test('gets the first answer and changes nothing', () => {
    const first = make(key('a'));
    expect(first.isRepeat).toBe(false);
    const before = sites();
    const again = make(key('a'));
    expect(again).toEqual({ ...first, isRepeat: true });
    expect(bench.events).toEqual([]);
    expect(sites()).toBe(before);
    // A secret that is answered only once is not in the database in clear text.
    const { siteToken } = JSON.parse(first.body) as { siteToken: string };
    expect(JSON.stringify(bench.everything()).includes(siteToken)).toBe(false);
  });

  test('with another request under the same key is a conflict', () => {
    make(key('b'));
    expect(() => make(key('b', { fingerprint: 'POST /x other' }))).toThrow('used for another request');
  });

  test('by another credential is a new request', () => {
    const first = make(key('c'));
    expect(make(key('c', { credential: 'token:2' })).body).not.toBe(first.body);
  });

  test('after a refusal that is not stored tries again', () => {
    const refuse = () =>
      bench.do((tx, ctx) =>
        once(tx, ctx, key('d'), () => {
          throw new Error('no');
        }),
      );
    expect(refuse).toThrow('no');
    expect(make(key('d')).isRepeat).toBe(false);
  });

  test('after a day is a new request, also before the sweep', () => {
    const first = make(key('e'));
    bench.clock.advance(day - 1);
    expect(make(key('e'))).toEqual({ ...first, isRepeat: true });
    bench.clock.advance(1);
    const second = make(key('e', { fingerprint: 'POST /x other' }));
    expect(second.isRepeat).toBe(false);
    expect(make(key('e', { fingerprint: 'POST /x other' })).body).toBe(second.body);
    const total = bench.everything().idempotency_keys?.length ?? 0;
    expect(bench.do((tx, ctx) => forgetIdempotencyKeys(tx, ctx.now, 2))).toBe(2);
    expect(bench.everything().idempotency_keys).toHaveLength(total - 2);
  });

  test('without a key is another write', () => {
    const before = sites();
    make(null);
    make(null);
    expect(sites()).toBe(before + 2);
  });
});

test('at the same moment, many of them make one write', async () => {
  const before = sites();
  const ctx = bench.desk.context(commandLine, 'test');
  const answers = await Promise.all(
    Array.from({ length: 30 }, () =>
      bench.desk.write((tx) =>
        once(tx, ctx, key('together'), () => {
          const { site } = createSite(tx, ctx, { name: 'Together' });
          return { status: 201, body: `${site.id}`, headers: {} };
        }),
      ),
    ),
  );
  expect(sites()).toBe(before + 1);
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  expect(answers.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1);
});
