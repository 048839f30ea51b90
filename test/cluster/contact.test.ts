// A primary that does not hear Consul writes no longer; a machine that is away is found out in time.

import { afterAll, expect, test } from 'bun:test';
import { createContact } from '../../src/cluster/contact.ts';
import { isReachable } from '../../src/cluster/reachable.ts';
import { until } from '../support/litefs.ts';

let leader = '"10.0.0.1:8300"';
let asked = 0;
const consul = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    asked += 1;
    return new Response(new URL(request.url).pathname === '/v1/status/leader' ? leader : null, {
      status: leader === '' ? 500 : 200,
    });
  },
});
const consulUrl = `http://127.0.0.1:${consul.port}`;
afterAll(() => consul.stop(true));

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
  const contact = createContact({ consulUrl, limitMs: 100 });
  const before = asked;
  await until(() => asked > before + 3, 'it asks');
  expect(isHeard(contact)).toBe(true);
  for (const none of ['""', '']) {
    leader = none;
    await until(() => !isHeard(contact), 'it is silent');
    leader = '"10.0.0.2:8300"';
    await until(() => isHeard(contact), 'it is heard again');
  }
  contact.stop();
});

test('an answer that took long proves contact when it was asked for, not when it came', async () => {
  const slow = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch() {
      await new Promise((resolve) => setTimeout(resolve, 150));
      return new Response('"10.0.0.1:8300"');
    },
  });
  const contact = createContact({ consulUrl: `http://127.0.0.1:${slow.port}`, limitMs: 160 });
  await until(() => !isHeard(contact), 'answers that old leave gaps longer than the limit');
  contact.stop();
  await slow.stop(true);
});

test('without Consul, as with a static lease, silence is no reason', async () => {
  const contact = createContact({ consulUrl: null, limitMs: 1 });
  await Bun.sleep(20);
  expect(isHeard(contact)).toBe(true);
});

test('a machine is reachable when it accepts connections', async () => {
  expect(await isReachable(consulUrl)).toBe(true);
  expect(await isReachable('http://127.0.0.1:1')).toBe(false);
});
