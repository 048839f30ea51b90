// Notes over HTTP: their writer changes and deletes them, and no one else (docs/spec/console.md#notes).

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type TestApp, testApp } from '../../support/app.ts';
import { file } from '../walks/step.ts';

let app: TestApp;
let of: string;
let ana: Awaited<ReturnType<TestApp['person']>>;
let ben: typeof ana;
let note: { ulid: string };
beforeEach(async () => {
  app = await testApp();
  of = `/api/v1/tickets/${(await app.open()).ulid}`;
  [ana, ben] = [await app.person('viewer'), await app.person('owner')];
  note = (await write('The *walrus* did it, says @Ben', { mentions: [ben.agentId] })).json.note;
});
afterEach(() => app.close());

const by = (who: typeof ana, method: string, path: string, body?: object) =>
  app.ask(method, path, { headers: who.headers, body });
const write = (body: string, more = {}) => by(ana, 'POST', `${of}/notes`, { body, ...more });
const change = (body: object, who = ana) => by(who, 'PATCH', `${of}/notes/${note.ulid}`, body);
const remove = (who = ana) => by(who, 'DELETE', `${of}/notes/${note.ulid}`);
const detail = async () => (await app.asTeam('GET', of)).json.data;
const found = async (query: string, who = ben) =>
  (await by(who, 'GET', `/api/v1/tickets?${query}`)).json.data.length as number;

test('its writer gives a note another text, and search, mentions and history follow', async () => {
  expect([await found('q=walrus'), await found('mentions=me')]).toEqual([1, 1]);
  expect((await detail()).messages.at(-1)).toMatchObject({ agent_id: ana.agentId, edited_at: null });
  const { updated_at: before } = await detail();
  app.clock.advance(60_000);
  const answer = await change({ body: 'The **carpenter** did it', body_format: 'markdown', mentions: [ana.agentId] });
  expect([answer.status, answer.json.message]).toEqual([200, 'Note changed.']);
  const changed = {
    ulid: note.ulid,
    body: 'The **carpenter** did it',
    html: '<p>The <strong>carpenter</strong> did it</p>',
    edited_at: new Date(app.clock.now()).toISOString(),
    mentions: [{ id: ana.agentId }],
  };
  expect(answer.json.note).toMatchObject(changed);
  const { messages, events, message_count: count, updated_at: after } = await detail();
  expect(messages.at(-1)).toMatchObject(changed);
  expect([count, after]).toEqual([2, before]);
  expect([await found('q=walrus'), await found('q=carpenter'), await found('mentions=me')]).toEqual([0, 1, 0]);
  expect(await found('mentions=me', ana)).toBe(1);
  expect(events.at(-1)).toMatchObject({
    event: 'ticket.note_changed',
    actor: { type: 'agent', id: ana.agentId },
    data: { message_ulid: note.ulid },
  });
  expect(JSON.stringify(events)).not.toContain('walrus');
});

test('its writer deletes a note with its files, and a line without its text is left', async () => {
  const member = await app.person('member');
  const loose = (await app.ask('POST', `${of}/attachments`, { headers: member.headers, body: file() })).json.attachment;
  const path = `${of}/messages`;
  const body = { body: 'See the log of the walrus', is_internal: true, attachment_ids: [loose.id] };
  const second = (await by(member, 'POST', path, body)).json.reply;
  expect([await found('q=log'), (await detail()).attachments.length]).toEqual([1, 1]);
  expect((await by(member, 'DELETE', `${of}/notes/${second.ulid}`)).status).toBe(204);
  expect((await remove()).status).toBe(204);
  const { messages, attachments, events, message_count: count } = await detail();
  expect([messages.length, attachments, count]).toEqual([1, [], 1]);
  expect([await found('q=walrus'), await found('q=log'), await found('mentions=me')]).toEqual([0, 0, 0]);
  const last = events.slice(-2).map(({ event, data }: { event: string; data: object }) => ({ event, ...data }));
  expect(last).toMatchObject([
    { event: 'ticket.note_deleted', message_ulid: second.ulid },
    { event: 'ticket.note_deleted', message_ulid: note.ulid },
  ]);
  expect(JSON.stringify(events)).not.toContain('walrus');
  expect([(await remove()).status, (await change({ body: 'Again' })).status]).toEqual([404, 404]);
});

describe('is refused to', () => {
  const says = ({ status, json }: { status: number; json: { code?: string } }) => [status, json?.code];

  test('everyone else, whatever their role', async () => {
    expect(says(await change({ body: 'Mine now' }, ben))).toEqual([403, 'other_agent']);
    expect(says(await remove(ben))).toEqual([403, 'other_agent']);
    expect((await app.asTeam('PATCH', `${of}/notes/${note.ulid}`, { body: 'A token’s' })).status).toBe(401);
    expect((await detail()).messages.at(-1)).toMatchObject({ ulid: note.ulid, edited_at: null });
  });

  test('its writer once they no longer see the ticket', async () => {
    app.desk.store.writing.client.run('INSERT INTO agent_sites (agent_id, site_id) VALUES (?, ?)', [
      ana.agentId,
      app.other.site.id,
    ]);
    expect([(await change({ body: 'Gone' })).status, (await remove()).status]).toEqual([404, 404]);
  });

  test('what is no note, is on another ticket, or mentions a stranger', async () => {
    const first = (await detail()).messages[0].ulid;
    const reply = (await by(ben, 'POST', `${of}/messages`, { body: 'Hi' })).json.reply.ulid;
    for (const ulid of [first, reply, 'no-ulid'])
      expect((await by(ben, 'DELETE', `${of}/notes/${ulid}`)).status, ulid).toBe(404);
    const elsewhere = `/api/v1/tickets/${(await app.open()).ulid}/notes/${note.ulid}`;
    expect((await by(ana, 'DELETE', elsewhere)).status).toBe(404);
    const stranger = await app.person('member', [app.other.site.id]);
    expect((await change({ body: '@X', mentions: [stranger.agentId] })).json.errors.mentions).toHaveLength(1);
    expect(await found('mentions=me')).toBe(1);
  });
});

test('it can be changed where a merge has moved it', async () => {
  const target = (await app.open()).ulid;
  await app.asTeam('POST', `${of}/merge`, { into: target });
  of = `/api/v1/tickets/${target}`;
  expect((await change({ body: 'Moved' })).json.note.body).toBe('Moved');
});

test('drafts are found and marked only for their agent', async () => {
  const draft = (who: typeof ana, body: string) => by(who, 'PUT', `${of}/draft`, { body, tab: 'note' });
  await app.open();
  await draft(ana, 'Not yet');
  expect([await found('has_draft=1', ana), await found('has_draft=1'), await found('has_draft=0')]).toEqual([1, 0, 2]);
  const marks = async (who: typeof ana) => {
    const list = (await by(who, 'GET', '/api/v1/tickets')).json.data as { has_draft: boolean }[];
    return [list.filter(({ has_draft: has }) => has).length, (await by(who, 'GET', of)).json.data.has_draft];
  };
  expect([await marks(ana), await marks(ben)]).toEqual([
    [1, true],
    [0, false],
  ]);
  const counts = async (who: typeof ana) => (await by(who, 'GET', '/api/v1/views/counts')).json.data;
  expect((await counts(ana)).drafts.count).toBe(1);
  expect([(await counts(ben)).drafts.count, (await counts(ben)).mentions.count]).toEqual([0, 1]);
  const refused = await app.asTeam('GET', '/api/v1/tickets?has_draft=1');
  expect([refused.status, refused.json.code]).toEqual([400, 'agent_needed']);
  await by(ana, 'DELETE', `${of}/draft`);
  expect(await found('has_draft=1', ana)).toBe(0);
});
