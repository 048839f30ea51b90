// The stream of a console: hello, events of its scope, who is present, and its end with the session.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { version } from '../../../src/base/version.ts';
import { noteBounced, recordAttempt } from '../../../src/desk/outbox/attempts.ts';
import { query } from '../../../src/engine/database.ts';
import { deleteSession } from '../../../src/store/people/sessions.ts';
import { baseUrl, type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  app = await testApp();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await app.close();
});

type Person = Awaited<ReturnType<TestApp['person']>>;
interface Frame {
  id: string | null;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  data: any;
}

async function follow({ headers }: Person, query = '', more: Record<string, string> = {}) {
  const gone = new AbortController();
  const answer = await app.fetch(
    new Request(`${baseUrl}/api/v1/live${query}`, {
      headers: { ...headers, Accept: 'text/event-stream', ...more },
      signal: gone.signal,
    }),
  );
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toStartWith('text/event-stream');
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  closing.push(() => reader.cancel());
  let text = '';
  const frames: Frame[] = [];
  let isDone = false;
  async function pull(): Promise<void> {
    const { value, done } = await reader.read();
    isDone = done;
    text += new TextDecoder().decode(value);
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1] ?? null;
      const event = field('event');
      if (event !== null) frames.push({ id: field('id'), event, data: JSON.parse(field('data') ?? '') });
    }
  }
  return {
    async next(event?: string): Promise<Frame> {
      for (;;) {
        const found = frames.shift();
        // Counts come when they are ready.
        const isAsked = (name: string) =>
          event === undefined ? name !== 'counts' && name !== 'notifications' : name === event;
        if (found && isAsked(found.event)) return found;
        if (!found && isDone) throw new Error('the stream ended');
        if (!found) await pull();
      }
    },
    async end(): Promise<void> {
      while (!isDone) await pull();
    },
    close: () => gone.abort(),
  };
}

const tell = ({ headers }: Person, ulid: string, state: string) =>
  app.ask('POST', `/api/v1/tickets/${ulid}/presence`, { headers, body: { state } });

const newest = async () => (await app.asTeam('GET', '/api/v1/events?after=0')).json.meta.newest_seq as number;

describe('a stream', () => {
  test('begins with hello and everyone present, then sends only what is new', async () => {
    const person = await app.person('member');
    await app.open();
    const stream = await follow(person);
    const before = await newest();
    expect(await stream.next()).toEqual({
      id: null,
      event: 'hello',
      data: { newest_seq: before, version, agent_id: person.agentId, rights: 'member all', is_behind: false },
    });
    expect(await stream.next()).toEqual({ id: null, event: 'present', data: { tickets: [] } });
    await app.open();
    expect(await stream.next()).toMatchObject({ id: `${before + 1}`, event: 'ticket.created' });
  });

  test('has the rights that the session read before it has, so that a change between the two shows', async () => {
    const person = await app.person('member', [app.site.id]);
    const { meta } = (await app.ask('GET', '/api/v1/session', { headers: person.headers })).json;
    expect(meta.rights).toBe(`member ${app.site.id}`);
    expect((await (await follow(person)).next('hello')).data.rights).toBe(meta.rights);
  });

  test('resumes after the last event that its reader has seen', async () => {
    const person = await app.person('member');
    await app.open();
    const seen = await newest();
    for (let at = 0; at < 3; at += 1) await app.open();
    for (const stream of [
      await follow(person, `?after=${seen}`),
      await follow(person, '', { 'Last-Event-ID': `${seen}` }),
    ]) {
      expect((await stream.next('hello')).data).toMatchObject({ newest_seq: seen + 3, is_behind: false });
      for (const seq of [1, 2, 3]) expect((await stream.next()).id).toBe(`${seen + seq}`);
      expect((await stream.next()).event).toBe('present');
    }
  });

  test('does not send hundreds of missed events, and says so; nor to a reader from the future of a restored desk', async () => {
    const person = await app.person('member');
    const from = await newest();
    for (let at = 0; at < 26; at += 1) await Promise.all(Array.from({ length: 20 }, () => app.open()));
    for (const after of [from, from + 1000]) {
      const stream = await follow(person, `?after=${after}`);
      expect((await stream.next()).data).toMatchObject({ newest_seq: from + 520, is_behind: true });
      expect((await stream.next()).event).toBe('present');
      stream.close();
    }
    const near = await follow(person, `?after=${from + 20}`);
    expect((await near.next()).data.is_behind).toBe(false);
    expect((await near.next()).id).toBe(`${from + 21}`);
  });

  test('shows an agent with one site nothing of the others', async () => {
    const scoped = await app.person('member', [app.other.site.id]);
    const everywhere = await app.person('member');
    const { ulid } = await app.open();
    const stream = await follow(scoped);
    const hello = await stream.next();
    expect(hello.data.newest_seq).toBeLessThan(await newest());
    await stream.next('present');
    await tell(everywhere, ulid, 'viewing');
    await app.open();
    const there = await app.ask('POST', '/api/v1/public/tickets', {
      headers: { 'X-Site-Token': app.other.siteToken },
      body: { email: 'mia@example.org', subject: 'There', message: 'Hello' },
    });
    expect(await stream.next()).toMatchObject({ event: 'ticket.created', data: { site_id: app.other.site.id } });
    await tell(everywhere, there.json.ticket.ulid, 'viewing');
    expect(await stream.next()).toMatchObject({ event: 'presence', data: { ticket: there.json.ticket.ulid } });
    const late = await follow(scoped);
    expect((await late.next('present')).data.tickets).toHaveLength(1);
  });

  test('ends when the session does', async () => {
    const person = await app.person('member');
    const stream = await follow(person);
    await stream.next('present');
    await app.desk.write((tx) => {
      deleteSession(tx, person.sessionId);
      return null;
    });
    await stream.end();
    const again = await app.ask('GET', '/api/v1/live', { headers: person.headers });
    expect([again.status, again.json.code]).toEqual([401, 'unknown_token']);
  });

  test('is only for people, and thirty for each session, together with those of /events', async () => {
    const { secret } = await app.token(['read']);
    const asToken = await app.ask('GET', '/api/v1/live', { headers: { Authorization: `Bearer ${secret}` } });
    expect(asToken.status).toBe(401);
    const person = await app.person('viewer');
    for (let at = 0; at < 29; at += 1) await follow(person);
    const asked = (path: string) =>
      app.fetch(new Request(baseUrl + path, { headers: { ...person.headers, Accept: 'text/event-stream' } }));
    const last = await asked('/api/v1/events');
    closing.push(() => last.body?.cancel());
    expect([last.status, (await asked('/api/v1/live')).status]).toEqual([200, 429]);
  });
});

describe('presence', () => {
  test('reaches other agents, and the answer names the others', async () => {
    const [ana, bo] = [await app.person('member'), await app.person('viewer')];
    const { ulid } = await app.open();
    const stream = await follow(ana);
    await stream.next('present');
    expect((await tell(ana, ulid, 'viewing')).json).toEqual({ data: [] });
    const answer = await tell(bo, ulid, 'writing');
    expect(answer.json.data).toEqual([{ agent: { id: ana.agentId, name: 'The member 1' }, state: 'viewing' }]);
    const both = [
      { id: ana.agentId, name: 'The member 1', state: 'viewing' },
      { id: bo.agentId, name: 'The viewer 2', state: 'writing' },
    ];
    let frame = await stream.next();
    while (frame.data.agents.length < 2) frame = await stream.next();
    expect(frame).toMatchObject({ id: null, event: 'presence', data: { ticket: ulid, agents: both } });
    await tell(bo, ulid, 'gone');
    expect((await stream.next()).data.agents).toEqual(both.slice(0, 1));
    const late = await follow(bo);
    expect((await late.next('present')).data.tickets).toMatchObject([{ ticket: ulid, agents: both.slice(0, 1) }]);
  });

  test('ends on the ticket that one left, with the same word', async () => {
    const [ana, bo] = [await app.person('member'), await app.person('viewer')];
    const [from, to] = [await app.open(), await app.open()];
    for (const who of [ana, bo]) await tell(who, from.ulid, 'viewing');
    const word = (left: string) =>
      app.ask('POST', `/api/v1/tickets/${to.ulid}/presence`, {
        headers: ana.headers,
        body: { state: 'viewing', left },
      });
    expect((await word(from.ulid)).status).toBe(200);
    const open = app.edge.presence.all().map(({ ulid, agents }) => [ulid, agents.map(({ id }) => id)]);
    expect(open).toEqual([
      [from.ulid, [bo.agentId]],
      [to.ulid, [ana.agentId]],
    ]);
    expect((await word('sideways')).status).toBe(422);
  });

  test('marks the ticket as read, if the word says so', async () => {
    const { headers } = await app.person('member');
    const { ulid } = await app.open();
    const isUnread = async () => (await app.ask('GET', `/api/v1/tickets/${ulid}`, { headers })).json.data.is_unread;
    const word = (body: object) => app.ask('POST', `/api/v1/tickets/${ulid}/presence`, { headers, body });
    await word({ state: 'viewing' });
    expect(await isUnread()).toBe(true);
    expect((await word({ state: 'viewing', read: true })).status).toBe(200);
    expect(await isUnread()).toBe(false);
  });

  test('changes nothing that is stored', async () => {
    const person = await app.person('member');
    const { ulid } = await app.open();
    const before = [app.counts(), app.desk.writer.batches.commits];
    expect((await tell(person, ulid, 'viewing')).status).toBe(200);
    expect([app.counts(), app.desk.writer.batches.commits]).toEqual(before);
  });

  test('takes nothing from what the session may ask, and has a limit of its own', async () => {
    const limited = await testApp({ session: 3 });
    try {
      const { headers } = await limited.person('member');
      const { ulid } = await limited.open();
      const word = () =>
        limited.ask('POST', `/api/v1/tickets/${ulid}/presence`, { headers, body: { state: 'viewing' } });
      const statuses = [await word(), await word(), await word(), await word()].map(({ status }) => status);
      expect(statuses).toEqual([200, 200, 200, 429]);
      expect((await limited.ask('GET', `/api/v1/tickets/${ulid}`, { headers })).status).toBe(200);
    } finally {
      await limited.close();
    }
  });

  test('is refused outside the scope, and for another state', async () => {
    const scoped = await app.person('admin', [app.other.site.id]);
    const { ulid } = await app.open();
    expect((await tell(scoped, ulid, 'viewing')).status).toBe(404);
    expect((await tell(await app.person('member'), ulid, 'sleeping')).status).toBe(422);
    expect(app.edge.presence.all()).toEqual([]);
  });

  test('is in one look, without a stream', async () => {
    const person = await app.person('member');
    const { ulid } = await app.open();
    await tell(person, ulid, 'writing');
    const { data } = (await app.ask('GET', '/api/v1/live', { headers: person.headers })).json;
    expect(data).toMatchObject({ newest_seq: await newest(), version, agent_id: person.agentId });
    expect(data.presence).toMatchObject([{ ticket: ulid, agents: [{ id: person.agentId, state: 'writing' }] }]);
  });
});

describe('what becomes of a mail', () => {
  /** A reply by mail. @returns what the dispatcher does with it */
  async function reply(ticket: string) {
    const { json } = await app.asTeam('POST', `/api/v1/tickets/${ticket}/messages`, { body: 'Try again.' });
    const message = json.reply.ulid as string;
    const [mail] = app.desk.read((tx) =>
      query<{ id: number; messageId: number }>(
        tx,
        "SELECT id, payload ->> 'message_id' AS messageId FROM deliveries WHERE event = 'mail.agent_reply' ORDER BY id DESC",
      ).all(),
    );
    if (!mail) throw new Error('no mail');
    const context = () => app.desk.context({ kind: 'desk' }, 'test');
    const attempt = { deliveryId: mail.id, durationMs: 1, responseStatus: 250, responseExcerpt: '', error: null };
    return {
      message,
      send: () =>
        app.desk.write((tx) => {
          recordAttempt(tx, context(), { ...attempt, result: { outcome: 'delivered' } });
          return null;
        }),
      comeBack: () =>
        app.desk.write((tx) => {
          noteBounced(tx, context(), mail.id, mail.messageId, 'mia@example.org', '5.1.1 No such user');
          return null;
        }),
    };
  }

  test('is told to everyone who may read the ticket, when it was sent and when it came back', async () => {
    const there = await follow(await app.person('member', [app.other.site.id]));
    const here = await follow(await app.person('viewer'));
    for (const stream of [there, here]) await stream.next('present');
    const { ulid } = await app.open();
    const { message, send, comeBack } = await reply(ulid);
    await send();
    const told = await here.next('delivery');
    expect(told).toMatchObject({
      id: null,
      data: { ticket: ulid, message, delivery: { status: 'sent', error: null } },
    });
    await comeBack();
    const { delivery } = (await here.next('delivery')).data;
    expect(delivery).toMatchObject({ status: 'bounced', error: '5.1.1 No such user' });
    const { json } = await app.asTeam('GET', `/api/v1/tickets/${ulid}`);
    expect(json.data.messages.at(-1).delivery).toEqual(delivery);
    await app.ask('POST', '/api/v1/public/tickets', {
      headers: { 'X-Site-Token': app.other.siteToken },
      body: { email: 'mia@example.org', subject: 'There', message: 'Hello' },
    });
    expect(await there.next()).toMatchObject({ event: 'ticket.created', data: { site_id: app.other.site.id } });
  });

  test('is no numbered event, which tokens and the history would see', async () => {
    const { ulid } = await app.open();
    const { send } = await reply(ulid);
    const before = await newest();
    const history = (await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).json.data.events;
    await send();
    expect(await newest()).toBe(before);
    expect((await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).json.data.events).toEqual(history);
  });
});

describe('counts', () => {
  test('come with the stream, and again when they have changed', async () => {
    const person = await app.person('member');
    await app.open();
    const stream = await follow(person);
    const first = await stream.next('counts');
    expect(first.id).toBeNull();
    expect(first.data).toMatchObject({
      open: { count: 1, is_capped: false },
      unassigned: { count: 1, is_capped: false },
      mine: { count: 0, is_capped: false },
    });
    const { ulid } = await app.open();
    await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { assigned_to: person.agentId });
    // They may come between the two changes as well.
    let counts = (await stream.next('counts')).data;
    while (counts.mine.count === 0) counts = (await stream.next('counts')).data;
    expect(counts).toMatchObject({ open: { count: 2 }, mine: { count: 1 } });
    const late = await follow(person);
    expect((await late.next('counts')).data).toMatchObject({ open: { count: 2 }, mine: { count: 1 } });
  });

  test('are of the agent and of their sites', async () => {
    await app.open();
    const scoped = await app.person('member', [app.other.site.id]);
    const everywhere = await app.person('member');
    const streams = [await follow(scoped), await follow(everywhere)];
    const counted = await Promise.all(streams.map(async (stream) => (await stream.next('counts')).data.open.count));
    expect(counted).toEqual([0, 1]);
    const look = await app.ask('GET', '/api/v1/live', { headers: scoped.headers });
    expect(look.json.data.counts.open).toEqual({ count: 0, is_capped: false });
  });
});

test('tells an agent what they have not read, at the beginning and after each change, and no one else', async () => {
  const [ana, ben] = [await app.person('member'), await app.person('member')];
  const [own, other] = [await follow(ana), await follow(ben)];
  expect((await own.next('notifications')).data).toEqual({ unread: 0, newest: [] });
  await other.next('notifications');
  const { ulid } = await app.open();
  await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { assigned_to: ana.agentId });
  const told = (await own.next('notifications')).data;
  expect(told).toMatchObject({ unread: 1, newest: [{ kind: 'assigned', ticket: { ulid }, desktop: true }] });
  // After a cut, the first frame has what was missed.
  expect((await (await follow(ana)).next('notifications')).data).toMatchObject({ unread: 1 });
  await app.ask('PUT', `/api/v1/tickets/${ulid}/read`, { headers: ana.headers });
  expect((await own.next('notifications')).data).toEqual({ unread: 0, newest: [] });
  const second = (await app.open()).ulid;
  await app.asTeam('PATCH', `/api/v1/tickets/${second}`, { assigned_to: ben.agentId });
  expect((await other.next('notifications')).data.newest[0].ticket.ulid).toBe(second);
});

test('says of each notification whether it may ring: by the agent’s choice, and not in a pause', async () => {
  const ana = await app.person('member');
  const choose = (body: object) =>
    app.ask('PATCH', '/api/v1/me/notification-preferences', { headers: ana.headers, body });
  const stream = await follow(ana);
  await stream.next('notifications');
  const assigned = async () => {
    const { ulid } = await app.open();
    await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { assigned_to: ana.agentId });
    const { desktop, sound } = (await stream.next('notifications')).data.newest[0];
    return { desktop, sound };
  };
  // Nothing makes a sound until the agent wants it.
  expect(await assigned()).toEqual({ desktop: true, sound: false });
  await choose({ events: { assigned: { desktop: false, sound: true } } });
  expect(await assigned()).toEqual({ desktop: false, sound: true });
  await choose({ paused_until: '2100-01-01T00:00:00Z', events: { assigned: { desktop: true } } });
  expect(await assigned()).toEqual({ desktop: false, sound: false });
});
