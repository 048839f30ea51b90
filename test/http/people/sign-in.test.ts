// Signing in with a password: sessions, delays, and what is told to those who guess (docs/spec/people.md#ways-to-sign-in).

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { changeAgent } from '../../../src/desk/people/agents.ts';
import { refusePassword } from '../../../src/desk/people/sign-in.ts';
import { query } from '../../../src/engine/database.ts';
import { hashPassword } from '../../../src/identity/passwords.ts';
import { type Answered, baseUrl, type TestApp, testApp } from '../../support/app.ts';
import { addTotp } from '../../support/factors.ts';
import { asCommandLine, browserAfter, cookiesAfter, goodPassword, withPassword } from '../../support/people.ts';
import { solve } from '../../support/solved.ts';
import { streamed } from '../../support/streamed.ts';
import { codeAt } from '../../support/totp-code.ts';
import { trustingIssuer } from '../../support/trusting-issuer.ts';
import { pathOf, stepFor } from '../walk.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

const signIn = (email: string, password: string, headers: Record<string, string> = {}, peer = '192.0.2.1') =>
  app.ask('POST', '/api/v1/session', { headers, body: { email, password }, peer });
const session = (headers: Record<string, string>) => app.ask('GET', '/api/v1/session', { headers });
const code = ({ status, json }: Answered) => [status, json?.code];

describe('a sign-in', () => {
  test('gives a session that says who it is and what it can do', async () => {
    const { email, agentId } = await withPassword(app, 'admin', [app.site.id]);
    const answer = await signIn(email.toUpperCase(), goodPassword, {
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json.data).toMatchObject({
      agent: { id: agentId, email, role: 'admin', sites: [app.site.id], has_password: true, second_factors: [] },
      abilities: ['read', 'note', 'write', 'manage'],
      sites: [{ id: app.site.id, name: 'Web shop', slug: app.site.slug }],
      must_add_second_factor: false,
      confirmed_until: '2026-09-11T09:45:00.000Z',
      expires_at: '2026-09-25T09:30:00.000Z',
    });
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^helpdesk=hdp_[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/);
    const browser = browserAfter(answer);
    const meta = { newest_seq: expect.any(Number), rights: `admin ${app.site.id}` };
    expect((await session(browser)).json).toEqual({ ...answer.json, meta });
    const own = await app.ask('GET', '/api/v1/me/sessions', { headers: browser });
    expect(own.json.data[0]).toMatchObject({
      is_current: true,
      browser: 'Firefox',
      system: 'Linux',
      address: '192.0.2.1',
    });
    expect(answer.text + own.text).not.toContain(cookie.slice('helpdesk='.length, 60));
  });

  test('is in the audit log, and its token nowhere in the database', async () => {
    const { email } = await withPassword(app, 'member');
    const answer = await signIn(email, goodPassword);
    await signIn(email, 'not the password');
    const [secret = ''] = (browserAfter(answer).Cookie ?? '').slice('helpdesk='.length).split(';');
    expect(secret).toStartWith('hdp_');
    const log = query<{ action: string; actor_type: string }>(
      app.desk.store.reading,
      "SELECT action, actor_type FROM audit_log WHERE action LIKE 'session.%' ORDER BY id DESC LIMIT 2",
    ).all();
    expect(log).toEqual([
      { action: 'session.refused', actor_type: 'unknown' },
      { action: 'session.started', actor_type: 'agent' },
    ]);
    const tables = query<{ name: string }>(
      app.desk.store.reading,
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%_search%'",
    ).all();
    for (const { name } of tables) {
      const rows = JSON.stringify(query(app.desk.store.reading, `SELECT * FROM "${name}"`).all());
      for (const hidden of [secret, secret.slice(4), goodPassword, 'not the password'])
        expect(rows.includes(hidden), `${name} holds ${hidden}`).toBe(false);
    }
  });

  test('ends the session that the browser had, so that no one can prepare one for it', async () => {
    const { email } = await withPassword(app, 'member');
    const attacker = await withPassword(app, 'viewer');
    const fixed = browserAfter(await signIn(attacker.email, goodPassword));
    const answer = await signIn(email, goodPassword, { Cookie: fixed.Cookie ?? '' });
    expect(browserAfter(answer).Cookie).not.toBe(fixed.Cookie);
    expect((await session(fixed)).status).toBe(401);
    const invented = await signIn(email, goodPassword, { Cookie: 'helpdesk=hdp_chosen' });
    expect(browserAfter(invented).Cookie).not.toContain('chosen');
  });

  test.each([
    ['an unknown address', 'no-one@agents.example', goodPassword],
    ['a wrong password', '', 'wrong password here'],
    ['no password', '', ''],
    ['a password of a megabyte', '', 'x'.repeat(2000)],
    ['what is no address', "' OR 1=1 --", goodPassword],
    ['the hash as a password', '', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaA'],
  ])('with %s is refused in the same words', async (_, email, password) => {
    const known = await withPassword(app, 'member');
    const answer = await signIn(email || known.email, password);
    expect(code(answer)).toEqual([401, 'wrong_credentials']);
    expect(answer.json.message).toBe('The e-mail address or the password is wrong.');
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('of more than 8 KB is refused before anything is hashed', async () => {
    expect((await signIn('kim@agents.example', 'x'.repeat(7000))).status).toBe(422);
    expect((await signIn('kim@agents.example', 'x'.repeat(8192))).status).toBe(413);
    const body = { password: 'x'.repeat(8192) };
    const { headers } = await app.person('member');
    expect((await app.ask('POST', '/api/v1/session/confirm', { headers, body })).status).toBe(413);
    const code = { site: 'web-shop', code: 'x'.repeat(8192) };
    expect((await app.ask('POST', '/api/v1/customer/codes/confirm', { body: code })).status).toBe(413);
  });

  test('of an agent who is inactive or has no password is refused', async () => {
    const { email, agentId } = await withPassword(app, 'member');
    const person = await app.person('member');
    const noPassword = (await app.ask('GET', '/api/v1/me', { headers: person.headers })).json.data.email;
    await app.desk.write((tx) => changeAgent(tx, asCommandLine(app), agentId, { is_active: false }));
    for (const one of [email, noPassword])
      expect(code(await signIn(one, goodPassword))).toEqual([401, 'wrong_credentials']);
  });

  test('from a page of another site is refused, from a program it is not', async () => {
    const { email } = await withPassword(app, 'member');
    for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }] as Record<
      string,
      string
    >[])
      expect(code(await signIn(email, goodPassword, headers))).toEqual([403, 'cross_site']);
    for (const headers of [{}, { 'Sec-Fetch-Site': 'same-origin' }, { Origin: baseUrl }] as Record<string, string>[])
      expect((await signIn(email, goodPassword, headers)).status).toBe(200);
  });

  test('ends the session of the cookie, unless a bearer token came with it', async () => {
    const { email, headers } = await withPassword(app, 'member');
    const isAlive = async () => (await app.ask('GET', '/api/v1/session', { headers })).status === 200;
    for (const token of ['hdt_unknown', '']) {
      const answer = await signIn(email, goodPassword, { ...headers, Authorization: `Bearer ${token}` });
      expect(answer.status, answer.text).toBe(200);
      expect(await isAlive()).toBe(true);
    }
    expect((await signIn(email, goodPassword, headers)).status).toBe(200);
    expect(await isAlive()).toBe(false);
  });

  test('is refused where the desk takes no passwords', async () => {
    const { email } = await withPassword(app, 'member');
    app.edge.signIn = { ...app.edge.signIn, password: false, oidc: trustingIssuer(email) };
    expect(code(await signIn(email, goodPassword))).toEqual([403, 'password_sign_in_off']);
    for (const id of ['acceptInvitation', 'changeOwnPassword']) {
      const step = await stepFor(app, id);
      const { method, path } = app.operations.find((one) => one.id === id) ?? { method: '', path: '' };
      const answer = await app.ask(method, pathOf(path, step), { headers: step.headers ?? {}, body: step.body });
      expect(code(answer), id).toEqual([403, 'password_sign_in_off']);
    }
    const offer = await app.ask('GET', '/api/v1/sign-in');
    expect(offer.json.data).toMatchObject({
      password: false,
      oidc: { label: 'Example' },
      setup: false,
      name: 'Helpdesk',
    });
  });

  test('cannot be confirmed with a password where the desk takes none, but with a code', async () => {
    const { agentId, email, headers: former } = await withPassword(app, 'member');
    const { secret, headers } = await addTotp(app, former);
    app.edge.signIn = { ...app.edge.signIn, password: false, oidc: trustingIssuer(email) };
    app.clock.advance(16 * 60_000);
    const confirm = (body: object) => app.ask('POST', '/api/v1/session/confirm', { headers, body });
    const rows = () =>
      query(app.desk.store.writing, "SELECT id FROM audit_log WHERE action = 'session.refused' AND target_id = ?").all(
        agentId,
      ).length;
    for (const password of [goodPassword, 'wrong password'])
      expect(code(await confirm({ password }))).toEqual([403, 'password_sign_in_off']);
    expect(rows()).toBe(0);
    const confirmed = await confirm({ code: codeAt(secret, app.clock.now()) });
    expect(confirmed.status, confirmed.text).toBe(200);
    expect(Date.parse(confirmed.json.data.confirmed_until)).toBe(app.clock.now() + 15 * 60_000);
  });

  test('many times over keeps a hundred sessions, the newest', async () => {
    const { email, agentId } = await withPassword(app, 'member');
    for (let at = 0; at < 105; at += 1) await app.signIn(agentId);
    const last = await signIn(email, goodPassword);
    expect((await app.ask('GET', '/api/v1/me/sessions', { headers: browserAfter(last) })).json.data).toHaveLength(100);
  });
});

describe('failures in a row', () => {
  test('make the next attempt wait, twice as long each time, for known and unknown addresses alike', async () => {
    const { email } = await withPassword(app, 'member');
    for (const address of [email, 'no-one@agents.example']) {
      for (let at = 0; at < 4; at += 1) expect((await signIn(address, 'wrong password')).status).toBe(401);
      for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
        expect((await signIn(address, 'wrong password')).status).toBe(401);
        for (const password of ['wrong password', goodPassword]) {
          const early = await signIn(address, password);
          expect([early.status, early.headers.get('retry-after')]).toEqual([429, String(seconds)]);
        }
        app.clock.advance(seconds * 1000);
      }
    }
    expect((await signIn(email, goodPassword)).status).toBe(200);
    for (let at = 0; at < 4; at += 1) expect((await signIn(email, 'wrong password')).status).toBe(401);
    expect((await signIn(email, goodPassword)).status).toBe(200);
  }, 30_000);

  test('cannot be sent side by side: attempts for one address come one after the other', async () => {
    const { email } = await withPassword(app, 'member');
    const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(email, 'wrong password')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(25);
  });

  test('of strangers keep out no other address, no browser that has signed in before, and no session', async () => {
    const { email, headers } = await withPassword(app, 'member');
    const known = cookiesAfter(await signIn(email, goodPassword));
    const ended = await app.ask('DELETE', '/api/v1/session', {
      headers: { ...known, 'Sec-Fetch-Site': 'same-origin' },
    });
    expect(ended.status).toBe(204);
    for (let at = 0; at < 18; at += 1) {
      expect((await signIn(email, 'wrong password', {}, '192.0.2.9')).status).toBe(401);
      app.clock.advance(60_000);
    }
    await signIn(email, 'wrong password', {}, '192.0.2.9');
    expect((await signIn(email, goodPassword, {}, '192.0.2.9')).status).toBe(429);
    expect((await signIn(email, goodPassword, {}, '192.0.2.8')).status).toBe(200);
    expect((await signIn(email, goodPassword, known, '192.0.2.9')).status).toBe(200);
    const confirm = { headers, body: { password: goodPassword }, peer: '192.0.2.9' };
    expect((await app.ask('POST', '/api/v1/session/confirm', confirm)).status).toBe(200);
  });

  test('in a known browser, and in a session, count there, and keep out neither the other nor a stranger', async () => {
    const { email, headers } = await withPassword(app, 'member');
    const known = cookiesAfter(await signIn(email, goodPassword));
    const confirm = (password: string) => app.ask('POST', '/api/v1/session/confirm', { headers, body: { password } });
    for (const attempt of [() => signIn(email, 'wrong password', known), () => confirm('wrong password')]) {
      for (let at = 0; at < 5; at += 1) expect((await attempt()).status).toBe(401);
      expect((await attempt()).status).toBe(429);
    }
    expect((await signIn(email, goodPassword, known)).status).toBe(429);
    expect((await confirm(goodPassword)).status).toBe(429);
    expect((await signIn(email, goodPassword)).status).toBe(200);
  });

  test('count as those of a stranger in a browser that knows another agent, a former password, or a forged cookie', async () => {
    const [{ email, headers, agentId }, other] = [await withPassword(app, 'member'), await withPassword(app, 'member')];
    const former = cookiesAfter(await signIn(email, goodPassword));
    const current = `${goodPassword} 2`;
    const body = { current: goodPassword, password: current };
    expect((await app.ask('PUT', '/api/v1/me/password', { headers, body })).status).toBe(204);
    for (let at = 0; at < 5; at += 1) await signIn(email, 'wrong password');
    const forged = `helpdesk-known=${agentId}.hdb_${'a'.repeat(43)}.${'b'.repeat(43)}`;
    for (const headers of [former, cookiesAfter(await signIn(other.email, goodPassword)), { Cookie: forged }])
      expect((await signIn(email, current, headers)).status).toBe(429);
    const known = cookiesAfter(await signIn(email, current, {}, '192.0.2.7'));
    expect((await signIn(email, current, known)).status).toBe(200);
  });

  test('from ever new addresses slow strangers down, and no one else', async () => {
    const { email } = await withPassword(app, 'member');
    const known = cookiesAfter(await signIn(email, goodPassword));
    const guess = (network: string) =>
      app.desk.write((tx) => {
        const guesser = { network, sessionId: null, browser: null };
        refusePassword(tx, asCommandLine(app), email, guesser);
        return null;
      });
    for (let at = 1; at < 50; at += 1) await guess(`198.51.100.${at}`);
    expect((await signIn(email, 'wrong password', {}, '198.51.100.50')).status).toBe(401);
    const slowed = await signIn(email, goodPassword, {}, '203.0.113.1');
    expect([slowed.status, slowed.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await signIn(email, goodPassword, known)).status).toBe(200);
    app.clock.advance(5000);
    expect((await signIn(email, goodPassword, {}, '203.0.113.1')).status).toBe(200);
  });

  test('of a crowd do not keep out a browser that has worked for its try, once and for one address', async () => {
    const [{ email }, other] = [await withPassword(app, 'member'), await withPassword(app, 'member')];
    const failed = async (failures: number, networkAt: (at: number) => string) => {
      for (let at = 0; at < failures; at += 1)
        await app.desk.write((tx) => {
          const guesser = { network: networkAt(at), sessionId: null, browser: null };
          for (const one of [email, other.email]) refusePassword(tx, asCommandLine(app), one, guesser);
          return null;
        });
    };
    const challengeFor = async (address: string) =>
      (await app.ask('POST', '/api/v1/sign-in/challenge', { body: { email: address } })).json.data;
    const proofFor = async (address: string) => solve(await challengeFor(address));
    const tryWith = (proof: string | null, peer = '203.0.113.1') =>
      app.ask('POST', '/api/v1/session', { body: { email, password: goodPassword, proof }, peer });
    await failed(50, (at) => `198.51.100.${at}`);
    const [foreign, proof, late] = [await proofFor(other.email), await proofFor(email), await proofFor(email)];
    for (const wrong of [null, 'no proof', foreign]) {
      const slowed = await tryWith(wrong);
      expect([slowed.status, slowed.json.code, slowed.headers.get('retry-after')]).toEqual([429, 'proof_wanted', '5']);
    }
    // The crowd goes on, and it comes through all the same.
    await failed(1, () => '198.51.100.60');
    expect((await tryWith(proof)).status).toBe(200);
    expect((await tryWith(proof)).status).toBe(429);
    // What its own network has failed counts, whatever it has worked.
    await failed(9, () => '203.0.113.2');
    const own = await tryWith(late, '203.0.113.2');
    expect([own.status, own.json.code]).toEqual([429, 'rate_limited']);
    expect((await tryWith(await proofFor(email))).status).toBe(200);
    // The more have failed, the more work.
    expect((await challengeFor(email)).maxnumber).toBe(100_000);
    await failed(50, (at) => `198.51.100.${at}`);
    expect((await challengeFor(email)).maxnumber).toBe(200_000);
    expect((await challengeFor('no-one@x.example')).maxnumber).toBe(100_000);
  });

  test('of one agent do not hold up another', async () => {
    const [one, other] = [await withPassword(app, 'member'), await withPassword(app, 'member')];
    for (let at = 0; at < 8; at += 1) await signIn(one.email, 'wrong password');
    expect((await signIn(other.email, goodPassword)).status).toBe(200);
  });

  test('do not lock anyone out when the clock is set back', async () => {
    const { email } = await withPassword(app, 'member');
    for (let at = 0; at < 12; at += 1) {
      await signIn(email, 'wrong password');
      app.clock.advance(60_000);
    }
    app.clock.advance(-365 * 24 * 3600_000);
    expect((await signIn(email, goodPassword)).status).toBe(200);
  });

  test('from one address of the network are refused after ten a minute, even with the right password', async () => {
    await app.close();
    app = await testApp({ signInFailures: 10 });
    const people = await Promise.all(Array.from({ length: 3 }, () => withPassword(app, 'member')));
    const [{ email = '' } = {}] = people;
    for (let at = 0; at < 10; at += 1) expect((await signIn(`no-one${at}@x.example`, goodPassword)).status).toBe(401);
    const refused = await signIn(email, goodPassword);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect((await app.ask('POST', '/api/v1/session/link', { body: { token: 'hdl_x' } })).status).toBe(429);
    expect((await signIn(email, goodPassword, {}, '192.0.2.2')).status).toBe(200);
    app.clock.advance(60_000);
    expect((await signIn(email, goodPassword)).status).toBe(200);
  });

  test('from one address of the network refuse neither a known browser there nor a session', async () => {
    await app.close();
    app = await testApp({ signInFailures: 10 });
    const { email, headers } = await withPassword(app, 'member');
    const known = cookiesAfter(await signIn(email, goodPassword));
    for (let at = 0; at < 10; at += 1) expect((await signIn(`no-one${at}@x.example`, goodPassword)).status).toBe(401);
    expect((await signIn(email, goodPassword)).status).toBe(429);
    const confirm = { headers, body: { password: goodPassword } };
    expect((await app.ask('POST', '/api/v1/session/confirm', confirm)).status).toBe(200);
    expect((await signIn(email, goodPassword, known)).status).toBe(200);
  });

  test('from one address of the network are refused after ten, also when all arrive together', async () => {
    await app.close();
    app = await testApp({ signInFailures: 10 });
    const all = await Promise.all(Array.from({ length: 25 }, (_, at) => signIn(`no-one${at}@x.example`, goodPassword)));
    // Each of the ten takes a slow hash. On a busy machine some are told to come back before they were tried.
    const tried = all.filter(({ status }) => status === 401).length;
    expect(tried).toBeGreaterThan(0);
    expect(tried).toBeLessThanOrEqual(10);
    expect(all.every(({ status }) => [401, 429, 503].includes(status))).toBe(true);
  });

  test('are not forgotten when a request that began before them is answered', async () => {
    await app.close();
    app = await testApp({ signInFailures: 10 });
    let release: () => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        controller.enqueue(new TextEncoder().encode('{"email":"slow@x.example","password":"a wrong guess"}'));
        controller.close();
      },
    });
    const headers = { 'Content-Type': 'application/json' };
    const slow = app.fetch(new Request(`${baseUrl}/api/v1/session`, streamed({ method: 'POST', headers, body })));
    await sleep(10);
    app.clock.advance(1000);
    for (let at = 0; at < 10; at += 1) expect((await signIn(`no-one${at}@x.example`, goodPassword)).status).toBe(401);
    release();
    expect((await slow).status).toBe(429);
    expect((await signIn('no-one@x.example', goodPassword)).status).toBe(429);
  });

  test('with a session count as well, and its other calls go on', async () => {
    await app.close();
    app = await testApp({ signInFailures: 10 });
    const { headers, email } = await withPassword(app, 'member');
    const confirm = () => app.ask('POST', '/api/v1/session/confirm', { headers, body: { password: 'a wrong guess' } });
    for (let at = 0; at < 5; at += 1) expect(code(await confirm())).toEqual([401, 'wrong_credentials']);
    expect((await confirm()).status).toBe(429);
    expect((await session(headers)).status).toBe(200);
    expect((await signIn(email, goodPassword)).status).toBe(200);
  });
});

describe('a session', () => {
  test('ends with a sign-out, in all tabs, and a write under way in another tab is refused', async () => {
    const { headers } = await app.person('admin');
    let release: () => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        controller.enqueue(new TextEncoder().encode('{"name":"Late shop"}'));
        controller.close();
      },
    });
    const writing = app.ask('POST', '/api/v1/sites', {
      headers: { ...headers, 'Content-Type': 'application/json' },
      body,
    });
    const out = await app.ask('DELETE', '/api/v1/session', { headers });
    expect([out.status, out.headers.getSetCookie()]).toEqual([
      204,
      ['helpdesk=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'],
    ]);
    release();
    expect(code(await writing)).toEqual([403, 'credential_changed']);
    expect(code(await session(headers))).toEqual([401, 'unknown_token']);
    expect((await app.asTeam('GET', '/api/v1/sites')).text).not.toContain('Late shop');
  });

  test('of which the role was lowered during a request writes nothing', async () => {
    const { headers, agentId } = await app.person('admin');
    const original = app.desk.write;
    const change = app.desk.write((tx) => changeAgent(tx, asCommandLine(app), agentId, { role: 'viewer' }));
    const late = app.ask('POST', '/api/v1/sites', { headers, body: { name: 'Not any more' } });
    await change;
    expect(code(await late)).toEqual([403, 'credential_changed']);
    expect(code(await app.ask('POST', '/api/v1/sites', { headers, body: { name: 'Again' } }))).toEqual([
      403,
      'missing_ability',
    ]);
    expect(app.desk.write).toBe(original);
  });

  test('ends 14 days after its last use, and is found again when the clock was only wrong', async () => {
    const { headers } = await app.person('viewer');
    app.clock.advance(14 * 24 * 3600_000);
    expect((await session(headers)).status).toBe(401);
    app.clock.advance(-24 * 3600_000);
    expect((await session(headers)).status).toBe(200);
  });

  test('does not open another desk, nor this one under another key', async () => {
    const { headers } = await app.person('owner');
    const other = await testApp({}, undefined, [], { key: 7 });
    expect((await other.ask('GET', '/api/v1/session', { headers })).status).toBe(401);
    const hash = query<{ h: string }>(app.desk.store.reading, 'SELECT token_hash AS h FROM sessions').get()?.h ?? '';
    const { agentId } = await other.person('owner');
    other.desk.store.writing.client.run('UPDATE sessions SET token_hash = ? WHERE agent_id = ?', [hash, agentId]);
    expect((await other.ask('GET', '/api/v1/session', { headers })).status).toBe(401);
    await other.close();
  });

  test.each([
    ['without a value', 'helpdesk='],
    ['without a sign', 'helpdesk'],
    ['with two', 'helpdesk=hdp_x; helpdesk=hdp_y'],
    ['of another prefix', '__Host-helpdesk=hdp_x'],
    ['of 100,000 characters', `helpdesk=${'x'.repeat(100_000)}`],
    ['that is no ASCII', `helpdesk=\u00ff`],
    ['with 3,000 others', Array.from({ length: 3000 }, (_, at) => `a${at}=b`).join('; ')],
    ['of nothing but signs', ';;;;===;helpdesk=;;'],
  ])('is not found in a cookie %s', async (_, Cookie) => {
    expect((await session({ Cookie })).status).toBe(401);
  });

  test('has 600 requests a minute of its own', async () => {
    await app.close();
    app = await testApp({ session: 3, other: 1 });
    const { headers } = await app.person('viewer');
    for (let at = 0; at < 3; at += 1) expect((await session(headers)).status).toBe(200);
    expect((await session(headers)).status).toBe(429);
    expect((await session((await app.person('viewer')).headers)).status).toBe(200);
  });

  test('asks for the password again before what is sensitive, after 15 minutes', async () => {
    const { headers } = await withPassword(app, 'owner');
    const erase = () =>
      app.ask('POST', '/api/v1/authors/anonymise', {
        headers,
        body: { site_id: app.site.id, email: 'mia@example.org' },
      });
    await app.open();
    app.clock.advance(15 * 60_000);
    expect(code(await erase())).toEqual([403, 'confirm_identity']);
    expect((await session(headers)).json.data.confirmed_until).toBe('2026-09-11T09:45:00.000Z');
    const confirm = (password: string) => app.ask('POST', '/api/v1/session/confirm', { headers, body: { password } });
    expect((await confirm('not the password')).status).toBe(401);
    expect(code(await erase())).toEqual([403, 'confirm_identity']);
    expect((await confirm(goodPassword)).json.data.confirmed_until).toBe('2026-09-11T10:00:00.000Z');
    expect((await erase()).status).toBe(200);
    app.clock.advance(-30 * 60_000);
    expect(code(await erase())).toEqual([403, 'confirm_identity']);
  });
});

test('a password is hashed whether or not the address is known, so that the time does not tell', async () => {
  const { email } = await withPassword(app, 'member');
  let isOver = false;
  // More than can wait for their hash.
  const crowd = Array.from({ length: 60 }, async () => {
    while (!isOver) await hashPassword('correct horse').catch(() => new Promise((resolve) => setImmediate(resolve)));
  });
  try {
    for (const address of [email, 'no-one@agents.example']) {
      let refused: Answered;
      do {
        app.clock.advance(120_000);
        refused = await signIn(address, 'wrong password');
      } while (refused.status === 401);
      expect(code(refused)).toEqual([503, 'too_busy']);
    }
  } finally {
    isOver = true;
    await Promise.all(crowd);
  }
});
