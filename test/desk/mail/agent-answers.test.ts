// Agents answer from their mail program: only they, only on that ticket, and nothing unclear reaches a customer.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { simpleParser } from 'mailparser';
import { addAgent, changeAgent } from '../../../src/desk/people/agents.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { dayMs } from '../../../src/domain/instant.ts';
import { query } from '../../../src/engine/database.ts';
import { attachmentsOfTicket } from '../../../src/store/tickets/messages.ts';
import { hour, type MailDesk, mail, mailDesk, minute } from './mail-desk.ts';

const proof = 'Authentication-Results: mx.desk.example; dmarc=pass header.from=desk.example';
const grace = 'Grace <grace@desk.example>';

let at: MailDesk;
let ticketId: number;
let graceId: number;
let address: string;
let told: { subject: string; text: string; to: string; replyTo: string }[];

async function leave() {
  const leaving = await at.leave();
  return await Promise.all(
    leaving.map(async ({ event, recipient, raw }) => {
      const parsed = await simpleParser(raw);
      const replyTo = parsed.replyTo?.value[0]?.address ?? '';
      return { event, recipient, replyTo, subject: parsed.subject ?? '', text: parsed.text ?? '', parsed };
    }),
  );
}

const settings = (change: Record<string, unknown>) =>
  at.do((tx, ctx) => changeSite(tx, ctx, String(at.site.id), { settings: change }, null));

beforeEach(async () => {
  at = await mailDesk();
  await settings({ trusted_mail_servers: ['mx.desk.example'] });
  const add = (name: string, role: 'member') =>
    at.do((tx, ctx) =>
      addAgent(tx, ctx, { name, email: `${name.toLowerCase()}@desk.example`, role, sites: [at.site.id] }),
    );
  graceId = (await add('Grace', 'member')).id;
  await add('Ben', 'member');
  ticketId = (await at.post(mail({ body: 'It burns.' }))).ticketId ?? 0;
  await at.do((tx, ctx) => changeTicket(tx, ctx, ticketId, { assigned_to: graceId }, null));
  at.clock.advance(minute);
  const assigned = (await leave()).find(({ event }) => event === 'mail.assigned');
  address = assigned?.replyTo ?? '';
  told = [];
});
afterEach(() => at.close());

interface Answering {
  from?: string;
  to?: string;
  headers?: readonly string[];
  id?: string;
}

/** What became of it, and what the customer and the agent were sent. */
async function answer(body: string, { from = grace, to = address, headers = [proof], id }: Answering = {}) {
  at.clock.advance(minute);
  const before = at.messages(ticketId).length;
  const row = await at.post(mail({ from, to, body, headers, subject: 'Re: The printer burns', ...(id ? { id } : {}) }));
  const sent = await leave();
  told = sent.filter(({ event }) => event === 'mail.answer_noted').map((one) => ({ ...one, to: one.recipient }));
  const added = at.messages(ticketId).slice(before);
  return {
    outcome: row.outcome,
    reason: row.reason,
    added: added.map(({ body, isInternal, agentId }) => ({ body, isInternal, agentId })),
    toCustomer: sent.filter(({ event }) => event === 'mail.agent_reply').map(({ text }) => text),
    told: told.map(({ to, text }) => ({ to, text })),
  };
}

const quoted =
  '\n\nOn Fri, 11 Sep 2026 at 11:31, Web shop <support@desk.example> wrote:\n> ##- Write your answer above this line -##\n> It burns.';

test('each mail about a ticket has a reply address of its agent and ticket, which needs no row', async () => {
  expect(address).toMatch(/^agent\+[0-9a-z-]{36,58}@desk\.example$/);
  expect(address.indexOf('@')).toBeLessThanOrEqual(64);
  at.clock.advance(10 * minute);
  await at.post(mail({ body: 'Still burning.', to: `ticket+${at.ticket(ticketId).ulid}@desk.example` }));
  const [replied] = (await leave()).filter(({ event }) => event === 'mail.customer_replied');
  expect(replied?.replyTo).toBe(address);
  expect(replied?.text).toContain('Still burning.');
  expect(replied?.text).toContain('mia@customer.example');
  expect(replied?.parsed.headers.get('auto-submitted')).toBe('auto-generated');
});

test('an answer is a note, or a reply where the site says so, and its first line decides otherwise', async () => {
  expect(await answer(`Call the fire brigade.${quoted}`)).toMatchObject({
    outcome: 'reply_added',
    added: [{ body: 'Call the fire brigade.', isInternal: true, agentId: graceId }],
    toCustomer: [],
    told: [],
  });
  const replied = await answer(`/reply\n\nPull the plug.\n\n-- \nGrace\nSupport${quoted}`);
  expect(replied).toMatchObject({ added: [{ body: 'Pull the plug.', isInternal: false, agentId: graceId }] });
  expect(replied.toCustomer[0]).toContain('Pull the plug.');
  expect(replied.toCustomer[0]).not.toMatch(/fire brigade|above this line|agent\+/);
  expect(at.ticket(ticketId).firstResponseAt).not.toBeNull();
  expect(at.events(ticketId).at(-1)?.actor).toEqual({ type: 'agent', id: graceId, name: 'Grace', by_mail: true });
  await settings({ agent_mail: 'reply' });
  expect((await answer(`Better now?${quoted}`)).toCustomer).toHaveLength(1);
  expect((await answer('/note\nHe sounds tired.')).toCustomer).toEqual([]);
});

test('commands change the ticket, with words or without', async () => {
  await answer('/reply\n/pending\n/priority high\n/tag billing fire\n/assign Ben\n\nWe are on it.');
  expect(at.ticket(ticketId)).toMatchObject({ status: 'pending', tags: ['billing', 'fire'], priorityLevel: 3 });
  expect(at.ticket(ticketId).assigneeId).not.toBe(graceId);
  expect(at.last(ticketId).body).toBe('We are on it.');
  const alone = await answer(`/take\n/resolve${quoted}`);
  expect(alone).toMatchObject({ added: [], told: [], reason: 'From agent Grace, commands.' });
  expect(at.ticket(ticketId)).toMatchObject({ status: 'resolved', assigneeId: graceId });
});

test.each([
  ['an unknown command', '/reply\n/refund all\nDone.', 'We do not know this command: /refund all'],
  ['a path', '/etc/passwd is missing', 'We do not know this command: /etc/passwd is missing'],
  ['two that exclude each other', '/reply\n/note\nDone.', 'We cannot tell what this command means: /note'],
  ['the same the other way round', '/note\n/reply\nDone.', '/reply'],
  ['two states', '/resolve\n/pending\nDone.', '/pending'],
  ['an agent that no one is', '/reply\n/assign Zoe\nDone.', '/assign Zoe'],
  ['a priority that is none', '/reply\n/priority sky-high\nDone.', '/priority sky-high'],
  ['a tag that is none', '/reply\n/tag a_b\nDone.', '/tag a_b'],
  ['words after a command without', '/reply Done, thank you', '/reply Done, thank you'],
  ['answers between quoted lines', '/reply\n> It burns.\nReally?\n> Help!\nYes.', 'could not tell your own words'],
  ['nothing to say', `/reply${quoted}`, 'has no text of its own'],
  ['only what was quoted', quoted, 'has no text of its own'],
  ['a huge body', `/reply\n${'All work and no play. '.repeat(1000)}`, 'more than 10,000 characters'],
  ['a link to the console', '/reply\nSee https://desk.example/tickets/ULID', 'could not tell your own words'],
])('%s reaches no customer: it is noted, and the agent is told', async (_, body, words) => {
  await settings({ agent_mail: 'reply' });
  const before = at.ticket(ticketId);
  const filed = await answer(body.replace('ULID', before.ulid));
  expect(filed.toCustomer).toEqual([]);
  expect(filed.added).toEqual([{ body: expect.any(String), isInternal: true, agentId: graceId }]);
  expect(filed.told).toEqual([{ to: 'grace@desk.example', text: expect.stringContaining(words) }]);
  const { status, assigneeId, tags, priorityId } = at.ticket(ticketId);
  expect({ status, assigneeId, tags, priorityId }).toEqual({
    status: before.status,
    assigneeId: before.assigneeId,
    tags: before.tags,
    priorityId: before.priorityId,
  });
});

test('the signature that the agent has set does not reach the customer', async () => {
  await at.do((tx) => query(tx, "UPDATE agents SET signature = 'Kind regards,\nGrace' WHERE id = ?").run(graceId));
  await answer('/reply\nDone.\n\nKind regards,\nGrace');
  expect(at.last(ticketId).body).toBe('Done.');
});

describe('it works for no one else', () => {
  test.each<[string, Answering]>([
    ['a forged address', { headers: ['Authentication-Results: mx.desk.example; dmarc=fail header.from=desk.example'] }],
    ['an address without proof', { headers: [] }],
    ['a proof that no trusted server gave', { headers: ['Authentication-Results: evil.example; dmarc=pass'] }],
    [
      'a proof for another domain',
      { headers: ['Authentication-Results: mx.desk.example; spf=pass smtp.mailfrom=evil.example'] },
    ],
    [
      'a leaked address, used by someone else with a proof of their own',
      {
        from: 'Eve <eve@evil.example>',
        headers: ['Authentication-Results: mx.desk.example; dmarc=pass header.from=evil.example'],
      },
    ],
    [
      'the customer',
      { from: 'Mia <mia@customer.example>', headers: ['Authentication-Results: mx.desk.example; dmarc=pass'] },
    ],
    ['another agent', { from: 'Ben <ben@desk.example>' }],
  ])('%s', async (_, how) => {
    const filed = await answer('/reply\n/resolve\nSend your password.', how);
    const from = (how.from ?? grace).replace(/.*<|>/g, '');
    expect(filed).toMatchObject({ outcome: 'reply_added', toCustomer: [] });
    expect(filed.added).toEqual([
      { body: `From ${from}, not proven:\n\n/reply\n/resolve\nSend your password.`, isInternal: true, agentId: null },
    ]);
    expect(filed.told).toEqual([{ to: 'grace@desk.example', text: expect.stringContaining('nothing proves') }]);
    expect(at.ticket(ticketId).status).toBe('open');
  });

  test('nor on another ticket, another site, or with a number changed', async () => {
    const other = (await at.post(mail({ from: 'Zed <zed@customer.example>', id: '<zed@customer.example>' }))).ticketId;
    const tampered = address.replace(/\+\w+-/, `+${(other ?? 0).toString(36)}-`);
    expect(await answer('/reply\nHello', { to: tampered })).toMatchObject({ outcome: 'held', added: [], told: [] });
    const blog = await at.siteNamed('Blog');
    const row = await at.post(mail({ from: grace, to: address, body: '/reply\nHi', headers: [proof] }), {}, blog);
    expect(row.outcome).toBe('held');
    expect(at.messages(other)).toHaveLength(1);
    // The subject and the thread of another ticket do not change where it goes.
    await answer('Mine.', { headers: [proof, 'In-Reply-To: <zed@customer.example>', `X-Ticket: [#${other}]`] });
    expect(at.messages(other)).toHaveLength(1);
    expect(at.last(ticketId).body).toBe('Mine.');
  });

  test('nor after 90 days', async () => {
    at.clock.advance(89 * dayMs);
    expect((await answer('Still here.')).told).toEqual([]);
    at.clock.advance(2 * dayMs);
    const filed = await answer('/reply\nToo late.');
    expect(filed.added[0]?.body).toStartWith('From grace@desk.example, not proven:');
    expect(filed.told[0]?.text).toContain('more than 90 days');
  });

  test.each(['deactivated', 'of another site'])('nor once the agent is %s, who is told nothing', async (what) => {
    const elsewhere = (await at.siteNamed('Blog')).id;
    const change = what === 'deactivated' ? { is_active: false } : { sites: [elsewhere] };
    await at.do((tx, ctx) => changeAgent(tx, ctx, graceId, change));
    const filed = await answer('/reply\nLet me back in.');
    expect(filed).toMatchObject({ toCustomer: [], told: [] });
    expect(filed.added[0]).toMatchObject({ isInternal: true, agentId: null });
  });

  test('nor does a viewer do by mail what they cannot do in the console', async () => {
    await at.do((tx, ctx) => changeAgent(tx, ctx, graceId, { role: 'viewer' }));
    const filed = await answer('/reply\nPull the plug.');
    expect(filed).toMatchObject({ toCustomer: [], added: [{ isInternal: true }] });
    expect(filed.told[0]?.text).toContain('not allowed to do this');
    expect((await answer('Only a thought.')).told).toEqual([]);
  });
});

test('a customer’s commands are plain text', async () => {
  const to = `ticket+${at.ticket(ticketId).ulid}@desk.example`;
  await answer('/resolve\n/take\nPlease.', { from: 'Mia <mia@customer.example>', to, headers: [] });
  expect(at.last(ticketId)).toMatchObject({ body: '/resolve\n/take\nPlease.', isInternal: false, isAgent: false });
  expect(at.ticket(ticketId).status).toBe('open');
});

test('automatic mail and bounces do nothing but are logged', async () => {
  for (const headers of [
    [proof, 'Auto-Submitted: auto-replied'],
    [proof, 'X-Autoreply: yes'],
  ])
    expect(await answer('/reply\nI am away.', { headers })).toMatchObject({
      outcome: 'ignored_auto_reply',
      added: [],
      told: [],
    });
});

test('a mailing list and a program that answers everything are not answered without end', async () => {
  const unproven = { headers: ['List-Id: <all.desk.example>'] };
  expect((await answer('Hello all', unproven)).told).toEqual([]);
  const filed = [];
  for (let sent = 0; sent < 12; sent += 1) filed.push(await answer(`Hello ${sent}`, { headers: [] }));
  expect(filed.flatMap(({ told }) => told)).toHaveLength(9);
  expect(filed.at(-1)?.outcome).toBe('held');
  at.clock.advance(2 * hour);
  expect((await answer('Hello again', { headers: [] })).told).toHaveLength(1);
});

test('the same mail twice is filed once, also by another of its recipients', async () => {
  expect((await answer('/reply\nOnce.', { id: '<once@desk.example>' })).toCustomer).toHaveLength(1);
  const again = { from: grace, to: address, body: '/reply\nOnce.', headers: [proof], id: '<once@desk.example>' };
  const raw = mail({ ...again, subject: 'Re: The printer burns' });
  expect((await at.post(raw)).outcome).toBe('duplicate');
  const copy = raw.replace(/^To: .*$/m, `To: support@desk.example, ${address}`);
  expect((await at.post(copy)).outcome).toBe('duplicate');
});

test('files go with the reply, and what was refused keeps it from going', async () => {
  const parts = (name: string, type: string, bytes: string) =>
    [
      '--b',
      'Content-Type: text/plain',
      '',
      '/reply',
      'See the file.',
      '--b',
      `Content-Type: ${type}; name="${name}"`,
      `Content-Disposition: attachment; filename="${name}"`,
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(bytes).toString('base64'),
      '--b--',
      '',
    ].join('\r\n');
  const headers = [proof, 'Content-Type: multipart/mixed; boundary=b'];
  await answer(parts('plan.txt', 'text/plain', 'a plan'), { headers });
  const [file] = at.desk.read((tx) => attachmentsOfTicket(tx, ticketId));
  expect(file).toMatchObject({
    filename: 'plan.txt',
    isInternal: false,
    isAgent: true,
    messageId: at.last(ticketId).id,
  });
});

test('a merged ticket’s address leads to the one that it was merged into', async () => {
  const other = (await at.post(mail())).ticketId ?? 0;
  await at.do((tx, ctx) => mergeTickets(tx, ctx, ticketId, other));
  expect((await answer('/reply\nTogether.')).toCustomer).toHaveLength(1);
  expect(at.last(other)).toMatchObject({ body: 'Together.', isInternal: false });
});

test('a ticket that was merged into another customer’s gets only notes from it', async () => {
  const other = (await at.post(mail({ from: 'Zed <zed@customer.example>' }))).ticketId ?? 0;
  await at.do((tx, ctx) => mergeTickets(tx, ctx, ticketId, other));
  await settings({ agent_mail: 'reply' });
  for (const body of ['Dear Mia, the code is 4711.', '/note\n/resolve\nDone.']) {
    const filed = await answer(body);
    expect(filed.toCustomer).toEqual([]);
    expect(filed.told).toEqual([
      { to: 'grace@desk.example', text: expect.stringContaining('merged into a ticket of another customer') },
    ]);
    expect(at.last(other)).toMatchObject({ body, isInternal: true, agentId: graceId });
    expect(at.ticket(other).status).toBe('open');
  }
  expect((await answer('/note\nShe called.')).told).toEqual([]);
  expect(at.last(other)).toMatchObject({ body: 'She called.', isInternal: true });
});

test('a site that is off takes none: they are noted', async () => {
  await settings({ agent_mail: 'off' });
  const filed = await answer('/reply\nDone.');
  expect(filed).toMatchObject({ toCustomer: [], added: [{ isInternal: true }] });
  expect(filed.told[0]?.text).toContain('takes no answers by mail');
});

test('a sender’s name and subject bring no header into what the agent is told', async () => {
  const filed = await answer('/reply\n/x\u2028Bcc: eve@evil.example', {
    from: '"Grace\\\r\n Bcc: eve@evil.example" <grace@desk.example>',
  });
  expect(filed.toCustomer).toEqual([]);
  expect(told).toHaveLength(1);
  expect(told[0]?.to).toBe('grace@desk.example');
  expect(told[0]?.subject).not.toContain('Bcc');
});

describe('an answer to a mail for agents, to the address of customers', () => {
  const toCustomers = () => `ticket+${at.ticket(ticketId).ulid}@desk.example`;
  const idOfMail = async () => {
    await settings({ agent_mail: 'off' });
    at.clock.advance(10 * minute);
    await at.post(mail({ body: 'Still burning.', to: toCustomers() }));
    const [replied] = (await leave()).filter(({ event }) => event === 'mail.customer_replied');
    expect(replied?.replyTo).toBe(toCustomers());
    return replied?.parsed.messageId ?? '';
  };

  test('is a note, from whatever address', async () => {
    const id = await idOfMail();
    const inThread = [`In-Reply-To: ${id}`, `References: ${id}`];
    const elsewhere = { from: 'grace@home.example', to: toCustomers() };
    expect((await answer('He lies.', { ...elsewhere, headers: inThread })).added).toEqual([
      { body: 'From grace@home.example, not proven:\n\nHe lies.', isInternal: true, agentId: null },
    ]);
    expect((await answer('He lies.', { ...elsewhere, headers: [`References: ${id} <x@y.example>`] })).added).toEqual([
      expect.objectContaining({ isInternal: true }),
    ]);
    const ofCustomer = { from: 'mia@customer.example', to: toCustomers(), headers: inThread };
    expect((await answer('I do not lie.', ofCustomer)).added).toEqual([
      expect.objectContaining({ body: 'I do not lie.', isInternal: false }),
    ]);
    expect((await answer('Call him.', { to: toCustomers(), headers: [proof, ...inThread] })).added).toEqual([
      { body: 'Grace wrote by mail:\n\nCall him.', isInternal: true, agentId: null },
    ]);
    expect((await answer('Call him.', { to: toCustomers(), headers: [] })).added).toEqual([
      { body: 'From grace@desk.example, not proven:\n\nCall him.', isInternal: true, agentId: null },
    ]);
  });

  test('does not open again what is resolved', async () => {
    const id = await idOfMail();
    await at.do((tx, ctx) => changeTicket(tx, ctx, ticketId, { status: 'resolved' }, null));
    await answer('Well done.', { from: 'grace@home.example', to: toCustomers(), headers: [`In-Reply-To: ${id}`] });
    expect(at.ticket(ticketId).status).toBe('resolved');
  });
});

test('an agent whose own ticket it is writes as its customer', async () => {
  const { ticketId: own } = await at.post(mail({ from: grace, subject: 'My chair' }));
  const row = await at.post(mail({ from: grace, to: `ticket+${at.ticket(own).ulid}@desk.example`, body: 'It broke.' }));
  expect(row).toMatchObject({ outcome: 'reply_added', ticketId: own });
  expect(at.last(own)).toMatchObject({ body: 'It broke.', isInternal: false, isAgent: false });
});

test('an agent reads who gets a reply beside the customer', async () => {
  at.clock.advance(10 * minute);
  const to = `ticket+${at.ticket(ticketId).ulid}@desk.example`;
  await at.post(mail({ body: 'With Bo.', to, headers: ['Cc: Bo <bo@office.example>, cy@phone.example'] }));
  const [replied] = (await leave()).filter(({ event }) => event === 'mail.customer_replied');
  expect(replied?.text).toContain('Cc: bo@office.example, cy@phone.example');
});
