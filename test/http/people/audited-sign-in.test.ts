// What the audit log says of those who sign in, those who try, and those who leave: one row each, and nothing that they typed.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { signInWithPassword } from '../../../src/desk/people/sign-in.ts';
import { query } from '../../../src/engine/database.ts';
import { browserInWords } from '../../../src/identity/browser-name.ts';
import { newTotpSecret } from '../../../src/identity/totp.ts';
import { confirmTotpSecret, putTotpSecret } from '../../../src/store/people/factors.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { asCommandLine, browserAfter, goodPassword, linkOf, mailedSecret, withPassword } from '../../support/people.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

interface Row {
  action: string;
  actor_type: string;
  actor_id: number | null;
  address: string | null;
  target_id: number | null;
  target_name: string | null;
  after: string | null;
}
const newest = () =>
  query<{ id: number }>(app.desk.store.writing, 'SELECT coalesce(max(id), 0) AS id FROM audit_log').get()?.id ?? 0;
const rowsAfter = (id: number) =>
  query<Row>(app.desk.store.writing, 'SELECT * FROM audit_log WHERE id > ? ORDER BY id').all(id);

const own = {
  'Sec-Fetch-Site': 'same-origin',
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  app.ask('POST', `/api/v1${path}`, { headers: { ...own, ...headers }, body, peer: '198.51.100.7' });

describe('a sign-in', () => {
  test('has the agent, the address, the way and the browser', async () => {
    const { agentId, email } = await withPassword(app, 'member');
    const before = newest();
    const answer = await post('/session', { email, password: goodPassword });
    expect(answer.status).toBe(200);
    const rows = rowsAfter(before);
    expect(rows).toMatchObject([
      {
        action: 'session.started',
        actor_type: 'agent',
        actor_id: agentId,
        target_id: agentId,
        address: '198.51.100.7',
      },
    ]);
    expect(JSON.parse(rows[0]?.after ?? '{}')).toMatchObject({
      method: 'password',
      browser: expect.stringContaining('Firefox'),
    });
    const left = newest();
    await app.ask('DELETE', '/api/v1/session', { headers: browserAfter(answer) });
    expect(rowsAfter(left)).toMatchObject([{ action: 'session.ended', actor_id: agentId, target_id: agentId }]);
  });

  test('that fails has a row whether or not the address is known, and none of what was typed', async () => {
    const { agentId, email } = await withPassword(app, 'member');
    const before = newest();
    for (const address of [email, 'mia@example.org'])
      expect((await post('/session', { email: address, password: 'typed by mistake' })).status).toBe(401);
    const rows = rowsAfter(before);
    expect(rows).toMatchObject([
      { action: 'session.refused', actor_type: 'unknown', actor_id: null, target_id: agentId, address: '198.51.100.7' },
      { action: 'session.refused', actor_type: 'unknown', actor_id: null, target_id: null, target_name: null },
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/typed|mia@/);
  });

  test('whose password changes while it is checked has a row', async () => {
    const { agentId, email } = await withPassword(app, 'member');
    const before = newest();
    const arrival = {
      ...browserInWords(own['User-Agent']),
      formerSession: null,
      guesser: { network: '192.0.2.1', sessionId: null, browser: null },
    };
    const entered = await app.desk.write((tx) =>
      signInWithPassword(tx, asCommandLine(app), { email, hash: 'the one before', newHash: null }, arrival),
    );
    expect(entered).toBeNull();
    expect(rowsAfter(before)).toMatchObject([{ action: 'session.refused', target_id: agentId }]);
  });

  test('that fails at the second factor has a row too, and so has a wrong confirmation', async () => {
    const { agentId, email, headers } = await withPassword(app, 'member');
    await app.desk.write((tx) => {
      putTotpSecret(tx, agentId, app.desk.seal.seal(newTotpSecret()), app.clock.now());
      confirmTotpSecret(tx, agentId, app.clock.now());
      return null;
    });
    const before = newest();
    const asked = await post('/session', { email, password: goodPassword });
    expect(asked.status).toBe(202);
    expect((await post('/session/second-factor', { challenge: asked.json.challenge, code: 'abcdef' })).status).toBe(
      401,
    );
    expect((await post('/session/confirm', { password: 'not this one' }, headers)).status).toBe(401);
    expect((await post('/session/confirm', { code: 'abcdef' }, headers)).status).toBe(401);
    const rows = rowsAfter(before);
    expect(rows.map(({ action, target_id }) => [action, target_id])).toEqual(
      Array(3).fill(['session.refused', agentId]),
    );
    expect(rows.map(({ after }) => after).join()).toContain('second_factor');
    expect(JSON.stringify(rows)).not.toMatch(/abcdef|not this one/);
  });

  test('by a link says that it was a link', async () => {
    const { agentId } = await app.person('member');
    const token = await linkOf(app, 'sign_in', agentId);
    const before = newest();
    expect((await post('/session/link', { token })).status).toBe(200);
    const rows = rowsAfter(before);
    expect(rows).toMatchObject([{ action: 'session.started', actor_id: agentId }]);
    expect(JSON.parse(rows[0]?.after ?? '{}').method).toBe('link');
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('a link that was used or is none', () => {
  test('leaves a row at every way in, without its token', async () => {
    const { agentId } = await app.person('member');
    const used = await linkOf(app, 'sign_in', agentId);
    expect((await post('/session/link', { token: used })).status).toBe(200);
    const wrong = 'hdl_wrongWrongWrong';
    const name = 'Kim';
    const password = goodPassword;
    const before = newest();
    const asked: [string, object, string][] = [
      ['/session/link', { token: used }, 'link'],
      ['/session/link', { token: wrong }, 'link'],
      ['/invitations/accept', { token: wrong, name, password }, 'invitation'],
      ['/password-resets/complete', { token: wrong, password }, 'reset'],
      ['/setup', { token: wrong, email: 'kim@x.example', name, password }, 'setup'],
    ];
    for (const [path, body] of asked) {
      const answer = await post(path, body);
      expect([answer.status, answer.json.code], path).toEqual([410, 'link_expired']);
    }
    const rows = rowsAfter(before);
    expect(rows.map(({ after, ...row }) => ({ ...row, after: JSON.parse(after ?? '{}') }))).toMatchObject(
      asked.map(([, , method]) => ({
        action: 'session.refused',
        actor_type: 'unknown',
        address: '198.51.100.7',
        target_id: null,
        after: { method, reason: 'link_expired' },
      })),
    );
    expect(JSON.stringify(rows)).not.toMatch(/hdl_|kim@|Kim/);
  });

  test('leaves one row each when two use it together and one is let in', async () => {
    const { agentId } = await app.person('member');
    const token = await linkOf(app, 'invitation', agentId);
    const before = newest();
    await Promise.all(
      ['Kim', 'Ann'].map((name) => post('/invitations/accept', { token, name, password: goodPassword })),
    );
    expect(
      rowsAfter(before)
        .map(({ action }) => action)
        .sort(),
    ).toEqual(['agent.joined', 'session.refused', 'session.started']);
  });
});

describe('a challenge that is over', () => {
  test('leaves a row, at a sign-in and at a confirmation', async () => {
    const { agentId, headers } = await withPassword(app, 'member');
    const challenge = 'hdc_wrongWrongWrong';
    const before = newest();
    expect((await post('/session/second-factor', { challenge, code: '123456' })).status).toBe(401);
    expect((await post('/session/confirm', { challenge, code: '123456' }, headers)).status).toBe(401);
    const rows = rowsAfter(before);
    expect(rows).toMatchObject([
      { action: 'session.refused', actor_type: 'unknown', target_id: null },
      { action: 'session.refused', actor_type: 'agent', actor_id: agentId, target_id: agentId },
    ]);
    for (const { after } of rows) expect(JSON.parse(after ?? '{}')).toEqual({ reason: 'challenge_expired' });
  });
});

describe('a password', () => {
  test('that is chosen or changed has a row, without the password', async () => {
    const { agentId, email, headers } = await withPassword(app, 'member');
    const before = newest();
    const password = 'seven quiet lanterns';
    const changed = await app.ask('PUT', '/api/v1/me/password', {
      headers,
      body: { current: goodPassword, password },
    });
    expect(changed.status).toBe(204);
    expect((await post('/password-resets', { email })).status).toBe(202);
    await app.mailAsked();
    const token = mailedSecret(app, 'mail.password_reset');
    expect((await post('/password-resets/complete', { token, password: 'eight quiet lanterns' })).status).toBe(200);
    const rows = rowsAfter(before);
    expect(rows.map(({ action }) => action)).toEqual(['password.changed', 'password.reset', 'session.started']);
    expect(rows.map(({ target_id }) => target_id)).toEqual([agentId, agentId, agentId]);
    expect(JSON.stringify(rows)).not.toMatch(/lantern/);
  });
});
