// Replies over HTTP: Markdown, what waits to be sent and who sees it, drafts, loose files and sending again.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { query } from '../../../src/engine/database.ts';
import { sendScheduled } from '../../../src/jobs/ticket-scans.ts';
import { suppressAddress } from '../../../src/store/mail/suppressions.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { file } from '../walks/step.ts';

let app: TestApp;
let ticket: { ulid: string; accessToken: string };
let of: string;
beforeEach(async () => {
  app = await testApp();
  ticket = await app.open();
  of = `/api/v1/tickets/${ticket.ulid}`;
});
afterEach(() => app.close());

const reply = (body: object, headers = {}) => app.asTeam('POST', `${of}/messages`, { body: 'Here.', ...body }, headers);
const thread = () => app.asSite('GET', `/api/v1/public/tickets/${ticket.ulid}?access_token=${ticket.accessToken}`);
const detail = async () => (await app.asTeam('GET', of)).json.data;
const upload = async () => (await app.asTeam('POST', `${of}/attachments`, file())).json.attachment;
async function later(seconds: number) {
  app.clock.advance(seconds * 1000);
  await sendScheduled(app.desk);
}

describe('Markdown', () => {
  const body = '**Bold** <b>\n\n- [x](javascript:alert(1))';
  const html = '<p><strong>Bold</strong> &lt;b&gt;</p>\n<ul>\n<li><span>x</span></li>\n</ul>';

  test('is shown as it was written and as safe HTML, to agents and customers', async () => {
    const sent = (await reply({ body, body_format: 'markdown' })).json.reply;
    expect(sent).toMatchObject({ body, body_format: 'markdown', html });
    const seen = (await thread()).json.data.messages[1];
    expect(seen).toMatchObject({ body, body_format: 'markdown', html });
    expect((await reply({})).json.reply).toMatchObject({ body_format: 'text', html: null });
    expect((await thread()).json.data.messages[2].html).toBeNull();
  });

  test('can be in a note, and is not HTML', async () => {
    const note = await app.asTeam('POST', `${of}/notes`, { body, body_format: 'markdown' });
    expect(note.json.note).toMatchObject({ html, is_internal: true });
    expect((await reply({ body_format: 'html' })).status).toBe(422);
  });
});

describe('a reply that waits', () => {
  test('is seen by agents, last and without an id, and by no customer', async () => {
    const attachment = await upload();
    const answer = await reply({
      hold_seconds: 10,
      body: 'top secret walrus',
      attachment_ids: [attachment.id],
      status: 'resolved',
    });
    expect([answer.status, answer.json.message]).toEqual([201, 'Reply scheduled.']);
    const { ulid } = answer.json.reply;
    const due = new Date(app.clock.now() + 10_000).toISOString();
    expect(answer.json.reply).toMatchObject({ id: null, send_at: due, attachments: [{ ulid: attachment.ulid }] });
    await app.asSite('POST', `/api/v1/public/tickets/${ticket.ulid}/messages?access_token=${ticket.accessToken}`, {
      body: 'Hello?',
    });
    const { messages, message_count, last_agent_message_at } = await detail();
    expect(messages.map((message: { ulid: string }) => message.ulid).at(-1)).toBe(ulid);
    expect({ message_count, last_agent_message_at }).toEqual({ message_count: 2, last_agent_message_at: null });

    const customers = await thread();
    for (const secret of ['walrus', ulid, attachment.ulid]) expect(customers.text).not.toContain(secret);
    const own = `/api/v1/public/tickets/${ticket.ulid}`;
    for (const path of [
      `${own}/messages/${ulid}?access_token=${ticket.accessToken}`,
      `${own}/attachments/${attachment.ulid}?access_token=${ticket.accessToken}`,
      `/api/v1/attachments/${attachment.ulid}`,
    ])
      expect([404, 405]).toContain((await app.asSite('GET', path)).status);
    expect((await app.asTeam('GET', '/api/v1/tickets?q=walrus')).json.data).toEqual([]);
    expect((await app.asTeam('GET', '/api/v1/tickets')).text).not.toContain('walrus');
    const events = await app.asTeam('GET', '/api/v1/events?after=0');
    expect(events.text).toContain('ticket.reply_scheduled');
    expect(events.text).not.toContain('walrus');
    const deliveries = query<{ payload: string; event: string }>(app.desk.store.reading, 'SELECT * FROM deliveries');
    expect(deliveries.all().filter(({ event }) => event === 'mail.agent_reply')).toEqual([]);

    await later(10);
    expect((await thread()).json.data.messages.at(-1)).toMatchObject({
      ulid,
      body: 'top secret walrus',
      attachments: [{ ulid: attachment.ulid }],
    });
    expect(await detail()).toMatchObject({ message_count: 3, status: 'resolved' });
  });

  test('keeps the customer’s view of the ticket as it was, and changes the agents’ ETag', async () => {
    const before = await thread();
    const etag = (await app.asTeam('GET', of)).headers.get('etag') ?? '';
    app.clock.advance(5000);
    await reply({ hold_seconds: 10 });
    expect((await thread()).json.data).toEqual(before.json.data);
    expect((await app.asTeam('GET', of, undefined, { 'If-None-Match': etag })).status).toBe(200);
  });

  test('no event of it reaches a webhook channel that takes every event', async () => {
    const events = ['ticket.created', 'ticket.replied', 'ticket.status_changed', 'ticket.assigned'];
    const channel = { name: 'All', type: 'custom', webhook_url: 'https://hooks.example.org/x', events };
    const made = await app.asTeam('POST', `/api/v1/sites/${app.site.slug}/webhook-channels`, channel);
    expect(made.status).toBe(201);
    const sent = await reply({ hold_seconds: 10 });
    await app.asTeam('DELETE', `${of}/messages/${sent.json.reply.ulid}`);
    const log = await app.asTeam(
      'GET',
      `/api/v1/sites/${app.site.slug}/webhook-channels/${made.json.data.id}/deliveries`,
    );
    expect(log.json.data).toEqual([]);
    const unknown = { ...channel, events: ['ticket.reply_scheduled'] };
    expect((await app.asTeam('POST', `/api/v1/sites/${app.site.slug}/webhook-channels`, unknown)).status).toBe(422);
  });

  test('is withdrawn with its text, or too late', async () => {
    const attachment = await upload();
    const { ulid } = (await reply({ hold_seconds: 10, attachment_ids: [attachment.id] })).json.reply;
    const gone = await app.asTeam('DELETE', `${of}/messages/${ulid.toLowerCase()}`);
    expect([gone.status, gone.json.data.body]).toEqual([200, 'Here.']);
    expect(gone.json.data.attachments).toMatchObject([{ ulid: attachment.ulid }]);
    expect((await app.asTeam('DELETE', `${of}/messages/${ulid}`)).status).toBe(404);
    const { ulid: second } = (await reply({ hold_seconds: 10, attachment_ids: [attachment.id] })).json.reply;
    await later(10);
    const late = await app.asTeam('DELETE', `${of}/messages/${second}`);
    expect([late.status, late.json.code]).toEqual([409, 'already_sent']);
  });

  test('of 20 withdrawals and the scanner at the same moment, one wins', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { ulid } = (await reply({ hold_seconds: 1 })).json.reply;
      const before = (await detail()).message_count;
      app.clock.advance(1000);
      const asked = Array.from({ length: 20 }, () => app.asTeam('DELETE', `${of}/messages/${ulid}`));
      const [answers] = await Promise.all([Promise.all(asked), sendScheduled(app.desk)]);
      const won = answers.filter(({ status }) => status === 200).length;
      expect(won + (await detail()).message_count - before).toBe(1);
      expect(answers.every(({ status }) => status === 200 || status === 404 || status === 409)).toBe(true);
    }
  });

  test('two scanners side by side send it once', async () => {
    await reply({ hold_seconds: 1 });
    app.clock.advance(1000);
    await Promise.all(Array.from({ length: 5 }, () => sendScheduled(app.desk)));
    expect((await detail()).message_count).toBe(2);
  });

  test('with an Idempotency-Key is scheduled once, and a repeat after a withdrawal does not bring it back', async () => {
    const key = { 'Idempotency-Key': 'send-1' };
    const first = await reply({ hold_seconds: 10 }, key);
    const again = await reply({ hold_seconds: 10 }, key);
    expect(again.json.reply.ulid).toBe(first.json.reply.ulid);
    await app.asTeam('DELETE', `${of}/messages/${first.json.reply.ulid}`);
    expect((await reply({ hold_seconds: 10 }, key)).headers.get('idempotency-replayed')).toBe('true');
    await later(60);
    expect((await detail()).message_count).toBe(1);
  });

  test('belongs to its site: no other token or agent reads or withdraws it', async () => {
    const { ulid } = (await reply({ hold_seconds: 10 })).json.reply;
    const { secret } = await app.token(['read', 'write', 'manage'], app.other.site.id);
    const stranger = { Authorization: `Bearer ${secret}` };
    expect((await app.ask('GET', of, { headers: stranger })).status).toBe(404);
    expect((await app.ask('DELETE', `${of}/messages/${ulid}`, { headers: stranger })).status).toBe(404);
    const viewer = await app.person('viewer', [app.site.id]);
    expect((await app.ask('DELETE', `${of}/messages/${ulid}`, viewer)).status).toBe(403);
  });

  test('a damaged one does not hold up the others', async () => {
    const other = await app.open();
    await reply({ hold_seconds: 1 });
    await app.asTeam('POST', `/api/v1/tickets/${other.ulid}/messages`, { body: 'Fine', hold_seconds: 2 });
    const { client } = app.desk.store.writing;
    client.run(
      "UPDATE scheduled_replies SET mentions = 'x' WHERE send_at = (SELECT min(send_at) FROM scheduled_replies)",
    );
    await later(3);
    expect((await app.asTeam('GET', `/api/v1/tickets/${other.ulid}`)).json.data.message_count).toBe(2);
    client.run("UPDATE scheduled_replies SET mentions = '[]'");
    await later(3600);
    expect((await detail()).message_count).toBe(2);
  });
});

test('a stale thread is a 409 that names the field', async () => {
  const seen = (await detail()).messages[0].ulid;
  await app.asSite('POST', `/api/v1/public/tickets/${ticket.ulid}/messages?access_token=${ticket.accessToken}`, {
    body: 'It works now.',
  });
  const answer = await reply({ after_message: seen, hold_seconds: 10 });
  expect([answer.status, answer.json.code]).toEqual([409, 'stale_thread']);
  expect(answer.json.errors.after_message).toHaveLength(1);
  expect((await detail()).messages).toHaveLength(2);
});

test('an agent’s own messages do not make the thread stale for them, but for another agent', async () => {
  const [ana, ben] = [await app.person('member'), await app.person('member')];
  const seen = (await detail()).messages[0].ulid;
  const say = (who: typeof ana) =>
    app.ask('POST', `${of}/messages`, { headers: who.headers, body: { body: 'Hi', after_message: seen } });
  expect([(await say(ana)).status, (await say(ana)).status, (await say(ben)).status]).toEqual([201, 201, 409]);
});

describe('mentions', () => {
  test('are shown to agents, found by the list, and unknown to customers', async () => {
    const ana = await app.person('member', [app.site.id]);
    const stranger = await app.person('member', [app.other.site.id]);
    const note = (ids: number[]) => app.asTeam('POST', `${of}/notes`, { body: '@Ana look', mentions: ids });
    expect((await note([ana.agentId, ana.agentId])).json.note.mentions).toMatchObject([{ id: ana.agentId }]);
    expect((await note([stranger.agentId])).json.errors.mentions).toHaveLength(1);
    await app.open();
    const mine = await app.ask('GET', '/api/v1/tickets?mentions=me', { headers: ana.headers });
    expect(mine.json.data.map(({ ulid }: { ulid: string }) => ulid)).toEqual([ticket.ulid]);
    expect(mine.json.meta.total).toBe(1);
    expect((await app.asTeam('GET', `/api/v1/tickets?mentions=${ana.agentId}`)).json.data).toHaveLength(1);
    expect((await app.asTeam('GET', '/api/v1/tickets?mentions=me')).status).toBe(400);
    const target = await app.open();
    await app.asTeam('POST', `${of}/merge`, { into: target.ulid });
    const moved = await app.ask('GET', '/api/v1/tickets?mentions=me', { headers: ana.headers });
    expect(moved.json.data.map(({ ulid }: { ulid: string }) => ulid)).toEqual([target.ulid]);
  });

  test('of a reply that waits count once it is sent, without an agent who left', async () => {
    const [ana, ben] = [await app.person('member'), await app.person('member')];
    const mentions = [ana.agentId, ben.agentId];
    expect((await reply({ hold_seconds: 10, mentions })).json.reply.mentions).toHaveLength(2);
    const list = () => app.ask('GET', '/api/v1/tickets?mentions=me', { headers: ana.headers });
    expect((await list()).json.data).toEqual([]);
    app.desk.store.writing.client.run('UPDATE agents SET is_active = 0 WHERE id = ?', [ben.agentId]);
    await later(10);
    expect((await list()).json.data).toHaveLength(1);
    expect((await detail()).messages.at(-1).mentions).toMatchObject([{ id: ana.agentId }]);
    expect((await thread()).text).not.toContain('mentions');
  });
});

describe('a draft', () => {
  const draft = (method: string, who: { headers: Record<string, string> }, body?: object) =>
    app.ask(method, `${of}/draft`, { headers: who.headers, body });

  test('belongs to one agent', async () => {
    const [ana, ben] = [await app.person('member'), await app.person('member')];
    expect((await draft('GET', ana)).json).toEqual({ data: null, left: [] });
    const saved = await draft('PUT', ana, { body: 'Dear', body_format: 'markdown', tab: 'reply' });
    expect(saved.json.data).toMatchObject({ body: 'Dear', body_format: 'markdown', tab: 'reply', attachments: [] });
    expect((await draft('GET', ana)).json).toEqual({ ...saved.json, left: [] });
    expect((await draft('GET', ben)).json).toEqual({ data: null, left: [] });
    expect((await app.asTeam('GET', `${of}/draft`)).status).toBe(401);
    expect((await app.asTeam('GET', of)).text).not.toContain('Dear');
    expect([(await draft('DELETE', ana)).status, (await draft('DELETE', ana)).status]).toEqual([200, 200]);
    expect((await draft('GET', ana)).json).toEqual({ data: null, left: [] });
  });

  test('holds loose files, also of a body that is empty, and up to 50,000 characters', async () => {
    const ana = await app.person('member');
    const attachment = await upload();
    const saved = await draft('PUT', ana, { body: '', attachment_ids: [attachment.id] });
    expect(saved.json.data.attachments).toMatchObject([{ ulid: attachment.ulid }]);
    expect((await draft('PUT', ana, { body: 'x'.repeat(50_000) })).status).toBe(200);
    expect((await draft('PUT', ana, { body: 'x'.repeat(50_001) })).status).toBe(422);
    expect((await draft('PUT', ana, { body: 'x', attachment_ids: [9999] })).status).toBe(422);
  });

  test('keeps whom it goes to, without people who are erased', async () => {
    const ana = await app.person('member');
    await app.asTeam('POST', `${of}/participants`, { email: 'bo@example.org' });
    const fields = { left_out: ['bo@example.org'], from: 3 };
    const saved = await draft('PUT', ana, { body: '', fields });
    expect(saved.json.data).toMatchObject({ body: '', fields });
    expect((await draft('GET', ana)).json.data.fields).toEqual(fields);
    await app.asTeam('POST', '/api/v1/authors/anonymise', { site_id: app.site.id, email: 'bo@example.org' });
    const left = (await draft('GET', ana)).json.data.fields;
    expect(left.from).toBe(3);
    expect(JSON.stringify(left)).not.toContain('bo@');
    expect((await draft('PUT', ana, { body: '', fields: { note: 'x'.repeat(100_000) } })).status).toBe(422);
  });

  test('goes when it is sent, from its own tab only', async () => {
    const ana = await app.person('member');
    const say = (path: string, body: object) =>
      app.ask('POST', `${of}/${path}`, { headers: ana.headers, body: { body: 'Hi', ...body } });
    for (const [tab, path, extra] of [
      ['reply', 'messages', {}],
      ['reply', 'messages', { hold_seconds: 10 }],
      ['note', 'notes', {}],
    ] as const) {
      await draft('PUT', ana, { body: 'Dear', tab: tab === 'note' ? 'reply' : 'note' });
      await say(path, extra);
      expect((await draft('GET', ana)).json.data).not.toBeNull();
      await draft('PUT', ana, { body: 'Dear', tab });
      await say(path, extra);
      expect((await draft('GET', ana)).json.data).toBeNull();
    }
  });

  test('moves with a merge, beside what was written there', async () => {
    const ana = await app.person('member');
    const target = await app.open();
    await draft('PUT', ana, { body: 'from here' });
    const there = `/api/v1/tickets/${target.ulid}/draft`;
    await app.ask('PUT', there, { headers: ana.headers, body: { body: 'from there', tab: 'note' } });
    await app.asTeam('POST', `${of}/merge`, { into: target.ulid });
    const merged = await app.ask('GET', there, { headers: ana.headers });
    expect(merged.json.data).toMatchObject({ body: 'from there\n\nfrom here', tab: 'note' });
    expect((await draft('GET', ana)).json.data).toBeNull();
    expect((await draft('PUT', ana, { body: 'late' })).json.code).toBe('ticket_merged');
  });

  test('stays with a merge into the ticket of another customer, which names it to its agent alone', async () => {
    const [ana, ben] = [await app.person('member'), await app.person('member')];
    const [from, over, into] = [
      await app.open(),
      await app.open(),
      await app.open({ external_id: null, email: 'tom@example.org', name: 'Tom' }),
    ];
    const draftOn = (ulid: string, method: string, who = ana, body?: object) =>
      app.ask(method, `/api/v1/tickets/${ulid}/draft`, { headers: who.headers, body });
    await draftOn(over.ulid, 'PUT', ana, { body: 'Dear Mia' });
    await app.asTeam('POST', `/api/v1/tickets/${over.ulid}/merge`, { into: into.ulid });
    expect((await draftOn(into.ulid, 'GET')).json).toMatchObject({
      data: null,
      left: [{ body: 'Dear Mia', ticket: over.ulid, author: { email: expect.any(String) } }],
    });
    expect((await draftOn(into.ulid, 'GET', ben)).json).toEqual({ data: null, left: [] });
    // Also by way of another ticket.
    await app.asTeam('POST', `/api/v1/tickets/${into.ulid}/merge`, { into: from.ulid });
    expect((await draftOn(from.ulid, 'GET')).json.left).toMatchObject([{ body: 'Dear Mia' }]);
    await draftOn(over.ulid, 'DELETE');
    expect((await draftOn(from.ulid, 'GET')).json.left).toEqual([]);
  });

  test('of a viewer is for notes: they write one too', async () => {
    const viewer = await app.person('viewer', [app.site.id]);
    expect((await draft('PUT', viewer, { body: 'Seen', tab: 'note' })).status).toBe(200);
    const foreign = await app.person('viewer', [app.other.site.id]);
    expect((await draft('GET', foreign)).status).toBe(404);
  });
});

describe('a loose file', () => {
  test('is removed by who uploaded it', async () => {
    const [ana, ben] = [await app.person('member'), await app.person('member')];
    const sent = await app.ask('POST', `${of}/attachments`, { headers: ana.headers, body: file() });
    const path = `${of}/attachments/${sent.json.attachment.ulid}`;
    const remove = (headers: Record<string, string>) => app.ask('DELETE', path, { headers });
    expect((await remove(ben.headers)).json.code).toBe('other_agent');
    expect((await app.asTeam('DELETE', path)).json.code).toBe('other_agent');
    expect((await remove(ana.headers)).status).toBe(204);
    expect((await remove(ana.headers)).status).toBe(404);
    expect((await detail()).attachments).toEqual([]);
  });

  test('of a message, or of a reply that waits, stays', async () => {
    const [one, two] = [await upload(), await upload()];
    await reply({ attachment_ids: [one.id] });
    await reply({ attachment_ids: [two.id], hold_seconds: 10 });
    for (const { ulid } of [one, two])
      expect((await app.asTeam('DELETE', `${of}/attachments/${ulid}`)).json.code).toBe('attachment_in_use');
    const theirs = await app.asSite(
      'POST',
      `/api/v1/public/tickets/${ticket.ulid}/attachments?access_token=${ticket.accessToken}`,
      file(),
    );
    const path = `${of}/attachments/${theirs.json.attachment.ulid}`;
    expect((await app.asTeam('DELETE', path)).json.code).toBe('attachment_in_use');
  });
});

describe('sending again', () => {
  const mails = () =>
    query<{ recipient: string }>(
      app.desk.store.reading,
      "SELECT recipient FROM deliveries WHERE event = 'mail.agent_reply' ORDER BY id",
    ).all();
  const fail = (id: number, status: string) =>
    app.desk.store.writing.client.run('UPDATE messages SET delivery = ?, recipients = NULL WHERE id = ?', [
      JSON.stringify({ status, at: '2026-09-11T09:30:00.000Z', error: '550' }),
      id,
    ]);

  test('queues a failed or bounced reply to the address of today, once', async () => {
    const { id, ulid } = (await reply({})).json.reply;
    const again = () => app.asTeam('POST', `${of}/messages/${ulid}/resend`);
    expect((await again()).json.code).toBe('not_failed');
    for (const [at, status] of ['failed', 'bounced'].entries()) {
      fail(id, status);
      await app.desk.write((tx) => suppressAddress(tx, app.site.id, 'mia@example.org', 'x', 1));
      expect((await detail()).author_paused_at).toBe('1970-01-01T00:00:00.001Z');
      expect((await again()).json.data.delivery).toMatchObject({ status: 'queued', error: null });
      expect((await again()).json.code).toBe('not_failed');
      expect((await detail()).author_paused_at).toBeNull();
      expect(mails()).toHaveLength(at + 2);
    }
    expect((await detail()).events.map(({ event }: { event: string }) => event)).toContain('ticket.reply_resent');
  });

  test('says for programs why the desk itself did not mail it, and not what a mail server said', async () => {
    const last = async () => (await detail()).messages.at(-1);
    fail((await reply({})).json.reply.id, 'failed');
    expect((await last()).delivery).toMatchObject({ error: '550', error_code: null });
    await app.desk.write((tx) => suppressAddress(tx, app.site.id, 'mia@example.org', 'x', 1));
    await reply({});
    const code = 'bounced_before';
    expect(await last()).toMatchObject({ delivery: { error_code: code }, recipients: [{ error_code: code }] });
  });

  test('to an address of the desk, or to too many, is refused with a code', async () => {
    const email = 'help@shop.example';
    await app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { settings: { mail_from_address: email } });
    expect(await reply({ cc: [{ email }] })).toMatchObject({ status: 422, json: { code: 'desk_address' } });
    const many = Array.from({ length: 16 }, (_, at) => at);
    const refused = await reply({
      cc: many.map((at) => ({ email: `a${at}@x.example` })),
      bcc: many.map((at) => ({ email: `b${at}@x.example` })),
    });
    expect(refused).toMatchObject({ status: 422, json: { code: 'too_many_recipients' } });
  });

  test('also after a merge, to the other author', async () => {
    const { id, ulid } = (await reply({})).json.reply;
    fail(id, 'failed');
    const target = await app.open({ email: 'ben@example.org' });
    await app.asTeam('POST', `${of}/merge`, { into: target.ulid });
    const path = `/api/v1/tickets/${target.ulid}/messages/${ulid}/resend`;
    expect((await app.asTeam('POST', path)).status).toBe(200);
    expect(mails().at(-1)).toEqual({ recipient: 'ben@example.org' });
  });

  test('is refused for an erased author, a customer’s message and one of another ticket', async () => {
    const { id, ulid } = (await reply({})).json.reply;
    fail(id, 'failed');
    const other = await app.open({ email: 'other@example.org' });
    expect((await app.asTeam('POST', `/api/v1/tickets/${other.ulid}/messages/${ulid}/resend`)).status).toBe(404);
    const first = (await detail()).messages[0].ulid;
    expect((await app.asTeam('POST', `${of}/messages/${first}/resend`)).json.code).toBe('not_failed');
    await app.asTeam('POST', '/api/v1/authors/anonymise', { site_id: app.site.id, email: 'mia@example.org' });
    expect((await app.asTeam('POST', `${of}/messages/${ulid}/resend`)).json.code).toBe('author_erased');
  });
});
