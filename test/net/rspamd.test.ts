// A spam filter that answers well, badly or not at all.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createSpamFilter } from '../../src/net/rspamd.ts';
import { type FakeRspamd, fakeRspamd, type Manner } from '../support/fake-rspamd.ts';

let fake: FakeRspamd;
beforeAll(async () => {
  fake = await fakeRspamd();
});
afterAll(() => fake.stop());

const message = Buffer.from('Subject: Gr\u00fc\u00dfe\r\nX-Test-Score: 7.504\r\n\r\n\u00ff', 'latin1');
const envelope = { from: 'mia@example.org', to: 'help@desk.example', client: '192.0.2.1' };
const ask = (
  manner: Manner,
  isUp = true,
  given: Parameters<ReturnType<typeof createSpamFilter>['check']>[1] = envelope,
) => {
  fake.manner = manner;
  fake.isUp = isUp;
  const filter = createSpamFilter(`${fake.url}/`, 1000);
  return filter.check(message, given);
};

test('gets the message as it is, with its envelope, and says a score and the rules that count most', async () => {
  const scored = await ask('well');
  const symbols = [
    { name: 'TEST_RULE', score: 7.5 },
    { name: 'SMALL', score: 0.1 },
  ];
  expect(scored).toEqual({ kind: 'answered', check: { score: 7.5, symbols, why: null } });
  const asked = fake.asked.at(-1);
  expect(asked?.body).toBe(message.toString('latin1'));
  expect(asked?.headers).toMatchObject({ from: envelope.from, rcpt: envelope.to, ip: envelope.client });
});

test('is told no envelope that is unknown, or that could add a header', async () => {
  await ask('well', true, { from: 'eve@x\r\nIP: 127.0.0.1', to: null, client: null });
  const { from, rcpt, ip } = fake.asked.at(-1)?.headers ?? {};
  expect([from, rcpt, ip]).toEqual([undefined, undefined, undefined]);
});

test('gives its words without what would disturb those who read them', async () => {
  const scored = await ask('hostile');
  expect(scored).toMatchObject({ check: { score: 7, symbols: [{ name: '[31mEVIL <b>' }] } });
  expect({}).not.toHaveProperty('score');
});

describe('a filter that fails', () => {
  const manners: [Manner, string][] = [
    ['silent', 'no answer within 1 s'],
    ['nonsense', 'its answer cannot be understood'],
    ['wild', 'its answer cannot be understood'],
    ['endless', 'the answer has more than 524288 bytes'],
    ['refuses', 'it answered 500'],
    ['redirects', 'it answered 302'],
  ];
  test.each(manners)('(%s) has no score for this message while it answers at all', async (manner, why) => {
    expect(await ask(manner)).toEqual({ kind: 'answered', check: { score: null, symbols: [], why } });
  });

  test('has no score either when its answer is cut off', async () => {
    expect(await ask('cut')).toMatchObject({ kind: 'answered', check: { score: null } });
  });

  test('is down when it does not answer a ping either, or nothing listens', async () => {
    expect(await ask('refuses', false)).toEqual({ kind: 'down', why: 'it answered 500' });
    const nothing = createSpamFilter('http://127.0.0.1:9', 1000);
    expect([await nothing.check(message, envelope), nothing.wasUp()]).toEqual([
      { kind: 'down', why: 'connection refused' },
      false,
    ]);
  });
});
