// An agent's own second factors: added with proof, spent once, and every change ends the other sessions.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createSeal } from '../../../src/base/crypto.ts';
import { query } from '../../../src/engine/database.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { softwarePasskey } from '../../support/authenticator.ts';
import { addPasskey, addTotp, offeredPasskey, registrationOf, renewed } from '../../support/factors.ts';
import { codeAt } from '../../support/totp-code.ts';

type Headers = Record<string, string>;

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const asPerson = (headers: Headers, method: string, path: string, body?: unknown) =>
  app.ask(method, `/api/v1${path}`, { headers, body: body ?? (method === 'POST' ? {} : undefined) });
const rows = (sql: string, ...values: (string | number)[]) =>
  query<Record<string, unknown>>(app.desk.store.writing, sql).all(...values);
const isSignedIn = async (headers: Headers) => (await asPerson(headers, 'GET', '/me/passkeys')).status === 200;
const auditOf = (agentId: number) =>
  rows('SELECT action FROM audit_log WHERE target_type = ? AND target_id = ? ORDER BY id', 'agent', agentId).map(
    ({ action }) => action,
  );

async function personWithTwoSessions() {
  const person = await app.person('member');
  return { ...person, second: (await app.signIn(person.agentId)).headers };
}

describe('an authenticator app', () => {
  test('counts after its first code, brings ten recovery codes and ends the other sessions', async () => {
    const { agentId, headers, second } = await personWithTwoSessions();
    const offered = (await asPerson(headers, 'POST', '/me/totp')).json.data;
    expect(offered.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(offered.uri).toContain(`otpauth://totp/Helpdesk:member`);
    expect(offered.qr).toStartWith('<svg xmlns=');
    expect(await isSignedIn(second)).toBe(true);

    const code = codeAt(offered.secret, app.clock.now());
    const confirmed = await asPerson(headers, 'POST', '/me/totp/confirm', { code });
    expect(confirmed.status).toBe(200);
    expect(confirmed.json.recovery_codes).toHaveLength(10);
    expect(await isSignedIn(second)).toBe(false);
    // The token was renewed: the old one opens nothing.
    expect(await isSignedIn(headers)).toBe(false);
    expect(await isSignedIn(renewed(headers, confirmed))).toBe(true);
    expect(auditOf(agentId)).toEqual(
      expect.arrayContaining(['totp.added', 'recovery_codes.replaced', 'session.ended']),
    );
  });

  test('is kept sealed, and its recovery codes as keyed hashes', async () => {
    const { agentId, headers } = await app.person('member');
    const { secret, recoveryCodes } = await addTotp(app, headers);
    const kept = JSON.stringify([
      rows('SELECT * FROM totp_secrets WHERE agent_id = ?', agentId),
      rows('SELECT * FROM recovery_codes WHERE agent_id = ?', agentId),
      rows('SELECT * FROM audit_log'),
    ]);
    expect(kept).not.toContain(secret);
    for (const code of recoveryCodes) {
      expect(kept).not.toContain(code);
      expect(kept).not.toContain(code.replaceAll('-', ''));
    }
    const foreign = createSeal(Buffer.alloc(32, 1));
    const [{ secret_sealed: sealed } = {}] = rows('SELECT secret_sealed FROM totp_secrets WHERE agent_id = ?', agentId);
    expect(() => foreign.open(String(sealed))).toThrow();
  });

  test('does not count with a wrong code, an old code, or one of another secret', async () => {
    const { agentId, headers, second } = await personWithTwoSessions();
    const first = (await asPerson(headers, 'POST', '/me/totp')).json.data.secret;
    const { secret } = (await asPerson(headers, 'POST', '/me/totp')).json.data;
    const now = app.clock.now();
    for (const code of [codeAt(first, now), codeAt(secret, now - 90_000), codeAt(secret, now + 90_000), '', '12345']) {
      const answer = await asPerson(headers, 'POST', '/me/totp/confirm', { code });
      expect([answer.status, answer.json.code]).toEqual([401, 'wrong_credentials']);
    }
    expect(await isSignedIn(second)).toBe(true);
    expect(rows('SELECT 1 FROM recovery_codes WHERE agent_id = ?', agentId)).toEqual([]);
    expect((await asPerson(headers, 'POST', '/me/totp/confirm', { code: codeAt(secret, now) })).status).toBe(200);
  });

  test('is not replaced by a second one, and can be removed', async () => {
    const person = await app.person('member');
    const { headers } = await addTotp(app, person.headers);
    const again = await asPerson(headers, 'POST', '/me/totp');
    expect([again.status, again.json.code]).toEqual([409, 'totp_exists']);
    expect((await asPerson(headers, 'POST', '/me/totp/confirm', { code: '123456' })).status).toBe(409);
    expect((await asPerson(headers, 'DELETE', '/me/totp')).status).toBe(204);
    expect((await asPerson(headers, 'DELETE', '/me/totp')).status).toBe(404);
    expect(rows('SELECT 1 FROM recovery_codes WHERE agent_id = ?', person.agentId)).toEqual([]);
    expect((await asPerson(headers, 'POST', '/me/totp')).status).toBe(201);
  });

  test('confirmed twice at the same moment counts once', async () => {
    const { agentId, headers } = await app.person('member');
    const { secret } = (await asPerson(headers, 'POST', '/me/totp')).json.data;
    const code = codeAt(secret, app.clock.now());
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => asPerson(headers, 'POST', '/me/totp/confirm', { code })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(rows('SELECT 1 FROM recovery_codes WHERE agent_id = ?', agentId)).toHaveLength(10);
  });
});

describe('recovery codes', () => {
  test('are replaced as a whole, and need another factor', async () => {
    const { agentId, headers } = await app.person('member');
    const none = await asPerson(headers, 'POST', '/me/recovery-codes');
    expect([none.status, none.json.code]).toEqual([409, 'no_second_factor']);
    const before = await addTotp(app, headers);
    const after = await asPerson(before.headers, 'POST', '/me/recovery-codes');
    expect(after.json.recovery_codes).toHaveLength(10);
    expect(after.json.recovery_codes).not.toContain(before.recoveryCodes[0]);
    expect(rows('SELECT 1 FROM recovery_codes WHERE agent_id = ?', agentId)).toHaveLength(10);
  });
});

describe('a passkey', () => {
  test('is added, listed and removed, and the first factor brings recovery codes', async () => {
    const { agentId, headers, second } = await personWithTwoSessions();
    const first = await addPasskey(app, headers);
    expect(first.recoveryCodes).toHaveLength(10);
    expect(await isSignedIn(second)).toBe(false);
    const other = await addPasskey(app, first.headers);
    expect(other.recoveryCodes).toBeNull();
    const list = (await asPerson(other.headers, 'GET', '/me/passkeys')).json.data;
    expect(list).toMatchObject([
      { id: first.id, name: 'Laptop', is_backed_up: false, last_used_at: null },
      { id: other.id, name: 'Laptop' },
    ]);
    expect((await asPerson(other.headers, 'DELETE', `/me/passkeys/${first.id}`)).status).toBe(204);
    expect(rows('SELECT 1 FROM recovery_codes WHERE agent_id = ?', agentId)).toHaveLength(10);
    const last = () => asPerson(other.headers, 'DELETE', `/me/passkeys/${other.id}`);
    const refused = await last();
    expect([refused.status, refused.json.code]).toEqual([409, 'only_way_in']);
    app.desk.store.writing.client.run("UPDATE agents SET password_hash = 'x' WHERE id = ?", [agentId]);
    expect((await last()).status).toBe(204);
    expect(rows('SELECT 1 FROM recovery_codes WHERE agent_id = ?', agentId)).toEqual([]);
    expect(auditOf(agentId).filter((action) => action === 'passkey.removed')).toHaveLength(2);
  });

  test('of another agent cannot be seen, removed or added again', async () => {
    const mine = await addPasskey(app, (await app.person('member')).headers);
    const { headers } = await app.person('owner');
    expect((await asPerson(headers, 'GET', '/me/passkeys')).json.data).toEqual([]);
    expect((await asPerson(headers, 'DELETE', `/me/passkeys/${mine.id}`)).status).toBe(404);
    const { device, body } = registrationOf(await offeredPasskey(app, headers));
    const added = await asPerson(headers, 'POST', '/me/passkeys', body);
    const stranger = (await app.person('member')).headers;
    const offer = await offeredPasskey(app, stranger);
    const response = device.register({
      origin: 'http://desk.localhost',
      rpId: 'desk.localhost',
      challenge: offer.options.challenge,
    });
    const again = await asPerson(stranger, 'POST', '/me/passkeys', { challenge: offer.challenge, response });
    expect([added.status, again.status, again.json.code]).toEqual([201, 409, 'passkey_exists']);
  });

  test('answers one challenge, of its own session, within five minutes', async () => {
    const { headers } = await app.person('member');
    const other = (await app.person('member')).headers;
    const offer = await offeredPasskey(app, headers);
    const { body } = registrationOf(offer);
    const refused = async (as: Headers, changed: object) => {
      const answer = await asPerson(as, 'POST', '/me/passkeys', { ...body, ...changed });
      return [answer.status, answer.json.code];
    };
    expect(await refused(other, {})).toEqual([401, 'challenge_expired']);
    expect(await refused(headers, { challenge: 'hdc_nope' })).toEqual([401, 'challenge_expired']);
    expect(await refused(headers, { response: {} })).toEqual([401, 'wrong_credentials']);
    expect(
      await refused(headers, { response: registrationOf(await offeredPasskey(app, headers)).body.response }),
    ).toEqual([401, 'wrong_credentials']);
    const added = await asPerson(headers, 'POST', '/me/passkeys', body);
    expect(added.status).toBe(201);
    const now = renewed(headers, added);
    expect(await refused(now, {})).toEqual([401, 'challenge_expired']);
    const late = registrationOf(await offeredPasskey(app, now)).body;
    app.clock.advance(5 * 60_000);
    expect(await refused(now, late)).toEqual([401, 'challenge_expired']);
  });

  test('cannot be the twenty-first', async () => {
    let { headers } = await app.person('member');
    for (let count = 0; count < 20; count += 1) headers = (await addPasskey(app, headers)).headers;
    const answer = await asPerson(headers, 'POST', '/me/passkeys');
    expect([answer.status, answer.json.code]).toEqual([409, 'too_many']);
  });

  test('has a name from the browser when the agent gives it none', async () => {
    const { headers } = await app.person('member');
    const { body } = registrationOf(await offeredPasskey(app, headers));
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
    const added = await asPerson({ ...headers, 'User-Agent': firefox }, 'POST', '/me/passkeys', {
      ...body,
      name: null,
    });
    expect(added.json.data.name).toBe('Firefox, Linux');
  });

  test('is not offered where browsers have none, and the desk says why', async () => {
    const elsewhere = await testApp();
    elsewhere.edge.baseUrl = 'http://192.0.2.1:8080';
    const { headers } = await elsewhere.person('member');
    const answer = await elsewhere.ask('POST', '/api/v1/me/passkeys', { headers, body: {} });
    expect([answer.status, answer.json.code]).toEqual([409, 'passkeys_unavailable']);
    expect(answer.json.message).toContain('https');
    await elsewhere.close();
  });

  test.each([
    ['a huge challenge', { challenge: 'x'.repeat(7_000), response: {} }],
    ['a challenge that is no text', { challenge: { a: 1 }, response: {} }],
    ['a huge name', { challenge: 'x', response: {}, name: 'x'.repeat(7_000) }],
    ['no challenge', { response: {} }],
  ])('with %s is refused', async (_, body) => {
    const { headers } = await app.person('member');
    expect((await asPerson(headers, 'POST', '/me/passkeys', body)).status).toBe(422);
  });

  test('made of CBOR that has no end is refused', async () => {
    const { headers } = await app.person('member');
    const offer = await offeredPasskey(app, headers);
    const response = softwarePasskey().register({ origin: 'x', rpId: 'x', challenge: offer.options.challenge });
    response.response.attestationObject = Buffer.alloc(4_500, 0x81).toString('base64url');
    const answer = await asPerson(headers, 'POST', '/me/passkeys', { challenge: offer.challenge, response });
    expect([answer.status, answer.json.code]).toEqual([401, 'wrong_credentials']);
  });
});

describe('a change of factors', () => {
  const changes: [string, string, string][] = [
    ['adding an app', 'POST', '/me/totp'],
    ['confirming an app', 'POST', '/me/totp/confirm'],
    ['removing an app', 'DELETE', '/me/totp'],
    ['new recovery codes', 'POST', '/me/recovery-codes'],
    ['adding a passkey', 'POST', '/me/passkeys'],
    ['removing a passkey', 'DELETE', '/me/passkeys/1'],
  ];
  test.each(changes)('needs a password or factor entered lately: %s', async (_, method, path) => {
    const { headers } = await app.person('owner');
    app.clock.advance(15 * 60_000 + 1);
    const answer = await asPerson(headers, method, path, method === 'POST' ? { code: '123456' } : undefined);
    expect([answer.status, answer.json.code]).toEqual([403, 'confirm_identity']);
  });

  test.each(changes)('is nothing for a team token: %s', async (_, method, path) => {
    const answer = await app.asTeam(method, `/api/v1${path}`, method === 'POST' ? {} : undefined);
    expect(answer.status).toBe(401);
  });
});

describe('a session that must add a factor', () => {
  test('can add one, and is free then; removing it binds the session again', async () => {
    const owner = await app.person('owner');
    const member = await app.person('member');
    const require = (policy: string) =>
      app.desk.write((tx) => {
        tx.client.run('UPDATE desk_settings SET require_second_factor = ?', [policy]);
        return null;
      });
    const codeOf = async (headers: Headers) =>
      (await app.ask('GET', '/api/v1/tickets', { headers })).json.code ?? 'free';
    await require('managers');
    expect([await codeOf(owner.headers), await codeOf(member.headers)]).toEqual(['second_factor_required', 'free']);
    expect((await asPerson(owner.headers, 'POST', '/me/recovery-codes')).json.code).toBe('second_factor_required');
    const { headers } = await addTotp(app, owner.headers);
    expect(await codeOf(headers)).toBe('free');
    expect((await asPerson(headers, 'DELETE', '/me/totp')).status).toBe(204);
    expect(await codeOf(headers)).toBe('second_factor_required');
    expect(await codeOf((await addPasskey(app, headers)).headers)).toBe('free');
    await require('everyone');
    expect(await codeOf(member.headers)).toBe('second_factor_required');
    await require('off');
    expect(await codeOf(member.headers)).toBe('free');
  });
});
