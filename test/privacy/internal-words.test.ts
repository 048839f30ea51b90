// What is internal is in nothing that a customer gets, after any history: each internal text has a mark, and no mail to a
// customer, page, answer, file or webhook may have one.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { createTransport } from 'nodemailer';
import { silentLog } from '../../src/base/log.ts';
import { sendDue } from '../../src/desk/tickets/scheduled-replies.ts';
import { hourMs } from '../../src/domain/instant.ts';
import { mailedNumbers } from '../../src/http/wire/reports/mailed-report.ts';
import { deskIdOf } from '../../src/jobs/mail-reading.ts';
import { parseAllowList } from '../../src/net/allow-list.ts';
import { createDispatcher, type Dispatcher } from '../../src/outbox/dispatcher.ts';
import { mail } from '../desk/mail/mail-desk.ts';
import { type Receiver, startReceiver } from '../outbox/receiver.ts';
import { type Answered, baseUrl, type TestApp, testApp } from '../support/app.ts';
import { caseCount } from '../support/case-count.ts';
import { type CustomerBrowser, codesSent, customerBrowser } from '../support/customer-browser.ts';
import { inlineReader } from '../support/inline-reader.ts';

const minute = 60_000;
/** Of what only agents read, and of what a supplier reads too. */
const kinds = { internal: 'zwqxnote', aside: 'zwqxside' };
let marks = 0;
const marked = (kind: keyof typeof kinds) => {
  marks += 1;
  return `${kinds[kind]}${marks}`;
};
const hidden = () => marked('internal');
const marksIn = (text: string, which: (keyof typeof kinds)[] = ['internal', 'aside']) => [
  ...new Set(which.flatMap((kind) => text.match(new RegExp(`${kinds[kind]}\\d*`, 'gi')) ?? [])),
];

interface Letter {
  to: string[];
  replyTo: string;
  /** As it was sent, and all of its parts decoded. */
  text: string;
}

let app: TestApp;
let receiver: Receiver;
let dispatcher: Dispatcher;
let letters: Letter[] = [];
/** Where a mark was seen that must not be there. */
let leaks: string[] = [];
const done = new Map<string, number>();

beforeAll(async () => {
  app = await testApp();
  receiver = await startReceiver();
  const compile = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  dispatcher = createDispatcher({
    ...{ desk: app.desk, blobs: app.edge.blobs, mailBlobs: app.mailBlobs, log: silentLog, reader: inlineReader },
    scanner: null,
    guard: { allow: parseAllowList('127.0.0.1'), timeoutMs: 2000 },
    transport: {
      atOnce: 1,
      async send(composed) {
        const raw = String((await compile.sendMail(composed)).message);
        const read = await simpleParser(raw);
        const headers = read.headerLines.map(({ line }) => line).join('\n');
        const files = read.attachments.map(({ filename, content }) => `${filename}\n${content.toString('utf8')}`);
        const text = [raw, headers, read.subject, read.text, read.html, read.textAsHtml, ...files].join('\n');
        letters.push({ to: composed.envelope.to, replyTo: read.replyTo?.value[0]?.address ?? '', text });
        return { ended: { kind: 'accepted' }, response: '250 taken', error: null };
      },
      giveUp: () => undefined,
      close: () => undefined,
    },
    mail: {
      baseUrl,
      inboundDomain: 'localhost',
      from: 'support@localhost',
      deskId: deskIdOf(app.desk),
      hasServer: true,
    },
    readReport: (report) => mailedNumbers(app.desk, report),
    retryDelaysMs: [],
  });
  await setUp();
}, 60_000);
afterAll(async () => {
  await dispatcher.stop();
  await receiver.close();
  await app.close();
});

async function asTeam(method: string, path: string, body?: unknown): Promise<Answered> {
  const answer = await app.asTeam(method, `/api/v1${path}`, body);
  if (answer.status >= 500) throw new Error(answer.text);
  return answer;
}

/** What a site can be set up with, as far as it touches what customers get. */
async function setUp() {
  const site = `/sites/${app.site.slug}`;
  const made = [
    asTeam('PATCH', site, {
      settings: {
        ...{ portal: 'form_and_tickets', notify_resolved: true, agent_mail: 'note' },
        signature: '{{site.name}} {{ticket.reference}} {{agent.name}} {{agent.signature}}',
      },
    }),
    asTeam('PUT', `${site}/mail-templates/acknowledgement/en`, { body: 'Got {{ticket.reference}}.\n\n{{link}}' }),
    asTeam('PUT', `${site}/mail-templates/resolved/en`, { body: '{{site.name}}: solved.\n\n{{link}}' }),
    asTeam('POST', `${site}/custom-fields`, {
      ...{ key: 'internal', label: hidden(), type: 'text', is_author_visible: false },
    }),
    asTeam('POST', `${site}/inbound-rules`, {
      name: hidden(),
      conditions: [{ field: 'subject', operator: 'contains', value: 'invoice' }],
      actions: [
        { type: 'note', value: hidden() },
        { type: 'add_tags', value: [hidden()] },
        { type: 'set_metadata', value: { [hidden()]: hidden() } },
        { type: 'forward', value: 'books@else.example' },
        { type: 'add_participant', value: { email: 'boss@example.org' } },
      ],
    }),
    asTeam('POST', `${site}/webhook-channels`, {
      ...{ name: 'Hook', type: 'custom', webhook_url: receiver.url('/ok') },
      events: ['ticket.created', 'ticket.replied', 'ticket.status_changed', 'ticket.participants_changed'],
    }),
  ];
  const answers = await Promise.all(made);
  const channel_id = answers.at(-1)?.json.data.id;
  const rule = asTeam('POST', `${site}/triggers`, {
    name: hidden(),
    on: ['created', 'note', 'customer_message'],
    actions: [
      { type: 'webhook', value: { channel_id, body: { said: '{{message.body}}' } } },
      {
        type: 'mail',
        value: { to: [app.agentId, 'owner@example.org'], subject: '{{message.body}}', body: 'Said: {{message.body}}' },
      },
      { type: 'forward', value: 'owner@example.org' },
      { type: 'create_ticket', value: { subject: 'Look at {{message.body}}', body: 'Said: {{message.body}}' } },
      { type: 'reply', value: { body: 'Said: {{message.body}}', is_repeated: true } },
    ],
  });
  for (const answer of [...answers, await rule]) expect(answer.status, answer.text).toBeLessThan(300);
}

const isAgent = (address: string) => address.endsWith('@agents.example');

/** Lets everything leave that is due, and looks at it. */
async function leave(): Promise<void> {
  app.clock.advance(minute);
  const before = letters.length;
  receiver.received.length = 0;
  await dispatcher.runDue();
  for (const { to, replyTo, text } of letters.slice(before)) {
    if (to.every((address) => isAgent(address) || address.endsWith('@else.example'))) continue;
    const found = marksIn(text, replyTo.startsWith('side+') ? ['internal'] : ['internal', 'aside']);
    if (found.length > 0) leaks.push(`mail to ${to}: ${found}`);
  }
  for (const { body } of receiver.received)
    if (marksIn(body).length > 0) leaks.push(`webhook ${JSON.parse(body).event}: ${marksIn(body)}`);
}

interface World {
  people: { author: string; bo: string; cy: string };
  agent: { email: string; headers: Record<string, string> };
  tickets: { ulid: string; token: string }[];
}

async function post(raw: string) {
  const path = `/api/webhooks/raw/inbound/${app.inboundSecret}`;
  const answer = await app.ask('POST', path, { headers: { 'Content-Type': 'message/rfc822' }, body: raw });
  expect(answer.status, answer.text).toBe(200);
  await leave();
  return answer.json as { outcome: string };
}

const fileNamed = (name: string, words: string) => {
  const form = new FormData();
  form.append('file', new File([words], `${name}.txt`));
  return form;
};

type Step = (world: World, ulid: string, at: number) => Promise<boolean>;
const isDone = ({ status }: Answered) => status < 300;
const to = (ulid: string) => `ticket+${ulid.toLowerCase()}@localhost`;
const attached = (mark: string) => ({
  headers: ['Content-Type: multipart/mixed; boundary=b'],
  body: `--b\r\n\r\n${mark}\r\n--b\r\nContent-Disposition: attachment; filename=${mark}.txt\r\n\r\n${mark}\r\n--b--`,
});
const detail = async (ulid: string) => (await asTeam('GET', `/tickets/${ulid}`)).json.data;
const oneOf = <One>(list: readonly One[], at: number) => list[at % (list.length || 1)];

interface Said {
  ulid: string;
  is_internal: boolean;
}

async function split(world: World, at: number, isMeant: (message: Said) => boolean): Promise<boolean> {
  for (const { ulid } of world.tickets) {
    const message = oneOf(((await detail(ulid)).messages as Said[]).slice(1).filter(isMeant), at);
    if (message === undefined) continue;
    const answer = await asTeam('POST', `/tickets/${ulid}/split`, { message: message.ulid, only: at % 2 === 0 });
    if (isDone(answer)) world.tickets.push({ ulid: answer.json.data.ulid, token: '' });
    return isDone(answer);
  }
  return false;
}

const steps: Record<string, Step> = {
  note: async (_, ulid) => isDone(await asTeam('POST', `/tickets/${ulid}/notes`, { body: hidden() })),
  async 'note of an agent, changed'({ agent }, ulid) {
    const path = `/api/v1/tickets/${ulid}/notes`;
    const added = await app.ask('POST', path, { headers: agent.headers, body: { body: `**${hidden()}**` } });
    if (!isDone(added)) return false;
    const change = { headers: agent.headers, body: { body: hidden() } };
    return isDone(await app.ask('PATCH', `${path}/${added.json.note.ulid}`, change));
  },
  draft: async ({ agent }, ulid) =>
    isDone(
      await app.ask('PUT', `/api/v1/tickets/${ulid}/draft`, {
        headers: agent.headers,
        body: { body: hidden(), tab: 'note' },
      }),
    ),
  file: async (_, ulid) => isDone(await asTeam('POST', `/tickets/${ulid}/attachments`, fileNamed(hidden(), hidden()))),
  change: async (_, ulid) =>
    isDone(await asTeam('PATCH', `/tickets/${ulid}`, { add_tags: [hidden()], custom_fields: { internal: hidden() } })),
  assign: async (_, ulid) => isDone(await asTeam('PATCH', `/tickets/${ulid}`, { assigned_to: app.agentId })),
  async 'side conversation'(_, ulid, at) {
    const { attachments } = await detail(ulid);
    const file = oneOf(attachments as { id: number; filename: string }[], at);
    // Only a side conversation that an agent gives an internal file to has its name.
    const isPublic = file !== undefined && marksIn(file.filename).length === 0;
    return isDone(
      await asTeam('POST', `/tickets/${ulid}/side-conversations`, {
        to: [{ email: 'parts@supplier.example', name: 'Parts' }],
        ...{ subject: marked('aside'), body: marked('aside'), quote: 'conversation' },
        ...(isPublic ? { attachment_ids: [file.id] } : {}),
      }),
    );
  },
  async 'side conversation, more'(_, ulid, at) {
    const { data } = (await asTeam('GET', `/tickets/${ulid}/side-conversations`)).json;
    const side = oneOf(data as { ulid: string }[], at);
    if (side === undefined) return false;
    const path = `/tickets/${ulid}/side-conversations/${side.ulid}`;
    return isDone(await asTeam('POST', `${path}/messages`, { body: marked('aside') }));
  },
  async 'side conversation, answer'() {
    const address = letters.findLast(({ replyTo }) => replyTo.startsWith('side+'))?.replyTo;
    if (address === undefined) return false;
    const words = attached(marked('aside'));
    return (await post(mail({ from: 'parts@supplier.example', to: address, ...words }))).outcome === 'reply_added';
  },
  reply: async ({ people }, ulid, at) =>
    isDone(
      await asTeam('POST', `/tickets/${ulid}/messages`, {
        body: `A **public** answer ${at}.`,
        body_format: at % 2 === 0 ? 'markdown' : 'text',
        ...(at % 3 === 0 ? { to: [{ email: people.bo }], cc: [{ email: people.cy }] } : {}),
        ...(at % 4 === 0 ? { bcc: [{ email: 'hidden-reader@example.org' }] } : {}),
        ...(at % 5 === 0 ? { cc: [{ email: 'parts@supplier.example' }] } : {}),
      }),
    ),
  'reply much later': async (_, ulid) =>
    isDone(
      await asTeam('POST', `/tickets/${ulid}/messages`, {
        body: hidden(),
        send_at: new Date(app.clock.now() + 60 * 24 * hourMs).toISOString(),
      }),
    ),
  async 'reply that was withdrawn'(_, ulid) {
    const sent = await asTeam('POST', `/tickets/${ulid}/messages`, { body: hidden(), hold_seconds: 60 });
    return isDone(sent) && isDone(await asTeam('DELETE', `/tickets/${ulid}/messages/${sent.json.reply.ulid}`));
  },
  async 'reply after a pause'(_, ulid) {
    const sent = await asTeam('POST', `/tickets/${ulid}/messages`, { body: 'A held answer.', hold_seconds: 10 });
    app.clock.advance(minute);
    await app.desk.write((tx) => {
      sendDue(tx, app.desk.context({ kind: 'desk' }, 'test'));
      return null;
    });
    return isDone(sent);
  },
  'mail of the author': async ({ people }, ulid, at) =>
    (
      await post(
        mail({
          from: people.author,
          to: at % 2 === 0 ? `${to(ulid)}, ${people.bo}` : to(ulid),
          subject: at % 3 === 0 ? 'An invoice' : 'More',
          body: 'From the author.',
          headers: at % 4 === 0 ? [`Cc: ${people.cy}, parts@supplier.example`] : [],
        }),
      )
    ).outcome === 'reply_added',
  'mail of someone else': async ({ people }, ulid, at) =>
    (await post(mail({ from: at % 2 === 0 ? people.bo : people.cy, to: to(ulid), body: 'From another.' }))).outcome ===
    'reply_added',
  'mail of an agent': async ({ agent }, ulid) =>
    (await post(mail({ from: agent.email, to: to(ulid), body: hidden() }))).outcome === 'reply_added',
  'automatic answer': async ({ people }, ulid) =>
    (await post(mail({ from: people.author, to: to(ulid), body: hidden(), headers: ['Auto-Submitted: auto-replied'] })))
      .outcome === 'ignored_auto_reply',
  async 'mail that is held'({ people }, ulid) {
    const headers = ['Authentication-Results: mx; dmarc=fail header.from=example.org'];
    const held = (words: string) => post(mail({ from: people.author, to: to(ulid), body: words, headers }));
    await held(hidden());
    const { outcome } = await held('Held and released.');
    const { data } = (await asTeam('GET', `/sites/${app.site.slug}/inbound-mail?outcome=held`)).json;
    return (
      outcome === 'held' &&
      isDone(await asTeam('POST', `/sites/${app.site.slug}/inbound-mail/${data[0].id}/replay`, { release: true }))
    );
  },
  'someone is added': async ({ people }, ulid, at) =>
    isDone(await asTeam('POST', `/tickets/${ulid}/participants`, { email: at % 2 === 0 ? people.bo : people.cy })),
  async 'someone is removed'(_, ulid, at) {
    const one = oneOf((await detail(ulid)).participants as { id: number }[], at);
    return one !== undefined && isDone(await asTeam('DELETE', `/tickets/${ulid}/participants/${one.id}`));
  },
  async 'new ticket that begins with a note'(world) {
    const opened = await asTeam('POST', '/tickets', {
      ...{ site_id: app.site.id, email: world.people.author, subject: 'A call', message: hidden() },
      ...{ notify_author: false, source: 'agent' },
    });
    if (isDone(opened)) world.tickets.push({ ulid: opened.json.data.ulid, token: '' });
    return isDone(opened);
  },
  async merge(world, ulid, at) {
    const email = at % 2 === 0 ? world.people.author : world.people.bo;
    const { ulid: other, accessToken: token } = await app.open({ email, subject: 'Another invoice' });
    await asTeam('POST', `/tickets/${other}/notes`, { body: hidden() });
    await asTeam('POST', `/tickets/${other}/attachments`, fileNamed(hidden(), hidden()));
    world.tickets.push({ ulid: other, token });
    const [from, into] = at % 3 === 0 ? [ulid, other] : [other, ulid];
    return isDone(await asTeam('POST', `/tickets/${from}/merge`, { into }));
  },
  async unmerge({ tickets }) {
    for (const { ulid } of tickets) if (isDone(await asTeam('POST', `/tickets/${ulid}/unmerge`))) return true;
    return false;
  },
  split: (world, _, at) => split(world, at, () => true),
  'split at a note': (world, _, at) => split(world, at, ({ is_internal: isInternal }) => isInternal),
  resolve: async (_, ulid) => isDone(await asTeam('PATCH', `/tickets/${ulid}`, { status: 'resolved' })),
  reopen: async (_, ulid) => isDone(await asTeam('PATCH', `/tickets/${ulid}`, { status: 'open' })),
};

let cases = 0;

async function begin(): Promise<World> {
  cases += 1;
  app.clock.advance(2 * hourMs);
  const [author, bo, cy] = ['mia', 'bo', 'cy'].map((name) => `${name}${cases}@example.org`) as [string, string, string];
  const email = `${hidden()}@agents.example`;
  const { agentId, headers } = await app.person('member');
  app.desk.store.writing.client.run('UPDATE agents SET email = ? WHERE id = ?', [email, agentId]);
  const { ulid, accessToken: token } = await app.open({
    ...{ email: author, cc: [{ email: bo, name: 'Bo' }], subject: 'An invoice is wrong' },
    context: { user: { external_id: `u-${cases}` }, extra: { secret: hidden() } },
  });
  return { people: { author, bo, cy }, agent: { email, headers }, tickets: [{ ulid, token }] };
}

/** Everything that a customer's browser with this link can get. */
async function read(browser: CustomerBrowser, who: string, ulid: string, token: string, ulids: readonly string[]) {
  const look = (what: string, text: string) => {
    if (marksIn(text).length > 0) leaks.push(`${what} of ${who}: ${marksIn(text)}`);
  };
  const opened = await browser.open(ulid, token);
  look('link', opened.text);
  if (!isDone(opened)) return;
  const at = String(opened.json.data.ticket);
  const thread = await browser.ask('GET', `/ticket?ticket=${at}`);
  look('ticket', thread.text);
  look('changes', (await browser.ask('GET', `/ticket/changes?ticket=${at}`)).text);
  const headers = { ...browser.headers(), Accept: 'text/event-stream' };
  const gone = new AbortController();
  const stream = await app.fetch(
    new Request(`${baseUrl}/api/v1/customer/ticket/changes?ticket=${at}`, { headers, signal: gone.signal }),
  );
  const first = await stream.body?.getReader().read();
  look('stream', new TextDecoder().decode(first?.value));
  gone.abort();
  for (const accept of ['text/html', 'application/json'])
    for (const query of ['', ...ulids.map((before) => `?before=${before}`)]) {
      const page = await app.ask('GET', `/t/${at}${query}`, { headers: { ...browser.headers(), Accept: accept } });
      expect(page.status).toBe(200);
      look(`page ${accept}${query}`, page.text);
    }
  for (const { url, filename } of thread.json.data.attachments as { url: string; filename: string }[])
    look(`file ${filename}`, (await app.ask('GET', url)).text);
}

async function confirm(browser: CustomerBrowser, asked: object, email: string) {
  app.clock.advance(hourMs);
  await browser.ask('POST', '/codes', asked);
  const code = (await codesSent(app)).findLast(({ recipient }) => recipient === email)?.code ?? '';
  const { site, ticket } = asked as { site?: string; ticket?: string };
  return isDone(await browser.ask('POST', '/codes/confirm', { code, ...(site ? { site } : { ticket }) }));
}

async function lookAsCustomers(world: World) {
  const ulids = world.tickets.map(({ ulid }) => ulid);
  const messages: string[] = [];
  for (const ulid of ulids)
    messages.push(...(await detail(ulid)).messages.map(({ ulid: one }: { ulid: string }) => one));
  const links = letters.flatMap(({ to: readers, text }) =>
    readers.some((address) => address.endsWith('@example.org'))
      ? [...text.matchAll(/\/t\/([0-9A-Z]{26})#(hd[\w-]+)/g)].map(([, ulid = '', token = '']) => ({ ulid, token }))
      : [],
  );
  const all = [...world.tickets.filter(({ token }) => token !== ''), ...links];
  const each = [...new Map(all.map((link) => [link.token, link])).values()].slice(-8);
  const { site } = app;
  for (const who of [null, world.people.author, world.people.bo, 'parts@supplier.example']) {
    const browser = customerBrowser(app);
    if (who !== null && !who.includes('supplier')) {
      await confirm(browser, { site: site.slug, email: who }, who);
      const list = await browser.ask('GET', `/tickets?site=${site.slug}`);
      if (marksIn(list.text).length > 0) leaks.push(`list of ${who}: ${marksIn(list.text)}`);
      for (const word of Object.values(kinds)) {
        const found = await browser.ask('GET', `/tickets?site=${site.slug}&q=${word}`);
        if (found.status === 200 && found.json.data.tickets.length > 0) leaks.push(`search of ${who}: ${word}`);
      }
    }
    for (const { ulid, token } of each) await read(browser, who ?? 'anyone', ulid, token, messages.slice(-4));
  }
  const asked = world.tickets.flatMap(({ ulid, token }) =>
    token === '' ? [] : [`/api/v1/public/tickets/${ulid}?access_token=${token}`],
  );
  for (const path of [...asked, `/api/v1/public/tickets?external_id=u-${cases}`, '/api/v1/public/config']) {
    const { text } = await app.asSite('GET', path);
    if (marksIn(text).length > 0) leaks.push(`${path}: ${marksIn(text)}`);
  }
}

const names = Object.keys(steps);
const history = fc.array(fc.record({ what: fc.constantFrom(...names), at: fc.nat(60) }), {
  minLength: 4,
  maxLength: 14,
});
/** Each step in an order in which it can be done. */
const whole = [
  ...names.map((what, index) => ({ what, at: index * 7 })),
  ...['automatic answer', 'reply'].map((what) => ({ what, at: 1 })),
];

test('nothing internal is in a mail, page, answer, file or webhook of a customer, after any history', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (picked) => {
      letters = [];
      leaks = [];
      const world = await begin();
      for (const { what, at } of picked) {
        const { ulid } = oneOf(world.tickets, at % 2) ?? { ulid: '' };
        if (await steps[what]?.(world, ulid, at)) done.set(what, (done.get(what) ?? 0) + 1);
        await leave();
      }
      await lookAsCustomers(world);
      expect(leaks).toEqual([]);
    }),
    { numRuns: caseCount(3, 60), examples: [[whole]] },
  );
  // The history has all of it, and agents see it.
  expect(names.filter((name) => !done.has(name))).toEqual([]);
}, 300_000);
