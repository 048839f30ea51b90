// Agents over HTTP: who manages whom, the last owner, and what a change ends.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { audit } from '../../../src/desk/audit.ts';
import { addAgent, changeAgent, removeAgent } from '../../../src/desk/people/agents.ts';
import type { Role } from '../../../src/domain/actor.ts';
import { query } from '../../../src/engine/database.ts';
import { updateAgent } from '../../../src/store/people/agents.ts';
import { insertPasskey } from '../../../src/store/people/factors.ts';
import { type Answered, type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

type Headers = Record<string, string>;
const context = () => app.desk.context({ kind: 'command_line' }, 'test');
let made = 0;
async function agent(role: Role, sites: number[] = []): Promise<number> {
  made += 1;
  const input = { email: `a${made}@agents.example`, name: `A${made}`, role, sites };
  return await app.desk.write((tx) => addAgent(tx, context(), input).id);
}
const change = (headers: Headers, id: number, body: object) =>
  app.ask('PATCH', `/api/v1/agents/${id}`, { headers, body });
const remove = (headers: Headers, id: number) => app.ask('DELETE', `/api/v1/agents/${id}`, { headers });
const add = (headers: Headers, body: object) => app.ask('POST', '/api/v1/agents', { headers, body });
const said = ({ status, json }: Answered) => [status, json?.code ?? null];
const givePassword = (id: number) =>
  app.desk.write((tx) => {
    updateAgent(tx, id, { passwordHash: 'a hash' });
    return null;
  });

describe('the shape', () => {
  test('has what the specification lists, and nothing secret', async () => {
    const owner = await app.person('owner');
    await givePassword(owner.agentId);
    const { json, text } = await app.ask('GET', `/api/v1/agents/${owner.agentId}`, { headers: owner.headers });
    expect(Object.keys(json.data).sort()).toEqual(
      [
        ...['away_note', 'away_until', 'email', 'has_password', 'id', 'invited_at', 'is_active', 'is_available'],
        ...['last_seen_at', 'name', 'role', 'second_factors', 'sites'],
      ].sort(),
    );
    expect(json.data).toMatchObject({ role: 'owner', has_password: true, sites: [], second_factors: [] });
    expect(text).not.toContain('a hash');
  });
});

test('a change that names an older version is refused', async () => {
  const { headers } = await app.person('owner');
  const id = await agent('member');
  const path = `/api/v1/agents/${id}`;
  const etag = (await app.ask('GET', path, { headers })).headers.get('etag') ?? '';
  const saved = await app.ask('PATCH', path, { headers: { ...headers, 'If-Match': etag }, body: { name: 'Lea' } });
  expect([saved.status, saved.headers.get('etag') === etag]).toEqual([200, false]);
  const late = await app.ask('PATCH', path, { headers: { ...headers, 'If-Match': etag }, body: { role: 'viewer' } });
  expect([late.status, late.json.code]).toEqual([412, 'precondition_failed']);
});

test('an agent whose last site went cannot come back to every site by accident', async () => {
  const { headers } = await app.person('owner');
  const made = await app.ask('POST', '/api/v1/sites', { headers, body: { name: 'Gone', slug: 'gone' } });
  const id = await agent('member', [made.json.data.id]);
  expect((await app.ask('DELETE', '/api/v1/sites/gone?confirm=gone', { headers })).status).toBeLessThan(300);
  const bare = await change(headers, id, { is_active: true });
  expect([bare.status, Object.keys(bare.json.errors)]).toEqual([422, ['sites']]);
  const placed = await change(headers, id, { is_active: true, sites: [app.site.id] });
  expect(placed.json.data).toMatchObject({ is_active: true, sites: [app.site.id] });
});

describe('who manages whom', () => {
  test('an admin adds members and viewers of their own sites, and no one else', async () => {
    const { headers } = await app.person('admin', [app.site.id]);
    const body = (role: string, sites: number[]) => ({
      email: `x${role}${sites.length}${Math.trunc(performance.now() * 1000)}@agents.example`,
      name: 'X',
      role,
      sites,
    });
    expect((await add(headers, body('member', [app.site.id]))).status).toBe(201);
    expect((await add(headers, body('viewer', [app.site.id]))).status).toBe(201);
    const refusals: [string, number[], unknown[]][] = [
      ['admin', [app.site.id], [403, 'beyond_your_role']],
      ['owner', [app.site.id], [403, 'beyond_your_role']],
      ['member', [], [403, 'beyond_your_role']],
      ['member', [app.other.site.id], [422, 'validation_failed']],
      ['member', [app.site.id, 999_999], [422, 'validation_failed']],
    ];
    for (const [role, sites, expected] of refusals)
      expect(said(await add(headers, body(role, sites))), `${role} ${sites}`).toEqual(expected);
    const outside = await add(headers, body('member', [app.other.site.id]));
    const nowhere = await add(headers, body('member', [999_999]));
    expect(outside.json.errors).toEqual(nowhere.json.errors);
  });

  test('an admin changes no one into what they could not have added', async () => {
    const { headers } = await app.person('admin', [app.site.id]);
    const id = await agent('member', [app.site.id]);
    expect((await change(headers, id, { role: 'viewer', name: 'Ann' })).status).toBe(200);
    expect(said(await change(headers, id, { role: 'admin' }))).toEqual([403, 'beyond_your_role']);
    expect(said(await change(headers, id, { role: 'owner' }))).toEqual([403, 'beyond_your_role']);
    expect(said(await change(headers, id, { sites: [] }))).toEqual([403, 'beyond_your_role']);
    expect((await change(headers, id, { sites: [app.other.site.id] })).status).toBe(422);
  });

  test('an admin sees those who share a site, and changes only those who have no other', async () => {
    const { headers, agentId } = await app.person('admin', [app.site.id]);
    const both = await agent('member', [app.site.id, app.other.site.id]);
    const foreign = await agent('member', [app.other.site.id]);
    const everywhere = await agent('member');
    const listed = (await app.ask('GET', '/api/v1/agents', { headers })).json.data as { id: number; sites: number[] }[];
    const ids = listed.map(({ id }) => id);
    expect([both, everywhere, agentId].every((id) => ids.includes(id))).toBe(true);
    expect(ids).not.toContain(foreign);
    expect(listed.find(({ id }) => id === both)?.sites).toEqual([app.site.id]);
    for (const id of [both, everywhere, agentId]) {
      expect(said(await change(headers, id, { name: 'New' }))).toEqual([403, 'beyond_your_role']);
      expect(said(await remove(headers, id))).toEqual([403, 'beyond_your_role']);
    }
    const nowhere = await change(headers, 999_999, { name: 'New' });
    const outside = await change(headers, foreign, { name: 'New' });
    expect({ ...outside.json, request_id: '' }).toEqual({ ...nowhere.json, request_id: '' });
    expect([outside.status, (await remove(headers, foreign)).status]).toEqual([404, 404]);
    expect((await app.ask('GET', `/api/v1/agents/${foreign}`, { headers })).status).toBe(404);
    expect((await app.ask('DELETE', `/api/v1/agents/${foreign}/second-factor`, { headers })).status).toBe(404);
  });

  test('an owner manages everyone on every site, whatever sites they work on', async () => {
    const { headers } = await app.person('owner', [app.site.id]);
    const id = await agent('admin', [app.other.site.id]);
    expect((await change(headers, id, { role: 'owner', sites: [] })).status).toBe(200);
    expect((await remove(headers, id)).status).toBe(204);
    expect((await app.ask('GET', `/api/v1/agents/${id}`, { headers })).status).toBe(404);
  });

  test('no token changes people, whatever it can do', async () => {
    const { secret } = await app.token(['read', 'write', 'manage']);
    const id = await agent('member', [app.site.id]);
    const headers = { Authorization: `Bearer ${secret}` };
    expect((await app.ask('GET', `/api/v1/agents/${id}`, { headers })).status).toBe(200);
    const actor = { kind: 'token', tokenId: 1, name: 'T', abilities: ['manage'], scope: 'all' } as const;
    for (const ask of [
      () => change(headers, id, { name: 'x' }),
      () => remove(headers, id),
      () => add(headers, { email: 'y@agents.example', name: 'y' }),
    ])
      expect([401, 403]).toContain((await ask()).status);
    expect(() => app.desk.read((tx) => void changeAgent(tx, app.desk.context(actor, 'test'), id, {}))).toThrow(
      'sign in',
    );
  });

  test('needs a password or factor entered lately', async () => {
    const { headers } = await app.person('owner');
    const id = await agent('member');
    app.clock.advance(16 * 60_000);
    for (const answer of [
      await change(headers, id, { name: 'x' }),
      await remove(headers, id),
      await add(headers, { email: 'z@agents.example', name: 'z' }),
      await app.ask('DELETE', `/api/v1/agents/${id}/second-factor`, { headers }),
      await app.ask('POST', '/api/v1/tokens', { headers, body: { name: 'x', abilities: ['read'] } }),
      await app.ask('PATCH', '/api/v1/desk', { headers, body: { name: 'x' } }),
    ])
      expect(said(answer)).toEqual([403, 'confirm_identity']);
  });
});

describe('the last active owner who can sign in', () => {
  test('stays an owner, active and there', async () => {
    const { headers, agentId } = await app.person('owner');
    await givePassword(agentId);
    for (const answer of [
      await change(headers, agentId, { role: 'admin' }),
      await change(headers, agentId, { is_active: false }),
      await remove(headers, agentId),
    ])
      expect(said(answer)).toEqual([409, 'last_owner']);
    expect((await change(headers, agentId, { name: 'Still', sites: [app.site.id] })).status).toBe(200);
    expect(() => app.desk.read((tx) => removeAgent(tx, context(), agentId) ?? null)).toThrow('last active owner');
  });

  test('can go when another can sign in, and not when the other cannot', async () => {
    const [first, second] = [await app.person('owner'), await app.person('owner')];
    await givePassword(first.agentId);
    expect(said(await remove(second.headers, first.agentId))).toEqual([409, 'last_owner']);
    await givePassword(second.agentId);
    expect((await change(second.headers, second.agentId, { is_active: false })).status).toBe(200);
    expect(said(await remove(first.headers, first.agentId))).toEqual([409, 'last_owner']);
  });

  test('keeps the only way in', async () => {
    const { headers, agentId } = await app.person('owner');
    await app.desk.write((tx) => {
      insertPasskey(tx, {
        ...{ agentId, name: 'Key', credentialId: 'c', publicKey: 'p', signCount: 0, transports: [] },
        ...{ isBackedUp: false, lastUsedAt: null, createdAt: 1 },
      });
      return null;
    });
    const reset = () => app.ask('DELETE', `/api/v1/agents/${agentId}/second-factor`, { headers });
    expect(said(await reset())).toEqual([409, 'last_owner']);
    await givePassword(agentId);
    expect((await reset()).status).toBe(204);
    expect((await app.ask('GET', '/api/v1/sites', { headers })).status).toBe(401);
  });

  test('stays also when two requests remove two owners at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await app.person('owner'), await app.person('owner')];
      await Promise.all([givePassword(one.agentId), givePassword(other.agentId)]);
      const answers = await Promise.all([
        remove(one.headers, other.agentId),
        change(other.headers, one.agentId, { role: 'member' }),
      ]);
      const left = query<{ id: number }>(
        app.desk.store.writing,
        "SELECT id FROM agents WHERE role = 'owner' AND is_active = 1 AND password_hash IS NOT NULL",
      ).all();
      expect(left.length, answers.map(({ status }) => status).join()).toBe(1);
      app.desk.store.writing.client.run("UPDATE agents SET role = 'member'");
    }
  });
});

describe('a change', () => {
  test('that deactivates ends sessions for good, and links', async () => {
    const owner = await app.person('owner');
    const member = await app.person('member');
    expect((await change(owner.headers, member.agentId, { is_active: false })).status).toBe(200);
    expect((await app.ask('GET', '/api/v1/sites', { headers: member.headers })).status).toBe(401);
    expect((await change(owner.headers, member.agentId, { is_active: true, sites: [] })).status).toBe(200);
    expect((await app.ask('GET', '/api/v1/sites', { headers: member.headers })).status).toBe(401);
  });

  test('shows in the audit log who made it, from where, and what changed', async () => {
    const owner = await app.person('owner');
    const id = await agent('member', [app.site.id]);
    await app.ask('PATCH', `/api/v1/agents/${id}`, {
      headers: owner.headers,
      body: { role: 'admin' },
      peer: '198.51.100.9',
    });
    const log = await app.ask('GET', '/api/v1/audit?action=agent.updated', { headers: owner.headers });
    expect(log.json.data[0]).toMatchObject({
      actor: { type: 'agent', id: owner.agentId },
      address: '198.51.100.9',
      target: { type: 'agent', id },
      before: { role: 'member' },
      after: { role: 'admin' },
    });
  });

  test('takes an e-mail address once, whatever its letters', async () => {
    const owner = await app.person('owner');
    const id = await agent('member');
    const taken = await add(owner.headers, { email: `A${made}@AGENTS.example`, name: 'x' });
    expect(said(taken)).toEqual([409, 'email_taken']);
    expect((await change(owner.headers, id, { email: `a${made}@agents.example` })).status).toBe(200);
  });
});

describe('an invitation', () => {
  const invite = (headers: Headers, id: number) => app.ask('POST', `/api/v1/agents/${id}/invitation`, { headers });
  const opens = async (url: string) =>
    (await app.ask('POST', '/api/v1/invitations/read', { body: { token: url.split('#')[1] } })).status;

  test('comes with a new agent, and a later one replaces it', async () => {
    const { headers } = await app.person('owner');
    const made = await add(headers, { email: 'n@agents.example', name: 'New' });
    expect(made.json.data.invited_at).not.toBeNull();
    expect(made.json.invitation_url).toStartWith(`${app.edge.baseUrl}/invitation#`);
    const again = await invite(headers, made.json.data.id);
    expect(again.status).toBe(201);
    expect([await opens(made.json.invitation_url), await opens(again.json.invitation_url)]).toEqual([410, 200]);
    const quiet = await add(headers, { email: 'q@agents.example', name: 'Quiet', invite: false });
    expect([quiet.json.invitation_url, quiet.json.data.invited_at]).toEqual([null, null]);
    expect(said(await invite(headers, 999_999))).toEqual([404, 'not_found']);
  });

  test('is not shown to the one who invites when mail can bring it', async () => {
    const { headers } = await app.person('owner');
    const mail_server = { address: 'desk@agents.example', host: 'smtp.example.org', user: 'desk', password: 'secret' };
    expect((await app.ask('PATCH', '/api/v1/desk', { headers, body: { mail_server } })).status).toBe(200);
    const made = await add(headers, { email: 'n@agents.example', name: 'New' });
    expect(made.json.invitation_url).toBeNull();
    const mails = query<{ recipient: string }>(
      app.desk.store.writing,
      "SELECT recipient FROM deliveries WHERE event = 'mail.invitation'",
    ).all();
    expect(mails).toEqual([{ recipient: 'n@agents.example' }]);
  });

  test('does not let an admin into the account of a member who has joined', async () => {
    const { headers } = await app.person('admin', [app.site.id]);
    const owner = await app.person('owner');
    const id = await agent('member', [app.site.id]);
    expect((await invite(headers, id)).status).toBe(201);
    await givePassword(id);
    expect(said(await invite(headers, id))).toEqual([403, 'has_joined']);
    expect(said(await change(headers, id, { email: 'mine@agents.example' }))).toEqual([403, 'has_joined']);
    expect((await change(headers, id, { name: 'Other' })).status).toBe(200);
    expect((await invite(owner.headers, id)).status).toBe(201);
  });

  test('is not for someone inactive', async () => {
    const { headers } = await app.person('owner');
    const made = await add(headers, { email: 'n@agents.example', name: 'New', is_active: false });
    expect([made.status, made.json.invitation_url]).toEqual([201, null]);
    expect(said(await invite(headers, made.json.data.id))).toEqual([409, 'agent_inactive']);
  });
});

describe('the inbound URL of a site', () => {
  test('is shown to a session only when it asks for it, and the audit log says who did', async () => {
    const { headers, agentId } = await app.person('admin', [app.site.id]);
    const read = await app.ask('GET', `/api/v1/sites/${app.site.slug}`, { headers });
    expect([read.status, read.text.includes(app.inboundSecret)]).toEqual([200, false]);
    const reveal = () => app.ask('POST', `/api/v1/sites/${app.site.slug}/inbound-url`, { headers });
    expect((await reveal()).json.data.inbound_webhook_url).toContain(app.inboundSecret);
    const log = await app.ask('GET', '/api/v1/audit?action=site.inbound_url_revealed', { headers });
    expect(log.json.data).toMatchObject([{ actor: { type: 'agent', id: agentId }, site_id: app.site.id }]);
    expect(log.text).not.toContain(app.inboundSecret);
    app.clock.advance(16 * 60_000);
    expect(said(await reveal())).toEqual([403, 'confirm_identity']);
  });
});

describe('the audit log for an admin', () => {
  test('has the rows of their sites only', async () => {
    const { headers } = await app.person('admin', [app.site.id]);
    const owner = await app.person('owner');
    await app.desk.write((tx) => {
      for (const siteId of [app.site.id, app.other.site.id, null])
        audit(tx, context(), { action: 'desk.updated', target: { type: 'desk', id: null, name: `${siteId}` }, siteId });
      return null;
    });
    const seen = async (who: Headers) =>
      (await app.ask('GET', '/api/v1/audit?action=desk.updated', { headers: who })).json.data.map(
        (row: { site_id: number | null }) => row.site_id,
      );
    expect(await seen(headers)).toEqual([app.site.id]);
    expect(await seen(owner.headers)).toEqual([null, app.other.site.id, app.site.id]);
    expect((await app.ask('GET', `/api/v1/audit?site_id=${app.other.site.id}`, { headers })).status).toBe(404);
  });
});

describe('hostile input', () => {
  test('is cleaned or refused, and never a crash', async () => {
    const { headers } = await app.person('owner');
    const cleaned = await add(headers, { email: 'c@agents.example', name: ' \u0000Kim\u001b[31m\r\nSato\u2028 ' });
    expect(cleaned.json.data.name).toBe('Kim [31m Sato');
    const bodies: unknown[] = [
      {},
      { email: 'x', name: 'x' },
      { email: 'd@agents.example', name: '' },
      { email: 'd@agents.example', name: 'x'.repeat(256) },
      { email: `${'d'.repeat(400)}@agents.example`, name: 'x' },
      { email: 'd@agents.example', name: 'x', role: 'root' },
      { email: 'd@agents.example', name: 'x', role: ['owner'] },
      { email: 'd@agents.example', name: 'x', role: '__proto__' },
      { email: 'd@agents.example', name: 'x', sites: 'all' },
      { email: 'd@agents.example', name: 'x', sites: [-1] },
      { email: 'd@agents.example', name: 'x', sites: [1e300] },
      { email: 'd@agents.example', name: 'x', sites: Array(1001).fill(1) },
      { email: 'd@agents.example', name: 'x', is_active: 'yes' },
      { email: { toString: 'x' }, name: 'x' },
      [],
      'x',
      null,
    ];
    for (const body of bodies)
      expect([400, 415, 422], JSON.stringify(body)?.slice(0, 60)).toContain(
        (await add(headers, body as object)).status,
      );
    for (const id of ['0', '-1', 'x', '1e3', '9'.repeat(15), '9'.repeat(40), '%00', '1;DROP'])
      expect((await app.ask('GET', `/api/v1/agents/${id}`, { headers })).status, id).toBe(404);
  });
});
