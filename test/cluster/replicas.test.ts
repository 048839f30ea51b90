// What a primary has heard of its replicas.

import { expect, test } from 'bun:test';
import { createReplicas, ownWords } from '../../src/cluster/replicas.ts';
import { fixedClock } from '../support/clock.ts';

const said = (words: Record<string, string>) => new URLSearchParams(words);
const start = Date.UTC(2026, 8, 11);

test('a replica is known by its name, as it last spoke, and for a day', () => {
  const clock = fixedClock(start);
  const replicas = createReplicas(clock);
  replicas.note(said({ host: 'two', version: '1.0.0', lag_ms: '20' }));
  replicas.note(said({ host: 'one', version: '1.0.0' }));
  clock.advance(1000);
  replicas.note(said({ host: 'two', version: '1.0.1', lag_ms: '30' }));
  expect(replicas.all()).toEqual([
    { host: 'one', version: '1.0.0', lagMs: null, heardAt: start },
    { host: 'two', version: '1.0.1', lagMs: 30, heardAt: start + 1000 },
  ]);
  clock.advance(24 * 3_600_000);
  replicas.note(said({ host: 'two', version: '1.0.1', lag_ms: '-1' }));
  expect(replicas.all()).toEqual([
    { host: 'two', version: '1.0.1', lagMs: null, heardAt: start + 1000 + 24 * 3_600_000 },
  ]);
});

test('one that says nothing of itself is not shown, and there are never many', () => {
  const replicas = createReplicas(fixedClock(start));
  for (const words of [{}, { host: 'one' }, { host: '', version: '1' }, { host: 'x'.repeat(256), version: '1' }])
    replicas.note(said(words as Record<string, string>));
  expect(replicas.all()).toEqual([]);
  for (let at = 0; at < 100; at += 1) replicas.note(said({ host: `host ${at}`, version: '1' }));
  expect(replicas.all()).toHaveLength(32);
  replicas.note(ownWords(12.6));
  expect(replicas.all().find(({ lagMs }) => lagMs === 13)?.host).toBe(ownWords(null).get('host') ?? '');
});
