// A primary that does not hear Consul writes no longer; a machine that is away is found out in time.

import { afterAll, expect, test } from 'bun:test';
import { type Contact, createContact } from '../../src/cluster/contact.ts';
import { isReachable } from '../../src/cluster/reachable.ts';
import { fakeConsul } from '../support/consul.ts';
import { until } from '../support/litefs.ts';
import { serve } from '../support/serving.ts';

const turnKey = 'helpdesk/restart/desk';
const consul = await fakeConsul();
afterAll(consul.close);

function isHeard(contact: ReturnType<typeof createContact>): boolean {
  try {
    contact.requireContact();
    return true;
  } catch (error) {
    expect((error as Error).message).toMatch(/^This machine has not heard Consul for \d+ s/);
    return false;
  }
}

test('Consul without a leader, or without an answer, is silence; one that has a leader again ends it', async () => {
  let passed = 0;
  const contact = createContact({ consulUrl: consul.url, limitMs: 100, turnKey, passedMs: () => passed });
  // The last one may have been asked before what a test has changed.
  const askedTwice = async () => {
    const before = consul.asked();
    await until(() => consul.asked() > before + 2, 'it asks');
  };
  await askedTwice();
  expect(isHeard(contact)).toBe(true);
  for (const none of ['""', '']) {
    consul.setLeader(none);
    await askedTwice();
    passed += 101;
    expect(isHeard(contact)).toBe(false);
    await askedTwice();
    expect(isHeard(contact)).toBe(false);
    consul.setLeader('"10.0.0.2:8300"');
    await until(() => isHeard(contact), 'it is heard again');
  }
  contact.stop();
});

test('an answer that took long proves contact when it was asked for, not when it came', async () => {
  let passed = 0;
  let asked = 0;
  const slow = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch() {
      asked += 1;
      passed += 101;
      return new Response('"10.0.0.1:8300"');
    },
  });
  const consulUrl = `http://127.0.0.1:${slow.port}`;
  const contact = createContact({ consulUrl, limitMs: 100, turnKey, passedMs: () => passed });
  await until(() => asked > 2, 'it asks');
  expect(isHeard(contact)).toBe(false);
  contact.stop();
  await slow.stop(true);
});

test('a machine is cut off when nothing comes back, not even a refusal; an agent of its own without a leader proves nothing', async () => {
  let passed = 0;
  const contactAt = (consulUrl: string) => createContact({ consulUrl, limitMs: 100, turnKey, passedMs: () => passed });
  let heard = 0;
  const hung = await serve(() => {
    heard += 1;
    return new Promise<Response>(() => undefined);
  });
  // Nothing listens on port 1.
  const [refused, silent, leaderless, distant] = [
    'http://127.0.0.1:1',
    `http://127.0.0.1:${hung.port}`,
    consul.url,
    // Linux and macOS lead this to the machine itself, but its name does not say so.
    consul.url.replace('127.0.0.1', '0.0.0.0'),
  ].map(contactAt) as [Contact, Contact, Contact, Contact];
  consul.setLeader('');
  passed += 101;
  const all = [refused, silent, leaderless, distant];
  for (const contact of all) expect(isHeard(contact)).toBe(false);
  await until(() => !refused.isCutOff(), 'it is refused');
  await until(() => !distant.isCutOff(), 'another machine has answered');
  expect(isHeard(distant)).toBe(false);
  const asked = consul.asked();
  await until(() => consul.asked() > asked + 2 && heard > 2, 'they ask');
  expect([silent.isCutOff(), leaderless.isCutOff()]).toEqual([true, true]);
  consul.setLeader('"10.0.0.1:8300"');
  await until(() => !leaderless.isCutOff(), 'there is a leader');
  for (const contact of all) contact.stop();
  await hung.stop(true);
});

test('without Consul, as with a static lease, silence is no reason', async () => {
  const contact = createContact({ consulUrl: null, limitMs: 1, turnKey });
  await Bun.sleep(20);
  expect(isHeard(contact)).toBe(true);
});

test('a machine is reachable when it accepts connections', async () => {
  expect(await isReachable(consul.url)).toBe(true);
  expect(await isReachable('http://127.0.0.1:1')).toBe(false);
});

test('Consul gives the turn to one machine of a desk at a time, and to the next one when it has ended the session', async () => {
  const contactOf = (key: string) => createContact({ consulUrl: consul.url, limitMs: 10_000, turnKey: key });
  const [one, two, other] = [contactOf(turnKey), contactOf(turnKey), contactOf('helpdesk/restart/other')];
  const taken = await Promise.all([one.takesTurn(), two.takesTurn(), one.takesTurn()]);
  expect(taken.filter((isTaken) => isTaken)).toHaveLength(1);
  expect(await other.takesTurn()).toBe(true);
  // The ones that were refused leave nothing in Consul.
  expect(consul.sessions()).toBe(2);
  consul.endSessions();
  expect(await two.takesTurn()).toBe(true);
  expect(await one.takesTurn()).toBe(false);
  await one.endTurn();
  expect(await one.takesTurn()).toBe(true);
  consul.setLeader('');
  expect(one.takesTurn()).rejects.toThrow('Consul answered 500');
  for (const contact of [one, two, other]) contact.stop();
});
