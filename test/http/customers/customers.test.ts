// Customers over HTTP: found by what agents remember of them, with their tickets, and only of sites that are seen.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { insertAuthor } from '../../../src/store/customers/authors.ts';
import { type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

const open = async (input: object = {}) => {
  app.clock.advance(1000);
  const { ulid } = await app.open(input);
  return (await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).json.data;
};
const list = async (query = '') => (await app.asTeam('GET', `/api/v1/customers${query}`)).json;
const emails = async (query = '') => (await list(query)).data.map(({ email }: { email: string }) => email);
const mia = { email: 'mia@example.org', name: 'Mia Jansen', context: { user: { external_id: 'u-1' } } };
const bo = { email: 'bo@shop.example', name: 'Bo Li' };

test('are found by parts of address and name, by external id, and by the beginning of an address', async () => {
  await open(mia);
  await open(bo);
  expect(await emails()).toEqual([bo.email, mia.email]);
  const found: Record<string, string[]> = {
    jans: [mia.email],
    'EXAMPLE.ORG': [mia.email],
    example: [bo.email, mia.email],
    'u-1': [mia.email],
    'u-': [],
    b: [bo.email],
    B: [bo.email],
    '%': [],
    zoltan: [],
  };
  for (const [q, expected] of Object.entries(found))
    expect(await emails(`?q=${encodeURIComponent(q)}`), q).toEqual(expected);
  const page = await list('?per_page=1&page=2');
  expect([page.data.length, page.meta]).toEqual([
    1,
    { current_page: 2, last_page: 2, per_page: 1, total: 2, is_capped: false },
  ]);
  expect(page.data[0].email).toBe(mia.email);
  expect((await list('?per_page=1&page=3')).data).toEqual([]);
});

test('have their tickets counted without tests and spam, and show the newest', async () => {
  const tickets: Awaited<ReturnType<typeof open>>[] = [];
  for (let at = 0; at < 24; at += 1) tickets.push(await open({ ...mia, is_test: at === 23 }));
  const patch = (at: number, body: object) => app.asTeam('PATCH', `/api/v1/tickets/${tickets[at].ulid}`, body);
  await patch(22, { is_spam: true });
  await patch(21, { status: 'resolved' });
  await patch(20, { status: 'pending' });
  await open(bo);
  const [, row] = (await list()).data;
  expect(row).toEqual({
    ...tickets[0].author,
    site_id: app.site.id,
    ticket_count: 22,
    open_count: 21,
    last_ticket_at: tickets[21].created_at,
  });
  const detail = (await app.asTeam('GET', `/api/v1/customers/${row.id}`)).json.data;
  expect(detail).toMatchObject({ ...row, created_at: tickets[0].created_at });
  const shown = detail.tickets.map(({ id }: { id: number }) => id);
  expect(shown).toEqual(
    tickets
      .slice(2, 22)
      .map(({ id }) => id)
      .reverse(),
  );
  const listed = (await app.asTeam('GET', `/api/v1/tickets?q=%23${shown[0]}`)).json.data[0];
  expect(detail.tickets[0]).toEqual(listed);
});

test('have their newest other tickets beside a ticket that is read with them', async () => {
  const tickets: Awaited<ReturnType<typeof open>>[] = [];
  for (let at = 0; at < 8; at += 1) tickets.push(await open({ ...mia, is_test: at === 7 }));
  await open(bo);
  const read = async (at: number, query = '?other_tickets=1') =>
    (await app.asTeam('GET', `/api/v1/tickets/${tickets[at].ulid}${query}`)).json.data;
  const names = (...places: number[]) =>
    places.map((at) => {
      const { ulid, reference, subject, status } = tickets[at];
      return { ulid, reference, subject, status };
    });
  expect((await read(5)).other_tickets).toEqual({ count: 6, newest: names(6, 4, 3, 2, 1) });
  expect((await read(0)).other_tickets).toEqual({ count: 6, newest: names(6, 5, 4, 3, 2) });
  // A test is not among those that are counted.
  expect((await read(7)).other_tickets).toEqual({ count: 7, newest: names(6, 5, 4, 3, 2) });
  await app.asTeam('PATCH', `/api/v1/tickets/${tickets[6].ulid}`, { status: 'resolved' });
  await app.asTeam('PATCH', `/api/v1/tickets/${tickets[4].ulid}`, { is_spam: true });
  const after = (await read(5)).other_tickets;
  expect(after).toEqual({ count: 5, newest: [{ ...names(6)[0], status: 'resolved' }, ...names(3, 2, 1, 0)] });
  for (const query of ['', '?other_tickets=0']) expect(await read(5, query)).not.toHaveProperty('other_tickets');
});

test('of other sites are not listed, found or read', async () => {
  const { author } = await open(mia);
  const { headers } = await app.person('member', [app.other.site.id]);
  const { headers: own } = await app.person('viewer', [app.site.id]);
  const ask = (path: string, as = headers) => app.ask('GET', `/api/v1/customers${path}`, { headers: as });
  for (const path of ['', '?q=mia', '?q=u-1', '?q=m']) {
    expect((await ask(path)).json.data, path).toEqual([]);
    expect((await ask(path, own)).json.data.length, path).toBe(1);
  }
  expect((await ask(`/${author.id}`)).status).toBe(404);
  expect((await ask(`/${author.id}`, own)).status).toBe(200);
  expect((await ask(`?site_id=${app.site.id}`)).status).toBe(404);
  expect(await emails(`?site_id=${app.other.site.slug}`)).toEqual([]);
});

test('who were erased are in no list, and read as anonymised', async () => {
  const { author } = await open(mia);
  await app.asTeam('POST', '/api/v1/authors/anonymise', { site_id: app.site.id, external_id: 'u-1' });
  for (const query of ['', '?q=mia', '?q=u-1', '?q=anonymised', '?q=a']) expect(await emails(query), query).toEqual([]);
  const detail = (await app.asTeam('GET', `/api/v1/customers/${author.id}`)).json.data;
  expect([detail.name, detail.external_id, detail.tickets.length]).toEqual(['Anonymised', null, 1]);
});

test('of a site are found behind very many matches of other sites', async () => {
  await open(mia);
  await app.desk.write((tx) => {
    const row = { externalId: null, name: 'Mia', isVerified: false, anonymisedAt: null, createdAt: 0 };
    const plain = { ...row, erasedExternalId: null, erasedEmail: null, siteId: app.other.site.id };
    for (let at = 0; at < 10_500; at += 1) insertAuthor(tx, { ...plain, email: `mia${at}@other.example` });
    return null;
  });
  const { headers } = await app.person('viewer', [app.site.id]);
  const { data, meta } = (await app.ask('GET', '/api/v1/customers?q=Mia', { headers })).json;
  expect([data.map(({ email }: { email: string }) => email), meta.total, meta.is_capped]).toEqual([
    [mia.email],
    1,
    true,
  ]);
  const all = await list('?q=mia&per_page=100&page=11');
  expect([all.data.length, all.meta.total, all.meta.is_capped]).toEqual([0, 1000, true]);
  expect((await list('?per_page=100&page=101')).data).toEqual([]);
});
