// Two desks, one primary: forwarded writes, a primary that disappears, roles that change under load, files, tokens.

import { Database } from 'bun:sqlite';
import { afterEach, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../migrations/index.ts';
import { createSeal } from '../../src/base/crypto.ts';
import { createPeers, peerHeader } from '../../src/cluster/peers.ts';
import { issueToken } from '../../src/desk/people/tokens.ts';
import { createSite } from '../../src/desk/sites/sites.ts';
import { DeskError } from '../../src/domain/errors.ts';
import { query } from '../../src/engine/database.ts';
import { file } from '../http/walks/step.ts';
import { fakeLiteFS, positionOf, replicate, until } from '../support/litefs.ts';
import { clusterKey, handOver, type Machine, startMachine, startOn } from '../support/machines.ts';
import { fakeS3 } from '../support/s3.ts';

const machines: Machine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.stop();
});

interface Pair {
  primary: Machine;
  replica: Machine;
  siteToken: string;
  inboundSecret: string;
  team: Record<string, string>;
  site: string;
}

async function started(primary: Machine | null, more: Record<string, string> = {}): Promise<Machine> {
  const machine = await startMachine(primary, more);
  machines.push(machine);
  return machine;
}

async function pair(more: Record<string, string> = {}): Promise<Pair> {
  const primary = await started(null, more);
  const { desk } = primary.running.data;
  const ctx = () => desk.context({ kind: 'command_line' }, 'test');
  const made = await desk.write((tx) => createSite(tx, ctx(), { name: 'Web shop' }));
  const token = await desk.write((tx) =>
    issueToken(tx, ctx(), { name: 'Team', abilities: ['read', 'write', 'manage'], site_id: null, expires_at: null }),
  );
  const replica = await started(primary, more);
  return {
    primary,
    replica,
    siteToken: made.siteToken,
    inboundSecret: made.inboundSecret,
    team: { Authorization: `Bearer ${token.secret}` },
    site: made.site.slug,
  };
}

const ticket = (subject = 'Cannot save') =>
  JSON.stringify({ email: 'mia@example.org', name: 'Mia', subject, message: 'It fails.' });
const openAt = (machine: Machine, { siteToken }: Pair, headers: Record<string, string> = {}, subject?: string) =>
  machine.ask('POST', '/api/v1/public/tickets', {
    headers: { 'X-Site-Token': siteToken, ...headers },
    body: ticket(subject),
  });

function ticketsIn({ running }: Machine): number {
  return query<{ n: number }>(running.data.desk.store.reading, 'SELECT count(*) AS n FROM tickets').get()?.n ?? -1;
}

describe('a write that reaches a replica', () => {
  test('is done by the primary, whose answer is the answer, headers and all', async () => {
    const desks = await pair();
    desks.primary.litefs.setPosition(77);
    const opened = await openAt(desks.replica, desks, { 'X-Request-Id': 'req-one', 'Idempotency-Key': 'k1' });
    expect(opened.status).toBe(201);
    expect(opened.json.access_token).toMatch(/^hdt_|^hd/);
    expect(opened.headers.get('x-request-id')).toBe('req-one');
    expect(opened.headers.get('x-helpdesk-position')).toBe(positionOf(77));
    expect(opened.headers.get('connection')).not.toBe('upgrade');
    expect(ticketsIn(desks.primary)).toBe(1);
    expect(desks.primary.running.data.desk.writer.batches.steps).toBeGreaterThan(0);
    expect(desks.replica.running.data.desk.writer.batches.steps).toBe(0);
    const again = await openAt(desks.replica, desks, { 'Idempotency-Key': 'k1' });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.json).toEqual(opened.json);
    expect(ticketsIn(desks.primary)).toBe(1);
  });

  test('is refused by the primary where it is wrong, in the one shape', async () => {
    const desks = await pair();
    const wrong = await desks.replica.ask('POST', '/api/v1/public/tickets', {
      headers: { 'X-Site-Token': desks.siteToken },
      body: '{"email": "x"}',
    });
    expect(wrong.status).toBe(422);
    expect(wrong.json).toMatchObject({ code: 'validation_failed', request_id: expect.any(String) });
    const stranger = await desks.replica.ask('POST', '/api/v1/public/tickets', { body: ticket() });
    expect(stranger.status).toBe(401);
    expect(stranger.headers.get('x-helpdesk-position')).not.toBeNull();
  });

  test('may be a file of nine megabytes, and the file lies with the primary', async () => {
    const desks = await pair();
    const { ticket: opened, access_token: accessToken } = (await openAt(desks.replica, desks)).json;
    const path = `/api/v1/public/tickets/${opened.ulid}`;
    const bytes = new Uint8Array(9 * 1024 * 1024).fill(0x61);
    const sent = await desks.replica.ask('POST', `${path}/attachments?access_token=${accessToken}`, {
      headers: { 'X-Site-Token': desks.siteToken },
      body: file('log.txt', bytes),
    });
    expect(sent.status).toBe(201);
    const { url, size_bytes: size } = sent.json.attachment;
    expect(size ?? sent.json.attachment.size).toBe(bytes.length);
    const link = new URL(url);
    for (const machine of [desks.primary, desks.replica]) {
      const whole = await fetch(machine.running.url + link.pathname + link.search);
      expect(whole.status).toBe(200);
      expect(Buffer.from(await whole.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);
      const part = await machine.ask('GET', link.pathname + link.search, { headers: { Range: 'bytes=5-14' } });
      expect([part.status, part.text, part.headers.get('content-range')]).toEqual([
        206,
        'a'.repeat(10),
        `bytes 5-14/${bytes.length}`,
      ]);
      const head = await machine.ask('HEAD', link.pathname + link.search);
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    }
    const filesOf = (machine: Machine) =>
      readdirSync(join(machine.running.data.path, 'attachments'), { recursive: true }).filter(
        (name) => String(name).length > 20,
      );
    expect(filesOf(desks.primary)).toHaveLength(1);
    expect(filesOf(desks.replica)).toEqual([]);
    await desks.primary.stop();
    const away = await desks.replica.ask('GET', link.pathname + link.search);
    expect(away.status).toBe(503);
    expect(away.json.message).toContain('cannot be reached');
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('leaves its file where every machine finds it, also after the primary has changed', async () => {
    const desks = await pair();
    const { ticket: opened, access_token: accessToken } = (await openAt(desks.primary, desks)).json;
    const sent = await desks.primary.ask(
      'POST',
      `/api/v1/public/tickets/${opened.ulid}/attachments?access_token=${accessToken}`,
      { headers: { 'X-Site-Token': desks.siteToken }, body: file('log.txt', new TextEncoder().encode('A line')) },
    );
    const link = new URL(sent.json.attachment.url);
    const third = await started(desks.primary);
    handOver(desks.primary, desks.replica);
    third.litefs.namePrimary(desks.replica.host);
    // One that came later has never heard of the first primary.
    const fourth = await started(desks.replica);
    await until(async () => (await desks.replica.ask('GET', '/readyz')).json.role === 'primary', 'it took over');
    for (const machine of [desks.primary, desks.replica, third, fourth]) {
      const read = await machine.ask('GET', link.pathname + link.search);
      expect([read.status, read.text]).toEqual([200, 'A line']);
    }
    handOver(desks.replica, fourth);
    await until(async () => (await fourth.ask('GET', '/readyz')).json.role === 'primary', 'the last one took over');
    expect((await fourth.ask('GET', link.pathname + link.search)).status).toBe(200);
    await desks.primary.stop();
    const away = await fourth.ask('GET', link.pathname + link.search);
    expect([away.status, away.json.code]).toEqual([503, 'unavailable']);
  });

  test('is not confirmed by a stored answer of a primary that is no longer sure of itself', async () => {
    const desks = await pair();
    const key = { 'Idempotency-Key': 'order-1' };
    expect((await openAt(desks.primary, desks, key)).status).toBe(201);
    expect((await openAt(desks.primary, desks, key)).headers.get('idempotency-replayed')).toBe('true');
    desks.primary.running.data.desk.writer.guard(() => {
      throw new DeskError('unavailable', 'This machine has not heard Consul for 3 s.', { retryAfterSeconds: 2 });
    });
    const repeated = await openAt(desks.primary, desks, key);
    expect([repeated.status, repeated.json.message]).toEqual([503, 'This machine has not heard Consul for 3 s.']);
  });

  test('counts against the limits of the address that it came from, not of the replica', async () => {
    const desks = await pair({ HELPDESK_RATE_INGEST_CALLER: '2', HELPDESK_TRUSTED_PROXIES: '127.0.0.1' });
    const from = (address: string) => openAt(desks.replica, desks, { 'X-Forwarded-For': address });
    expect((await from('203.0.113.1')).status).toBe(201);
    expect((await from('203.0.113.1')).status).toBe(201);
    expect((await from('203.0.113.1')).status).toBe(429);
    expect((await from('203.0.113.2')).status).toBe(201);
  });

  test('cannot be made to look as if it came from elsewhere by a stranger who sends the header', async () => {
    const desks = await pair({ HELPDESK_RATE_INGEST_CALLER: '2' });
    const strangers = createPeers(createSeal(Buffer.alloc(32, 66)), 'http://{hostname}');
    for (const machine of [desks.primary, desks.replica]) {
      const statuses: number[] = [];
      for (let at = 0; at < 4; at += 1) {
        const forged = strangers.sign('POST', '/api/v1/public/tickets', `203.0.113.${at}`);
        statuses.push((await openAt(machine, desks, { [peerHeader]: forged })).status);
      }
      // Both see the same address of this test.
      expect(statuses.at(-1)).toBe(429);
    }
  });

  test('cannot be sent again, nor with another body, by someone who has seen it on its way', async () => {
    const desks = await pair();
    const spy = createPeers(createSeal(Buffer.from(clusterKey, 'base64')), 'http://{hostname}', 'machine');
    const path = '/api/v1/public/tickets';
    const sendTo = (machine: Machine, signed: string, body: string) =>
      machine.ask('POST', path, {
        headers: { 'X-Site-Token': desks.siteToken, 'Content-Type': 'application/json', [peerHeader]: signed },
        body,
      });
    const signed = spy.sign('POST', path, '203.0.113.9', ticket('First'));
    expect((await sendTo(desks.primary, signed, ticket('First'))).status).toBe(201);
    const again = await sendTo(desks.primary, signed, ticket('First'));
    expect([again.status, again.json.code]).toEqual([503, 'peer_signature_used']);
    const other = await sendTo(desks.primary, spy.sign('POST', path, '203.0.113.9', ticket('Mine')), ticket('Yours'));
    expect([other.status, other.json.code]).toEqual([400, 'bad_request']);
    expect(ticketsIn(desks.primary)).toBe(1);
  });

  test('is not passed on twice', async () => {
    const desks = await pair();
    // Two machines, each of which considers the other the primary.
    desks.primary.litefs.setPrimary(false);
    desks.primary.litefs.namePrimary(desks.replica.host);
    await until(() => desks.primary.litefs.asked() > 0, 'asked');
    const refused = await openAt(desks.replica, desks);
    expect(refused.status).toBe(503);
    expect(refused.json.code).toBe('unavailable');
    expect(ticketsIn(desks.replica)).toBe(0);
  });
});

describe('a primary that is gone', () => {
  test('leaves reads as they are, and writes refused in the one shape, with nothing half done', async () => {
    const desks = await pair();
    await openAt(desks.replica, desks);
    await desks.primary.stop();
    const refused = await openAt(desks.replica, desks, { 'X-Request-Id': 'req-two' });
    expect(refused.status).toBe(503);
    expect(refused.json).toEqual({ message: expect.any(String), code: 'unavailable', request_id: 'req-two' });
    expect(refused.json.message).toContain(desks.primary.host);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(refused.headers.get('x-helpdesk-position')).toBeNull();
    desks.replica.litefs.namePrimary(null);
    const without = await openAt(desks.replica, desks);
    expect([without.status, without.json.code]).toEqual([503, 'unavailable']);
    expect(without.json.message).toContain('no primary');
    expect(ticketsIn(desks.replica)).toBe(1);
    const listed = await desks.replica.ask('GET', '/api/v1/tickets', { headers: desks.team });
    expect(listed.json.meta.total).toBe(1);
    expect((await desks.replica.ask('GET', '/readyz')).json).toMatchObject({ status: 'ready', role: 'replica' });
  });

  test('that takes the request and never answers: the client is told that nothing is known', async () => {
    const desks = await pair();
    const silent = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request, server) => {
        // The replica itself asks, too, who the primary is.
        if (request.method === 'POST') void server.stop(true);
        return new Promise<Response>(() => undefined);
      },
    });
    desks.replica.litefs.namePrimary(String(silent.port));
    const refused = await openAt(desks.replica, desks);
    expect([refused.status, refused.json.code]).toEqual([503, 'unavailable']);
    expect(refused.json.message).toMatch(/may or may not have been.*Idempotency-Key/);
  });
});

describe('a change of roles', () => {
  test('under load loses no answered write, doubles none, and takes the background work along', async () => {
    const desks = await pair();
    const { primary, replica } = desks;
    const answered = new Map<string, number>();
    let isOver = false;
    const client = async (machine: Machine, name: string) => {
      for (let at = 0; !isOver; at += 1) {
        const subject = `${name}-${at}`;
        for (;;) {
          const answer = await openAt(machine, desks, { 'Idempotency-Key': subject }, subject);
          if (answer.status === 201) {
            answered.set(subject, (answered.get(subject) ?? 0) + 1);
            break;
          }
          expect([answer.status, answer.json.code]).toEqual([503, 'unavailable']);
          if (isOver) break;
          await Bun.sleep(5);
        }
      }
    };
    const load = [client(primary, 'a'), client(primary, 'b'), client(replica, 'c'), client(replica, 'd')];
    const stepsOf = (machine: Machine) => machine.running.data.desk.writer.batches.steps;
    for (const [from, to] of [
      [primary, replica],
      [replica, primary],
      [primary, replica],
    ] as const) {
      const before = stepsOf(to);
      handOver(from, to);
      await until(() => stepsOf(to) > before + 20, 'the new primary writes');
      const former = stepsOf(from);
      await Bun.sleep(30);
      expect(stepsOf(from)).toBe(former);
    }
    isOver = true;
    await Promise.all(load);
    const stored = query<{ subject: string; n: number }>(
      primary.running.data.desk.store.reading,
      'SELECT subject, count(*) AS n FROM tickets GROUP BY subject',
    ).all();
    expect(stored.filter(({ n }) => n !== 1)).toEqual([]);
    const subjects = new Set(stored.map(({ subject }) => subject));
    expect([...answered.keys()].filter((subject) => !subjects.has(subject))).toEqual([]);
    expect(answered.size).toBeGreaterThan(40);
    // The acknowledgement mails go out from the primary.
    const queued = () =>
      query<{ n: number }>(
        replica.running.data.desk.store.reading,
        "SELECT count(*) AS n FROM deliveries WHERE status <> 'delivered'",
      ).get()?.n;
    await until(() => queued() === 0, 'everything is delivered');
    const mails = readdirSync(join(replica.running.data.path, 'mail')).filter((name) => name.endsWith('.eml'));
    expect(mails.length).toBeGreaterThan(0);
  }, 60_000);

  test('to two primaries is refused by both until one of them yields', async () => {
    const desks = await pair();
    const { primary, replica } = desks;
    replica.litefs.namePrimary(null);
    replica.litefs.setPrimary(true);
    await until(async () => (await replica.ask('GET', '/readyz')).status === 503, 'the second sees the first');
    await until(async () => (await primary.ask('GET', '/readyz')).status === 503, 'the first hears of the second');
    for (const machine of [primary, replica]) {
      const refused = await openAt(machine, desks);
      expect([refused.status, refused.json.code]).toEqual([503, 'unavailable']);
      expect(refused.json.message).toContain('Two machines');
      expect((await machine.ask('GET', '/api/v1/tickets', { headers: desks.team })).status).toBe(200);
    }
    expect(ticketsIn(primary)).toBe(0);
    primary.litefs.setPrimary(false);
    primary.litefs.namePrimary(replica.host);
    await until(async () => (await openAt(replica, desks)).status === 201, 'the one that is left writes');
    expect((await openAt(primary, desks)).status).toBe(201);
  }, 30_000);

  test('to no answer of LiteFS stops writes, though the primary was here', async () => {
    const desks = await pair();
    desks.primary.litefs.setPrimary(null);
    await until(async () => (await openAt(desks.primary, desks)).status === 503, 'LiteFS is silent');
    expect((await openAt(desks.primary, desks)).json.message).toContain('LiteFS does not answer');
    desks.primary.litefs.setPrimary(true);
    await until(async () => (await openAt(desks.primary, desks)).status === 201, 'it speaks again');
  }, 30_000);
});

describe('reading what one has written', () => {
  test('waits on the replica until it is there', async () => {
    const desks = await pair();
    desks.primary.litefs.setPosition(9);
    desks.replica.litefs.setPosition(8);
    const written = await openAt(desks.primary, desks);
    const position = written.headers.get('x-helpdesk-position') ?? '';
    expect(position).toBe(positionOf(9));
    let status = 0;
    const reading = desks.replica
      .ask('GET', '/api/v1/tickets', { headers: { ...desks.team, 'X-Helpdesk-Position': position } })
      .then((answer) => {
        status = answer.status;
        return answer;
      });
    await Bun.sleep(150);
    expect(status).toBe(0);
    desks.replica.litefs.setPosition(9);
    const answer = await reading;
    expect(answer.json.meta.total).toBe(1);
    const known = await desks.replica.ask('GET', '/api/v1/tickets', {
      headers: { ...desks.team, Cookie: `other=1; helpdesk_position=${position.replace('/', '.')}` },
    });
    expect(known.status).toBe(200);
  });

  test('goes to the primary after five seconds', async () => {
    const desks = await pair();
    desks.replica.litefs.setPosition(8);
    const { desk } = desks.primary.running.data;
    const { context } = desk;
    const answered: string[] = [];
    desk.context = (actor, requestId) => {
      answered.push(requestId);
      return context(actor, requestId);
    };
    const answer = await desks.replica.ask('GET', '/api/v1/tickets', {
      headers: { ...desks.team, 'X-Helpdesk-Position': positionOf(9), 'X-Request-Id': 'req-late' },
    });
    expect(answer.status).toBe(200);
    expect(answered).toContain('req-late');
  }, 30_000);

  test('is told to a browser by a cookie, and a header that is none is refused', async () => {
    const desks = await pair();
    desks.primary.litefs.setPosition(9);
    const plain = await openAt(desks.replica, desks);
    expect(plain.headers.get('set-cookie')).toBeNull();
    const browser = await openAt(desks.replica, desks, { Cookie: 'session=1' });
    expect(browser.headers.get('set-cookie')).toMatch(/^helpdesk_position=0{15}9\.c{16}; .*HttpOnly; SameSite=Lax$/);
    const read = await desks.replica.ask('GET', '/api/v1/tickets', { headers: desks.team });
    expect(read.headers.get('x-helpdesk-position')).toBeNull();
    for (const wrong of ['9', 'x'.repeat(33), `${positionOf(9)}0`]) {
      const refused = await desks.replica.ask('GET', '/api/v1/tickets', {
        headers: { ...desks.team, 'X-Helpdesk-Position': wrong },
      });
      expect([refused.status, refused.json.code]).toEqual([400, 'bad_request']);
    }
  });
});

describe('a replica', () => {
  test('waits for a database and answers through the primary meanwhile', async () => {
    const { primary, siteToken, ...rest } = await pair();
    const litefs = await fakeLiteFS();
    litefs.setPrimary(false);
    litefs.namePrimary(primary.host);
    const waiting = Promise.withResolvers<string>();
    const starting = startOn(litefs, {}, migrations, { onWaiting: waiting.resolve });
    const url = await waiting.promise;
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, (await ready.json()).message]).toEqual([
      503,
      'The database has not arrived from the primary yet.',
    ]);
    const opened = await fetch(`${url}/api/v1/public/tickets`, {
      method: 'POST',
      headers: { 'X-Site-Token': siteToken, 'Content-Type': 'application/json' },
      body: ticket(),
    });
    expect(opened.status).toBe(201);
    const listed = await fetch(`${url}/api/v1/tickets`, { headers: rest.team });
    expect((await listed.json()).meta.total).toBe(1);
    replicate(primary.litefs.database, litefs.database);
    const replica = await starting;
    machines.push(replica);
    expect((await replica.ask('GET', '/readyz')).json).toMatchObject({ status: 'ready', role: 'replica' });
  });

  test('that becomes the primary before any database has come makes one', async () => {
    const litefs = await fakeLiteFS();
    litefs.setPrimary(false);
    const starting = startOn(litefs);
    await until(() => litefs.asked() > 1, 'it has asked');
    litefs.setPrimary(true);
    const machine = await starting;
    machines.push(machine);
    await until(async () => (await machine.ask('GET', '/readyz')).status === 200, 'ready');
    expect((await machine.ask('GET', '/readyz')).json.role).toBe('primary');
    expect(readdirSync(litefs.mount).sort()).toEqual(['.lag', 'helpdesk.db', 'helpdesk.db-shm', 'helpdesk.db-wal']);
  });

  test('hands the uses of tokens that it has seen to the primary', async () => {
    const desks = await pair();
    expect((await desks.replica.ask('GET', '/api/v1/tickets', { headers: desks.team })).status).toBe(200);
    await desks.replica.stop();
    await desks.primary.stop();
    const kept = new Database(desks.primary.litefs.database, { readonly: true });
    expect(kept.query('SELECT last_used_at AS at FROM team_tokens').get()).toEqual({ at: expect.any(Number) });
    kept.close();
  });

  test('takes no uses of tokens from others, nor does the primary from strangers or in another form', async () => {
    const desks = await pair();
    const peers = createPeers(createSeal(Buffer.from(clusterKey, 'base64')), 'http://127.0.0.1:{hostname}');
    const send = (machine: Machine, body: string) =>
      peers.ask(machine.host, 'POST', '/internal/uses', { body }).then(({ status }) => status);
    expect(await send(desks.replica, '[{"kind":"token","id":1,"at":5}]')).toBe(503);
    expect(await send(desks.primary, '{}')).toBe(400);
    expect(
      await send(
        desks.primary,
        '[{"kind":"token","id":1,"at":5},{"kind":"robot","id":1,"at":5},7,null,{"kind":"session","id":1.5,"at":5},[1]]',
      ),
    ).toBe(204);
    const unsigned = await desks.primary.ask('POST', '/internal/uses', { body: '[[1, 5]]' });
    expect(unsigned.status).toBe(404);
  });

  test('with old data is not ready while it knows a primary, and reads on without one', async () => {
    const { primary, replica } = await pair();
    const readyz = async () => (await replica.ask('GET', '/readyz')).json;
    replica.litefs.setLag(29_000);
    expect(await readyz()).toMatchObject({ status: 'ready' });
    replica.litefs.setLag(42_000);
    expect((await readyz()).message).toBe(
      'The data of this machine is 42 s old, because it hears nothing from the primary.',
    );
    replica.litefs.namePrimary(null);
    expect(await readyz()).toMatchObject({ status: 'ready' });
    replica.litefs.namePrimary(primary.host);
  });

  test('shows its role and its lag to Prometheus', async () => {
    const desks = await pair();
    desks.replica.litefs.setLag(1500);
    const metrics = async (machine: Machine) => (await machine.ask('GET', '/metrics')).text;
    expect(await metrics(desks.primary)).toMatch(
      /^helpdesk_node_is_primary 1\n[\s\S]*^helpdesk_replication_lag_seconds 0$/m,
    );
    expect(await metrics(desks.replica)).toMatch(
      /^helpdesk_node_is_primary 0\n[\s\S]*^helpdesk_replication_lag_seconds 1\.5$/m,
    );
  });

  test('answers its peers, and tells strangers that nothing is there', async () => {
    const desks = await pair();
    const strangers = createPeers(createSeal(Buffer.alloc(32, 66)), 'http://127.0.0.1:{hostname}');
    for (const path of ['/internal/node', '/internal/files/attachments/01J00000000000000000000000']) {
      expect((await desks.primary.ask('GET', path)).status).toBe(404);
      const refused = await strangers.ask(desks.primary.host, 'GET', path);
      expect([refused.status, (await refused.json()).code]).toEqual([404, 'not_found']);
    }
    const peers = createPeers(createSeal(Buffer.from(clusterKey, 'base64')), 'http://127.0.0.1:{hostname}');
    for (const path of [
      '../../helpdesk.db',
      'attachments/..%2f..%2fhelpdesk.db',
      'constructor/01J00000000000000000000000',
    ]) {
      const answer = await peers.ask(desks.primary.host, 'GET', `/internal/files/${path}`);
      expect(answer.status).toBe(404);
    }
  });
});

describe('mail that arrives', () => {
  test('at a replica is stored by the primary, and read from there by the one that takes over', async () => {
    const desks = await pair();
    const secret = desks.inboundSecret;
    const mail =
      'From: Mia <mia@example.org>\r\nTo: shop@desk.example\r\nSubject: Hello\r\nMessage-ID: <m1@example.org>\r\n\r\nWhere is it?\r\n';
    const sent = await desks.replica.ask('POST', `/api/webhooks/raw/inbound/${secret}`, {
      headers: { 'Content-Type': 'message/rfc822' },
      body: new TextEncoder().encode(mail.replace('From: Mia <mia@example.org>\r\n', '')),
    });
    expect(sent.status).toBe(200);
    // A busy machine answers before it has read the mail.
    const isRead = ({ running }: Machine) => {
      const outcomes = running.data.desk.read((tx) => query(tx, 'SELECT outcome FROM inbound_mail').all());
      return JSON.stringify(outcomes) === '[{"outcome":"failed"}]';
    };
    await until(() => isRead(desks.primary), 'it has been read');
    const stored = (machine: Machine) =>
      readdirSync(join(machine.running.data.path, 'mail', 'inbound'), { recursive: true }).filter(
        (name) => String(name).length > 20,
      ).length;
    expect([stored(desks.primary), stored(desks.replica)]).toEqual([1, 0]);
    handOver(desks.primary, desks.replica);
    await until(async () => (await desks.replica.ask('GET', '/readyz')).json.role === 'primary', 'it has taken over');
    const list = await desks.replica.ask('GET', `/api/v1/sites/${desks.site}/inbound-mail`, { headers: desks.team });
    const path = `/api/v1/sites/${desks.site}/inbound-mail/${list.json.data[0].id}/replay`;
    const again = await desks.replica.ask('POST', path, { headers: desks.team });
    expect(again.status).toBe(200);
    // A replay takes the outcome away. It still has no sender; that this is said again shows that the mail was read.
    await until(() => isRead(desks.replica), 'it has been read again');
    const after = await desks.replica.ask('GET', `/api/v1/sites/${desks.site}/inbound-mail`, { headers: desks.team });
    expect(after.json.data[0].reason).toBe(list.json.data[0].reason);
    await desks.primary.stop();
    const away = await desks.replica.ask('POST', path, { headers: desks.team });
    // Mail that cannot be read now is not given up: it is tried again later as if it had just arrived.
    expect([away.status, away.json.data.status, away.json.data.outcome]).toEqual([200, 'received', null]);
  }, 30_000);
});

describe('files in an object store', () => {
  test('are read by every machine, and a store that is away is told as such', async () => {
    const store = await fakeS3('desk', 'the-key', 'eu-1');
    const desks = await pair({
      HELPDESK_S3_ENDPOINT: store.endpoint,
      HELPDESK_S3_BUCKET: 'desk',
      HELPDESK_S3_REGION: 'eu-1',
      HELPDESK_S3_ACCESS_KEY_ID: 'the-key',
      HELPDESK_S3_SECRET_ACCESS_KEY: 'the-secret',
    });
    const { ticket: opened, access_token: accessToken } = (await openAt(desks.replica, desks)).json;
    const path = `/api/v1/public/tickets/${opened.ulid}/attachments?access_token=${accessToken}`;
    const attach = () =>
      desks.replica.ask('POST', path, {
        headers: { 'X-Site-Token': desks.siteToken },
        body: file('log.txt', '0123456789'),
      });
    const sent = await attach();
    expect(sent.status).toBe(201);
    expect([...store.objects.keys()]).toEqual([expect.stringMatching(/^attachments\/\w\w\/\w{26}$/)]);
    const link = new URL(sent.json.attachment.url);
    for (const machine of [desks.primary, desks.replica]) {
      const part = await machine.ask('GET', link.pathname + link.search, { headers: { Range: 'bytes=2-4' } });
      expect([part.status, part.text]).toEqual([206, '234']);
    }
    const rows = () =>
      query<{ n: number }>(desks.primary.running.data.desk.store.reading, 'SELECT count(*) AS n FROM attachments').get()
        ?.n;
    for (const failure of ['error', 'half', 'nothing', 'denied'] as const) {
      store.fail('PUT', failure);
      const refused = await attach();
      expect([refused.status, refused.json.code]).toEqual([503, 'storage_unavailable']);
      expect(refused.headers.get('retry-after')).toBe('30');
    }
    expect(rows()).toBe(1);
    expect(store.objects.size).toBe(1);
    const left = readdirSync(join(desks.primary.running.data.path, 'attachments', 'staging'));
    expect(left).toEqual([]);
    store.close();
    const away = await desks.replica.ask('GET', link.pathname + link.search);
    expect([away.status, away.json.code]).toEqual([503, 'storage_unavailable']);
    expect((await desks.replica.ask('GET', '/api/v1/tickets', { headers: desks.team })).status).toBe(200);
  }, 30_000);
});
