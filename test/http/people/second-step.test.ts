// The second half of a sign-in: each code and each challenge counts once, and guessing gets slower.

import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { query } from '../../../src/engine/database.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { addPasskey, addTotp } from '../../support/factors.ts';
import { browserAfter, goodPassword, withPassword } from '../../support/people.ts';
import { codeAt } from '../../support/totp-code.ts';

type Headers = Record<string, string>;

const apps: TestApp[] = [];
let app: TestApp;
beforeEach(async () => {
  app = await testApp();
  apps.push(app);
});
afterAll(async () => {
  for (const one of apps) await one.close();
});

const post = (path: string, body: object = {}, headers: Headers = {}) =>
  app.ask('POST', `/api/v1${path}`, { headers, body });
const withTotp = async () => {
  const person = await withPassword(app, 'member');
  return { ...person, ...(await addTotp(app, person.headers)) };
};
const firstHalf = async (email: string): Promise<{ challenge: string; second_factor: string[] }> => {
  const answer = await post('/session', { email, password: goodPassword });
  expect(answer.status, answer.text).toBe(202);
  return answer.json;
};
const answerTo = (challenge: string, code: unknown, headers: Headers = {}) =>
  post('/session/second-factor', { challenge, code }, headers);
const told = ({ status, json }: { status: number; json: { code?: string } }) => [status, json.code ?? null];
/** The code after the one that confirmed the app. */
const nextCode = (secret: string) => {
  app.clock.advance(30_000);
  return codeAt(secret, app.clock.now());
};

describe('after a right password', () => {
  test('a code of the app signs in, and the session has a second factor', async () => {
    const { email, secret } = await withTotp();
    const { challenge, second_factor } = await firstHalf(email);
    expect(second_factor).toEqual(['totp', 'recovery_code']);
    const answer = await answerTo(challenge, nextCode(secret));
    expect(answer.status, answer.text).toBe(200);
    const browser = browserAfter(answer);
    const session = await app.ask('GET', '/api/v1/session', { headers: browser });
    expect(session.json.data.agent).toMatchObject({ email, second_factors: ['totp', 'recovery_code'] });
    app.desk.store.writing.client.run("UPDATE desk_settings SET require_second_factor = 'everyone'");
    const after = await app.ask('GET', '/api/v1/session', { headers: browser });
    expect(after.json.data.must_add_second_factor).toBe(false);
  });

  test('there is no session and no cookie before the code', async () => {
    const { email } = await withTotp();
    const sessions = () => query(app.desk.store.writing, 'SELECT id FROM sessions').all().length;
    const before = sessions();
    const answer = await post('/session', { email, password: goodPassword });
    expect([answer.status, answer.headers.getSetCookie(), sessions() - before]).toEqual([202, [], 0]);
    expect(Object.keys(answer.json).sort()).toEqual(['challenge', 'second_factor']);
  });

  test('a code counts once, also for three who send it at the same moment', async () => {
    const { email, secret } = await withTotp();
    const asked = await Promise.all([firstHalf(email), firstHalf(email), firstHalf(email)]);
    const code = nextCode(secret);
    const answers = await Promise.all(asked.map(({ challenge }) => answerTo(challenge, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  test('the code that confirmed the app does not sign in', async () => {
    const { email, secret } = await withTotp();
    const { challenge } = await firstHalf(email);
    expect(told(await answerTo(challenge, codeAt(secret, app.clock.now())))).toEqual([401, 'wrong_credentials']);
  });

  test('a challenge counts once, for five minutes', async () => {
    const { email, secret } = await withTotp();
    const first = await firstHalf(email);
    expect((await answerTo(first.challenge, nextCode(secret))).status).toBe(200);
    expect(told(await answerTo(first.challenge, nextCode(secret)))).toEqual([401, 'challenge_expired']);
    const late = await firstHalf(email);
    app.clock.advance(5 * 60_000);
    expect(told(await answerTo(late.challenge, nextCode(secret)))).toEqual([401, 'challenge_expired']);
  });

  test('each recovery code counts once, however it is typed', async () => {
    const { email, recoveryCodes } = await withTotp();
    const [one = '', other = ''] = recoveryCodes;
    expect(
      (await answerTo((await firstHalf(email)).challenge, ` ${one.toUpperCase().replaceAll('-', ' ')} `)).status,
    ).toBe(200);
    expect(told(await answerTo((await firstHalf(email)).challenge, one))).toEqual([401, 'wrong_credentials']);
    const { challenge } = await firstHalf(email);
    const twice = await Promise.all([answerTo(challenge, other), answerTo((await firstHalf(email)).challenge, other)]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test('the codes of another agent do not count', async () => {
    const [mine, other] = [await withTotp(), await withTotp()];
    const { challenge } = await firstHalf(mine.email);
    expect((await answerTo(challenge, nextCode(other.secret))).status).toBe(401);
    expect((await answerTo(challenge, other.recoveryCodes[0])).status).toBe(401);
  });

  test('an agent who was deactivated meanwhile stays outside', async () => {
    const { agentId, email, secret } = await withTotp();
    const { challenge } = await firstHalf(email);
    app.desk.store.writing.client.run('UPDATE agents SET is_active = 0 WHERE id = ?', [agentId]);
    expect((await answerTo(challenge, nextCode(secret))).status).toBe(401);
  });

  test('a new factor ends sign-ins that wait for the old one', async () => {
    const { email, headers, recoveryCodes } = await withTotp();
    const { challenge } = await firstHalf(email);
    await addPasskey(app, headers);
    expect(told(await answerTo(challenge, recoveryCodes[0]))).toEqual([401, 'challenge_expired']);
  });
});

describe('guessing codes', () => {
  test('gets slower from the fifth wrong one on, also with the password in between, and is in the audit log', async () => {
    const { agentId, email, secret } = await withTotp();
    for (let count = 0; count < 5; count += 1) {
      const { challenge } = await firstHalf(email);
      expect((await answerTo(challenge, '000000')).status).toBe(401);
    }
    const refused = await answerTo((await firstHalf(email)).challenge, '000000');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    app.clock.advance(1000);
    const { challenge } = await firstHalf(email);
    expect((await answerTo(challenge, '000000')).status).toBe(401);
    expect((await answerTo(challenge, nextCode(secret))).status).toBe(200);
    const rows = query(
      app.desk.store.writing,
      "SELECT id FROM audit_log WHERE action = 'session.refused' AND target_id = ?",
    );
    expect(rows.all(agentId)).toHaveLength(6);
  });

  test('a hundred at the same moment are four free tries and a wait', async () => {
    const { email } = await withTotp();
    const { challenge } = await firstHalf(email);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, guess) => answerTo(challenge, String(guess).padStart(6, '0'))),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    // The rest has to wait, some of them because too many bodies are read together.
    expect(statuses.filter((status) => status === 429 || status === 503)).toHaveLength(95);
  });

  test('does not keep out the owner of a passkey', async () => {
    const person = await withTotp();
    const { answer } = await addPasskey(app, person.headers);
    const { challenge } = await firstHalf(person.email);
    for (let count = 0; count < 6; count += 1) await answerTo(challenge, '000000');
    const asked = (await post('/session/passkey')).json;
    expect((await answerTo(asked.challenge, answer(asked.options))).status).toBe(200);
  });

  test.each([
    ['a huge code', 'x'.repeat(7_000), 422],
    ['a huge passkey', { id: 'x'.repeat(7_000) }, 401],
    ['nothing', null, 422],
    ['a list', [], 422],
    ['no code', '', 401],
    ['a passkey that is none', { id: 'x', response: null }, 401],
  ])('with %s is refused', async (_, code, status) => {
    const { email } = await withTotp();
    const { challenge } = await firstHalf(email);
    expect((await answerTo(challenge, code)).status).toBe(status);
    expect((await answerTo('x'.repeat(101), '123456')).status).toBe(422);
  });
});

describe('a passkey', () => {
  test('is the second factor', async () => {
    const person = await withPassword(app, 'member');
    const { answer, id } = await addPasskey(app, person.headers);
    const { challenge, second_factor } = await firstHalf(person.email);
    expect(second_factor).toEqual(['passkey', 'recovery_code']);
    const asked = (await post('/session/passkey', { challenge })).json;
    expect(asked.challenge).toBe(challenge);
    expect(asked.options.allowCredentials).toHaveLength(1);
    expect(asked.options.userVerification).toBe('required');
    const signed = await answerTo(challenge, answer(asked.options));
    expect(signed.status, signed.text).toBe(200);
    const list = await app.ask('GET', '/api/v1/me/passkeys', { headers: browserAfter(signed) });
    expect(list.json.data).toMatchObject([{ id, last_used_at: expect.any(String) }]);
  });

  test('signs in alone, without a name or password', async () => {
    const person = await app.person('member');
    const { answer } = await addPasskey(app, person.headers);
    const asked = (await post('/session/passkey')).json;
    expect(asked.options.allowCredentials ?? []).toEqual([]);
    const signed = await answerTo(asked.challenge, answer(asked.options));
    expect(signed.status, signed.text).toBe(200);
    const session = await app.ask('GET', '/api/v1/session', { headers: browserAfter(signed) });
    expect(session.json.data.agent.id).toBe(person.agentId);
  });

  test('signs in once with each challenge, and only with its own', async () => {
    const { answer } = await addPasskey(app, (await app.person('member')).headers);
    const [one, other] = [(await post('/session/passkey')).json, (await post('/session/passkey')).json];
    const signed = answer(one.options);
    expect(told(await answerTo(other.challenge, signed))).toEqual([401, 'wrong_credentials']);
    const both = await Promise.all([answerTo(one.challenge, signed), answerTo(one.challenge, signed)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    app.clock.advance(5 * 60_000);
    expect(told(await answerTo(other.challenge, answer(other.options)))).toEqual([401, 'challenge_expired']);
  });

  test('of another agent is no second factor', async () => {
    const mine = await withTotp();
    const { answer } = await addPasskey(app, (await app.person('member')).headers);
    const { challenge } = await firstHalf(mine.email);
    const { options } = (await post('/session/passkey', { challenge })).json;
    expect(told(await answerTo(challenge, answer(options)))).toEqual([401, 'wrong_credentials']);
  });

  test('that was removed, or whose agent was deactivated, does not sign in', async () => {
    const person = await withPassword(app, 'member');
    const { answer, headers, id } = await addPasskey(app, person.headers);
    const other = await app.person('member');
    const gone = await addPasskey(app, other.headers);
    app.desk.store.writing.client.run('UPDATE agents SET is_active = 0 WHERE id = ?', [other.agentId]);
    const first = (await post('/session/passkey')).json;
    expect((await answerTo(first.challenge, gone.answer(first.options))).status).toBe(401);
    await app.ask('DELETE', `/api/v1/me/passkeys/${id}`, { headers });
    const second = (await post('/session/passkey')).json;
    expect((await answerTo(second.challenge, answer(second.options))).status).toBe(401);
  });

  test('a code is no answer to a challenge that asks for a passkey', async () => {
    const { secret } = await withTotp();
    const { challenge } = (await post('/session/passkey')).json;
    expect(told(await answerTo(challenge, nextCode(secret)))).toEqual([401, 'wrong_credentials']);
  });

  test('ends the session that the browser had before', async () => {
    const person = await app.person('member');
    const { answer, headers } = await addPasskey(app, person.headers);
    const asked = (await post('/session/passkey')).json;
    const signed = await answerTo(asked.challenge, answer(asked.options), headers);
    expect(signed.status).toBe(200);
    expect((await app.ask('GET', '/api/v1/session', { headers })).status).toBe(401);
  });
});

describe('to confirm who they are', () => {
  const confirm = (headers: Headers, body: object) => post('/session/confirm', body, headers);

  test('an agent can enter a code, a recovery code or a passkey instead of the password', async () => {
    const { headers: before, secret, recoveryCodes } = await withTotp();
    const { headers, answer } = await addPasskey(app, before);
    const isConfirmed = async () => (await post('/me/recovery-codes', {}, headers)).status;
    for (const body of [
      async () => ({ code: nextCode(secret) }),
      async () => ({ code: recoveryCodes[3] }),
      async () => {
        const asked = (await post('/session/passkey')).json;
        return { challenge: asked.challenge, code: answer(asked.options) };
      },
      async () => ({ password: goodPassword }),
    ]) {
      app.clock.advance(16 * 60_000);
      expect(await isConfirmed()).toBe(403);
      const confirmed = await confirm(headers, await body());
      expect(confirmed.status, confirmed.text).toBe(200);
    }
    expect(await isConfirmed()).toBe(201);
  });

  test('a wrong, used or foreign one does not do', async () => {
    const { headers, secret, recoveryCodes } = await withTotp();
    const other = await addPasskey(app, (await app.person('member')).headers);
    const asked = (await post('/session/passkey')).json;
    const bodies = [
      {},
      { code: '000000' },
      { code: codeAt(secret, app.clock.now()) },
      { code: other.answer(asked.options) },
      { challenge: asked.challenge, code: other.answer(asked.options) },
    ];
    for (const body of bodies) expect(told(await confirm(headers, body))).toEqual([401, 'wrong_credentials']);
    expect((await confirm(headers, { code: recoveryCodes[0] })).status).toBe(429);
  });
});
