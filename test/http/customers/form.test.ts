// The form of a site: what it opens, what it refuses, what waits for an agent, and that a flood of it keeps no one out.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { formLimits, proofOfWork } from '../../../src/domain/customers/portal.ts';
import { query } from '../../../src/engine/database.ts';
import { newChallenge } from '../../../src/identity/proof-of-work.ts';
import { type Answered, type TestApp, testApp } from '../../support/app.ts';
import { openedTicket } from '../../support/customer-browser.ts';
import { slowUploads } from '../../support/slow-uploads.ts';
import { closed, opened, solve } from '../../support/solved.ts';
import { file } from '../walks/step.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
  await open();
});
afterEach(() => app.close());

const open = (portal = 'form', site = 'web-shop') =>
  app.asTeam('PATCH', `/api/v1/sites/${site}`, { settings: { portal } });
const challenge = async (site = 'web-shop') =>
  (await app.ask('GET', `/api/v1/customer/challenge?site=${site}`)).json.data;
/** Of an easy challenge: real ones take a tenth of a second each. */
const proof = async (site = 'web-shop') => {
  const { ulid } = site === 'web-shop' ? app.site : app.other.site;
  const easy = { ...proofOfWork, maxNumber: 20 };
  return solve(await newChallenge(app.desk.seal, `form:${ulid}`, app.desk.now(), easy));
};
const written = { email: 'mia@example.org', name: 'Mia', subject: 'Broken <b>cup', message: 'It came broken.' };

async function send(form: object = {}, headers: Record<string, string> = {}, peer = '192.0.2.1'): Promise<Answered> {
  const body = { site: 'web-shop', ...written, ...('proof' in form ? {} : { proof: await proof() }), ...form };
  return app.ask('POST', '/api/v1/customer/tickets', { body, headers, peer });
}
const upload = (token: string, form = file(), headers: Record<string, string> = {}) =>
  app.ask('POST', '/api/v1/customer/tickets/attachments', {
    body: form,
    headers: { 'X-Upload-Token': token, ...headers },
  });
/** Uploads that do not end before they are told to, from one client. */
const slowFiles = (tokens: string[], peer: string) =>
  slowUploads(
    app,
    '/api/v1/customer/tickets/attachments',
    tokens.map((token) => ({ 'X-Upload-Token': token })),
    peer,
  );
const tickets = async () => (await app.asTeam('GET', '/api/v1/tickets?per_page=100')).json.data;
const held = async (outcome = 'held') =>
  (await app.asTeam('GET', `/api/v1/sites/web-shop/inbound-mail?outcome=${outcome}`)).json.data;
const mails = () =>
  query<{ event: string; recipient: string }>(app.desk.store.reading, 'SELECT event, recipient FROM deliveries').all();
const heldMail = (id: number, verb: string, body?: object) =>
  app.asTeam('POST', `/api/v1/sites/web-shop/inbound-mail/${id}/${verb}`, body);

describe('a form', () => {
  test('opens a ticket of the source web, and mails its receipt in place of an acknowledgement', async () => {
    const { status, json } = await send({ proof: solve(await challenge()) });
    expect([status, json]).toEqual([201, { data: { reference: '#1', upload_token: expect.stringMatching(/^hdu_/) } }]);
    const [ticket] = await tickets();
    expect(ticket).toMatchObject({
      subject: 'Broken <b>cup',
      source: 'web',
      is_test: false,
      tags: [],
      author: { email: 'mia@example.org', name: 'Mia', is_verified: false, external_id: null },
    });
    expect(mails()).toEqual([{ event: 'mail.form_receipt', recipient: 'mia@example.org' }]);
  });

  test('sets what strangers may set, and nothing else', async () => {
    const add = (path: string, body: object) => app.asTeam('POST', `/api/v1/sites/web-shop/${path}`, body);
    const category = (await add('categories', { name: 'Billing' })).json.data;
    await add('custom-fields', { key: 'order', label: 'Order', type: 'number', is_author_visible: true });
    const low = (await app.asTeam('GET', '/api/v1/sites/web-shop/priorities')).json.data[0];
    const more = { priority_id: low.id, tags: ['vip'], is_test: true, context: { user: { external_id: 'boss' } } };
    await send({ category_id: category.id, custom_fields: { order: 7 }, ...more });
    const [ticket] = await tickets();
    expect(ticket).toMatchObject({
      category: { id: category.id },
      custom_fields: { order: 7 },
      priority: { slug: 'normal' },
      tags: [],
      is_test: false,
      author: { external_id: null, is_verified: false },
    });
  });

  test('does not rename the person whose address it has', async () => {
    await send();
    await send({ name: 'Buy now at evil.example' });
    const [ticket] = await tickets();
    expect(ticket.author).toMatchObject({ email: 'mia@example.org', name: 'Mia' });
  });

  test.each([
    [{ email: 'no-address' }, ['email']],
    [{ email: 'anonymised+1@anonymised.invalid' }, ['email']],
    [{ subject: ' ' }, ['subject']],
    [{ subject: 'x'.repeat(256) }, ['subject']],
    [{ message: 'x'.repeat(10_001) }, ['message']],
    [{ name: 'x'.repeat(256) }, ['name']],
    [{ category_id: 4242 }, ['category_id']],
    [{ custom_fields: { margin: 1 } }, ['custom_fields.margin']],
    [{ custom_fields: { __proto__: 1, toString: 1 } }, ['custom_fields.toString']],
    [{ website: 7 }, ['website']],
  ])('with %j is refused by name, and keeps its proof of work for the next attempt', async (form, paths) => {
    const solution = await proof();
    const { status, json } = await send({ ...form, proof: solution });
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual(paths);
    expect((await send({ proof: solution })).status).toBe(201);
  });

  test('of a site that has none, or is shut meanwhile, is 404', async () => {
    for (const site of ['other-shop', 'no-shop', '../web-shop', '1', '%00']) {
      expect((await send({ site })).status, site).toBe(404);
      expect((await app.ask('GET', `/api/v1/customer/challenge?site=${encodeURIComponent(site)}`)).status).toBe(404);
    }
    const solution = await proof();
    await open('off');
    expect((await send({ proof: solution })).status).toBe(404);
    expect(await tickets()).toEqual([]);
  });

  test('from a page of elsewhere is refused', async () => {
    const foreign: Record<string, string>[] = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'https://elsewhere.example' },
    ];
    for (const headers of foreign) {
      const { status, json } = await send({}, headers);
      expect([status, json.code]).toEqual([403, 'cross_site']);
    }
    expect((await send({}, { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(201);
  });

  test('has at most 256 KB', async () => {
    expect((await send({ proof: 'x', custom_fields: { a: 'x'.repeat(300_000) } })).status).toBe(413);
  });
});

describe('the proof of work', () => {
  const refused = async (form: object) => {
    const { status, json } = await send(form);
    expect([status, json.code]).toEqual([403, 'proof_refused']);
  };

  test('counts once, also at the same moment and after a restart', async () => {
    const solution = await proof();
    const both = await Promise.all([send({ proof: solution }), send({ proof: solution, subject: 'Twice' })]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 403]);
    await refused({ proof: solution });
    const spent = query<{ n: number }>(app.desk.store.reading, 'SELECT count(*) AS n FROM spent_proofs').get();
    expect(spent?.n).toBe(1);
    expect(await tickets()).toHaveLength(1);
  });

  test('expires, and what was used is forgotten then', async () => {
    const old = await proof();
    await send();
    app.clock.advance(proofOfWork.lifetimeMs);
    await refused({ proof: old });
    await send();
    const spent = query<{ n: number }>(app.desk.store.reading, 'SELECT count(*) AS n FROM spent_proofs').get();
    expect(spent?.n).toBe(1);
  });

  test('counts for its site only', async () => {
    await open('form', 'other-shop');
    await refused({ proof: await proof('other-shop') });
  });

  test('must be there and solved', async () => {
    expect((await send({ proof: undefined })).status).toBe(422);
    const solution = opened(await proof()) as { number: number };
    for (const each of ['', 'x', closed({ ...solution, number: solution.number + 1 })]) await refused({ proof: each });
    expect(app.counts()).toMatchObject({ tickets: 0, spent_proofs: 0, idempotency_keys: 0 });
  });

  test('comes before the desk writes anything, also with an Idempotency-Key', async () => {
    const version = app.desk.generation();
    await send({ proof: 'x' }, { 'Idempotency-Key': 'k' });
    await send({ subject: '', proof: 'x' }, { 'Idempotency-Key': 'k' });
    expect(app.desk.generation()).toBe(version);
    await send({ category_id: 77 }, { 'Idempotency-Key': 'k' });
    expect(app.counts()).toMatchObject({ idempotency_keys: 0, spent_proofs: 0 });
  });
});

test('what fills in the field that people do not see gets the usual answer, and is dropped', async () => {
  const { status, json } = await send({ website: 'https://spam.example' });
  expect([status, json]).toEqual([201, { data: { reference: null, upload_token: null } }]);
  expect(app.counts()).toMatchObject({ tickets: 0, inbound_mail: 0, deliveries: 0 });
  expect((await send({ website: '' })).json.data.reference).toBe('#1');
});

test('a form that is sent again with its Idempotency-Key gets the first answer', async () => {
  const solution = await proof();
  const headers = { 'Idempotency-Key': '0b8e2a' };
  const first = await send({ proof: solution }, headers);
  const again = await send({ proof: solution }, headers);
  expect(again.text).toBe(first.text);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(await tickets()).toHaveLength(1);
  const other = await send({}, headers);
  expect([other.status, other.json.code]).toEqual([409, 'idempotency_key_reused']);
});

describe('the sixth form of an address within an hour', () => {
  const sendMany = async (count: number, form: object = {}) => {
    const answers: Answered[] = [];
    for (let at = 0; at < count; at += 1) answers.push(await send(form));
    return answers;
  };

  test('waits for an agent, visible in the inbound log, and is said to be received', async () => {
    await sendMany(5);
    const { status, json } = await send({ subject: 'The sixth' });
    expect([status, json]).toEqual([201, { data: { reference: null, upload_token: null } }]);
    expect(await tickets()).toHaveLength(5);
    const [row, ...rest] = await held();
    expect(rest).toEqual([]);
    expect(row).toMatchObject({
      provider: 'form',
      outcome: 'held',
      sender: 'mia@example.org',
      subject: 'The sixth',
      form: { name: 'Mia', message: 'It came broken.' },
      ticket: null,
    });
    expect(row.reason).toContain('mia@example.org sent more than 5 forms within an hour');
    const views = (await app.asTeam('GET', '/api/v1/views/counts')).json.data;
    expect(JSON.stringify(views)).toMatch(/"held-mail".{0,40}"count":1|"count":1.{0,40}"held-mail"/);
    expect(mails()).toHaveLength(5);
  });

  test('is counted by mailbox and for the whole desk, and forgotten after an hour', async () => {
    await open('form', 'other-shop');
    await sendMany(3, { email: 'MIA+a@example.org' });
    for (const _ of [1, 2]) await send({ site: 'other-shop', proof: await proof('other-shop') });
    expect((await send({ email: 'mia+b@example.org' })).json.data.reference).toBeNull();
    expect((await send({ email: 'ben@example.org' })).json.data.reference).not.toBeNull();
    app.clock.advance(3_600_000);
    expect((await send()).json.data.reference).not.toBeNull();
    expect(app.counts().form_tickets).toBe(1);
  });

  test('is not held once the address was confirmed', async () => {
    await sendMany(5);
    app.clock.advance(1000);
    const now = app.desk.now();
    const proofOf = 'INSERT INTO customer_proofs (site_id, address, browser_hash, proven_at) VALUES (?, ?, ?, ?)';
    await app.desk.write((tx) => query(tx, proofOf).run(app.site.id, 'mia@example.org', 'x', now).changes);
    app.clock.advance(1000);
    expect((await send()).json.data.reference).toBe('#6');
  });

  test('becomes a ticket when an agent releases it, with its receipt, and its text leaves the log', async () => {
    await sendMany(5);
    await send({ subject: 'The sixth', name: 'Someone else' });
    const [{ id }] = await held();
    const { status, json } = await heldMail(id, 'replay', { release: true });
    expect(status).toBe(200);
    expect(json.data).toMatchObject({ outcome: 'ticket_created', form: null });
    const [ticket] = await tickets();
    expect(ticket).toMatchObject({
      ulid: json.data.ticket,
      subject: 'The sixth',
      source: 'web',
      author: { name: 'Mia' },
    });
    expect(mails()).toHaveLength(6);
    expect(await held()).toEqual([]);
    expect((await heldMail(id, 'replay', { release: true })).json.code).toBe('already_filed');
  });

  test('stays held by a replay without a release', async () => {
    await sendMany(6);
    const [before] = await held();
    const { json } = await heldMail(before.id, 'replay');
    expect(json.data).toMatchObject({ outcome: 'held', reason: before.reason, form: before.form });
    expect(await tickets()).toHaveLength(5);
  });

  test('released, keeps as text what no longer fits the catalogue', async () => {
    const add = (path: string, body: object) => app.asTeam('POST', `/api/v1/sites/web-shop/${path}`, body);
    const category = (await add('categories', { name: 'Billing' })).json.data;
    const field = { key: 'order', label: 'Order', type: 'text', is_author_visible: true };
    const { id: fieldId } = (await add('custom-fields', field)).json.data;
    await sendMany(6, { category_id: category.id, custom_fields: { order: 'A-1' } });
    await app.asTeam('DELETE', `/api/v1/sites/web-shop/categories/${category.id}`);
    await app.asTeam('DELETE', `/api/v1/sites/web-shop/custom-fields/${fieldId}`);
    const [{ id }] = await held();
    const { json } = await heldMail(id, 'replay', { release: true });
    const ticket = (await app.asTeam('GET', `/api/v1/tickets/${json.data.ticket}`)).json.data;
    expect(ticket).toMatchObject({ category: null, custom_fields: {} });
    expect(ticket.messages[0].body).toBe('It came broken.\norder: "A-1"');
  });

  test('can be discarded and held again, and is erased with its sender', async () => {
    await sendMany(6);
    const [{ id }] = await held();
    expect((await heldMail(id, 'discard')).json.data.outcome).toBe('discarded');
    expect((await heldMail(id, 'hold')).json.data).toMatchObject({ outcome: 'held', form: { name: 'Mia' } });
    const person = { site_id: app.site.id, email: 'mia@example.org' };
    expect((await app.asTeam('POST', '/api/v1/authors/anonymise', person)).status).toBe(200);
    const rows = query(app.desk.store.reading, 'SELECT * FROM inbound_mail').all();
    expect(JSON.stringify(rows)).not.toMatch(/mia@|broken|Mia/i);
    expect((await heldMail(id, 'replay', { release: true })).json.code).toBe('erased');
  });

  test('is refused by name when it is wrong, and not acknowledged when too much waits already', async () => {
    await sendMany(5);
    expect((await send({ category_id: 4242 })).status).toBe(422);
    await sendMany(formLimits.heldOfAddress);
    const { status, json, headers } = await send();
    expect([status, json.code, headers.get('retry-after')]).toEqual([429, 'too_many_forms', '3600']);
    expect((await send({ email: 'ben@example.org' })).status).toBe(201);
  }, 20_000);

  test('is only for those who manage', async () => {
    await sendMany(6);
    const [{ id }] = await held();
    const path = `/api/v1/sites/web-shop/inbound-mail/${id}/replay`;
    const member = await app.person('member');
    expect((await app.ask('POST', path, { ...member, body: { release: true } })).status).toBe(403);
  });
});

describe('the files of a form', () => {
  test('are added to its message for 15 minutes', async () => {
    const token = (await send()).json.data.upload_token;
    const { status, json } = await upload(token);
    expect(status).toBe(201);
    expect(json.attachment).toMatchObject({ filename: 'log.txt' });
    const [{ ulid }] = await tickets();
    const ticket = (await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).json.data;
    expect(ticket.messages[0].attachments).toMatchObject([{ filename: 'log.txt' }]);
    app.clock.advance(formLimits.uploadMs);
    const late = await upload(token);
    expect([late.status, late.json.code]).toEqual([401, 'upload_over']);
  });

  test('of a client who sends them slowly keep out neither other clients nor agents', async () => {
    await open('form', 'other-shop');
    const tokens: string[] = [];
    for (const site of ['web-shop', 'other-shop'])
      tokens.push(...Array(12).fill((await send({ site, proof: await proof(site) })).json.data.upload_token));
    const slow = slowFiles(tokens, '192.0.2.66');
    await slow.arriving(3);
    expect((await upload((await send()).json.data.upload_token)).status).toBe(201);
    const [{ ulid }] = await tickets();
    expect((await app.asTeam('POST', `/api/v1/tickets/${ulid}/attachments`, file())).status).toBe(201);
    await slow.end();
  });

  test('of many clients who send them slowly keep out neither agents nor customers with a link', async () => {
    await app.asTeam('PATCH', '/api/v1/sites/web-shop', { settings: { customer_links: 'open' } });
    const { ulid, browser } = await openedTicket(app);
    const slow: ReturnType<typeof slowFiles>[] = [];
    for (let at = 0; at < 34; at += 1) {
      const token = (await send({ email: `flood${at}@example.org` })).json.data.upload_token;
      slow.push(slowFiles(Array(4).fill(token), `198.51.100.${at}`));
    }
    while (app.edge.gates.uploadsAt.forms(app.site.id).takenShare() < 1) await new Promise(setImmediate);
    expect((await app.asTeam('POST', `/api/v1/tickets/${ulid}/attachments`, file())).status).toBe(201);
    expect((await browser.ask('POST', '/ticket/attachments', file())).status).toBe(201);
    for (const client of slow) await client.end();
  });

  test('are refused without a token that the desk gave, and the token opens nothing else', async () => {
    const token = (await send()).json.data.upload_token as string;
    const [head, time, signature] = token.split('.');
    const forged = [
      '',
      'x',
      `${head}.${Number(time) + 60_000}.${signature}`,
      `hdu_2.${time}.${signature}`,
      `${token}x`,
      `${token}\u00e9`.slice(0, -1).toUpperCase(),
    ];
    for (const each of forged) {
      const { status, json } = await upload(each);
      expect([status, json.code]).toEqual([401, 'unknown_upload_token']);
    }
    const [{ ulid }] = await tickets();
    expect((await app.asSite('GET', `/api/v1/public/tickets/${ulid}?access_token=${token}`)).status).toBe(404);
    expect((await app.ask('GET', '/api/v1/tickets', { headers: { Authorization: `Bearer ${token}` } })).status).toBe(
      401,
    );
  });

  test('are at most ten of the allowed kinds', async () => {
    const token = (await send()).json.data.upload_token;
    expect((await upload(token, file('page.html', '<script>'))).status).toBe(422);
    expect((await upload(token, file('photo.png', 'no png'))).status).toBe(422);
    for (let at = 0; at < formLimits.files; at += 1) expect((await upload(token, file(`${at}.txt`))).status).toBe(201);
    const { status, json } = await upload(token);
    expect([status, json.code]).toEqual([409, 'too_many_attachments']);
  });

  test('are kept once with an Idempotency-Key, which brings back nothing of another form', async () => {
    const tokens = [(await send()).json.data.upload_token, (await send()).json.data.upload_token];
    const headers = { 'Idempotency-Key': 'file-1' };
    const first = await upload(tokens[0], file(), headers);
    expect((await upload(tokens[0], file(), headers)).text).toBe(first.text);
    expect(app.counts().attachments).toBe(1);
    expect((await upload(tokens[1], file(), headers)).status).toBe(409);
  });

  test('end with the person', async () => {
    const token = (await send()).json.data.upload_token;
    await app.asTeam('POST', '/api/v1/authors/anonymise', { site_id: app.site.id, email: 'mia@example.org' });
    expect((await upload(token)).status).toBe(404);
  });
});

describe('a flood', () => {
  let small: TestApp;
  beforeEach(async () => {
    small = app;
    await small.close();
    app = await testApp({ ingestCaller: 3, ingestSite: 4, other: 100 });
    await open();
  });

  test('from one address ends at the ingest limit of that address, and others send theirs', async () => {
    for (let at = 0; at < 3; at += 1) await send({ proof: 'x' });
    const { status, headers } = await send({ proof: 'x' });
    expect([status, headers.get('x-ratelimit-limit')]).toEqual([429, '3']);
    expect((await send({}, {}, '198.51.100.7')).status).toBe(201);
    expect((await app.asSite('GET', '/api/v1/public/config')).status).toBe(429);
  });

  test('from many addresses uses up no limit of the site', async () => {
    for (let at = 1; at <= 40; at += 1) await send({ proof: 'x' }, {}, `198.51.100.${at}`);
    const headers = { 'X-Site-Token': app.siteToken };
    const answer = await app.ask('GET', '/api/v1/public/config', { headers, peer: '203.0.113.9' });
    expect(answer.status).toBe(200);
    expect((await send({}, {}, '203.0.113.9')).status).toBe(201);
  });
});
