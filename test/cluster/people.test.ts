// People on two machines: a sign-in at either, a session at both, and its end at both.

import { Database } from 'bun:sqlite';
import { afterEach, expect, test } from 'bun:test';
import { machineName } from '../../src/base/process.ts';
import { version } from '../../src/base/version.ts';
import { addAgent, changeAgent } from '../../src/desk/people/agents.ts';
import { linkAgent } from '../../src/desk/people/sign-in-links.ts';
import { createSite } from '../../src/desk/sites/sites.ts';
import { until } from '../support/litefs.ts';
import { handOver, type Machine, startMachine } from '../support/machines.ts';
import { textReader } from '../support/text-reader.ts';

const machines: Machine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.stop();
});

async function pair() {
  const primary = await startMachine(null);
  machines.push(primary);
  const { desk } = primary.running.data;
  const ctx = () => desk.context({ kind: 'command_line' }, 'test');
  const agent = await desk.write((tx) => addAgent(tx, ctx(), { email: 'kim@x.example', name: 'Kim', role: 'owner' }));
  const link = () => desk.write((tx) => linkAgent(tx, ctx(), agent));
  const replica = await startMachine(primary);
  machines.push(replica);
  return { primary, replica, desk, ctx, agent, link };
}

const post = (machine: Machine, path: string, body: object, headers: Record<string, string> = {}) =>
  machine.ask('POST', `/api/v1${path}`, {
    headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', ...headers },
    body: JSON.stringify(body),
  });
const cookiesOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

test('a sign-in at a replica is written by the primary, and the replica waits for it', async () => {
  const { primary, replica, link } = await pair();
  primary.litefs.setPosition(77);
  const entered = await post(replica, '/session/link', { token: await link() });
  expect(entered.status, entered.text).toBe(200);
  const Cookie = cookiesOf(entered.headers);
  expect(Cookie).toMatch(
    /^helpdesk=hdp_[\w-]{43}; helpdesk-known=[\w.-]+; helpdesk_position=[0-9a-f]{16}\.[0-9a-f]{16}$/,
  );
  expect(replica.running.data.desk.writer.batches.steps).toBe(0);
  const early = replica.ask('GET', '/api/v1/session', { headers: { Cookie } });
  replica.litefs.setPosition(77);
  expect((await early).status).toBe(200);
  for (const machine of [replica, primary]) {
    const session = await machine.ask('GET', '/api/v1/session', { headers: { Cookie } });
    expect([session.status, session.json.data.agent.name]).toEqual([200, 'Kim']);
  }
  const confirmed = await post(replica, '/session/confirm', { password: 'not the password' }, { Cookie });
  expect([confirmed.status, confirmed.json.code]).toEqual([401, 'wrong_credentials']);
  const out = await replica.ask('DELETE', '/api/v1/session', { headers: { Cookie, 'Sec-Fetch-Site': 'same-origin' } });
  expect(out.status).toBe(204);
  for (const machine of [replica, primary])
    expect((await machine.ask('GET', '/api/v1/session', { headers: { Cookie } })).status).toBe(401);
});

test('a stream at a replica ends after the agent was deactivated at the primary', async () => {
  const { replica, desk, ctx } = await pair();
  const second = await desk.write((tx) => addAgent(tx, ctx(), { email: 'ann@x.example', name: 'Ann', role: 'member' }));
  const token = await desk.write((tx) => linkAgent(tx, ctx(), second));
  const Cookie = cookiesOf((await post(replica, '/session/link', { token })).headers);
  const stream = await fetch(`${replica.running.url}/api/v1/events`, {
    headers: { Cookie, Accept: 'text/event-stream' },
  });
  expect(stream.status).toBe(200);
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await desk.write((tx) => changeAgent(tx, ctx(), second.id, { is_active: false }));
  while (!(await reader.read()).done);
});

test('the last use that a replica saw is written by the primary', async () => {
  const { primary, replica, desk, link, agent } = await pair();
  const Cookie = cookiesOf((await post(replica, '/session/link', { token: await link() })).headers);
  const anHourAgo = desk.now() - 3600_000;
  primary.running.data.desk.store.writing.client.run('UPDATE sessions SET last_used_at = ?', [anHourAgo]);
  expect((await replica.ask('GET', '/api/v1/session', { headers: { Cookie } })).status).toBe(200);
  await replica.stop();
  await primary.running.stop();
  machines.length = 0;
  const { database } = primary.litefs;
  const kept = new Database(database, { readonly: true });
  const row = kept.query<{ at: number }, [number]>('SELECT last_used_at AS at FROM sessions WHERE agent_id = ?');
  expect(row.get(agent.id)?.at).toBeGreaterThan(anHourAgo);
  kept.close();
});

test('who has a ticket open is known at every machine, and also after the primary has changed', async () => {
  const { primary, replica, desk, ctx, link } = await pair();
  const { site } = await desk.write((tx) => createSite(tx, ctx(), { name: 'Web shop' }));
  const Cookie = cookiesOf((await post(primary, '/session/link', { token: await link() })).headers);
  const opened = await post(
    primary,
    '/tickets',
    { site_id: site.id, email: 'mia@example.org', subject: 'Hello', message: 'World' },
    { Cookie },
  );
  const { ulid } = opened.json.data;
  const tell = (machine: Machine, state: string) => post(machine, `/tickets/${ulid}/presence`, { state }, { Cookie });
  expect((await tell(replica, 'viewing')).status).toBe(200);
  for (const machine of [primary, replica]) {
    const look = await machine.ask('GET', '/api/v1/live', { headers: { Cookie } });
    expect(look.json.data.presence).toMatchObject([{ ticket: ulid, agents: [{ name: 'Kim', state: 'viewing' }] }]);
  }
  const gone = new AbortController();
  const stream = await fetch(`${replica.running.url}/api/v1/live`, {
    headers: { Cookie, Accept: 'text/event-stream' },
    signal: gone.signal,
  });
  const seen = textReader((stream.body as ReadableStream<Uint8Array>).getReader());
  await seen.until('"state":"viewing"');
  await tell(primary, 'writing');
  await seen.until('"state":"writing"');
  handOver(primary, replica);
  await until(async () => (await tell(replica, 'viewing')).status === 200, 'the new primary hears of it');
  seen.forget();
  await seen.until('"state":"viewing"');
  gone.abort();
}, 30_000);

test('an owner sees the machines of the cluster, whichever of them is asked', async () => {
  const { primary, replica, link } = await pair();
  replica.litefs.setLag(1500);
  const Cookie = cookiesOf((await post(primary, '/session/link', { token: await link() })).headers);
  const system = async () => (await replica.ask('GET', '/api/v1/system', { headers: { Cookie } })).json.data;
  let { cluster } = await system();
  // The replica asks the primary again and again, and says who it is.
  await until(async () => {
    ({ cluster } = await system());
    return cluster.replicas[0]?.lag_ms === 1500;
  }, 'the primary hears the replica');
  expect(cluster).toMatchObject({
    ...{ role: 'primary', primary: null, lag_ms: 0, host: machineName },
    replicas: [{ host: machineName, version, lag_ms: 1500 }],
  });
  expect(Date.parse(cluster.replicas[0].heard_at)).toBeLessThanOrEqual(Date.now());
});
