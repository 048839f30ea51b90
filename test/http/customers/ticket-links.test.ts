// Agents see and revoke a ticket's links, and customers ask for a new one.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { migrations } from '../../../migrations/index.ts';
import { takeDue } from '../../../src/desk/outbox/attempts.ts';
import { loadDelivery } from '../../../src/desk/outbox/content.ts';
import { hourMs } from '../../../src/domain/instant.ts';
import { query } from '../../../src/engine/database.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { customerBrowser, openedTicket } from '../../support/customer-browser.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const opened = () => openedTicket(app);
const links = async (ulid: string) => (await app.asTeam('GET', `/api/v1/tickets/${ulid}/links`)).json.data;
const desk = () => app.desk.context({ kind: 'desk' }, 'test');
/** The mails that wait are about to leave. */
const claim = () => app.desk.write((tx) => takeDue(tx, desk(), null, 1000, { by: 'test', ms: 0 }));
const revoke = (ulid: string) => app.asTeam('DELETE', `/api/v1/tickets/${ulid}/links`);

describe('the links of a ticket', () => {
  test('are listed with their address and uses, and without their token', async () => {
    const { ulid, accessToken, email, browser } = await opened();
    await claim();
    const usedAt = '2026-09-11T09:30:00.000Z';
    expect(await links(ulid)).toMatchObject([
      { kind: 'mail', address: email, uses: 0, last_used_at: null, is_confirmed: false, revoked_at: null },
      { kind: 'application', address: email, uses: 1, last_used_at: usedAt, is_confirmed: false, revoked_at: null },
    ]);
    await browser.confirm(ulid);
    const answer = await app.asTeam('GET', `/api/v1/tickets/${ulid}/links`);
    expect(answer.json.data[0].is_confirmed).toBe(true);
    expect(answer.text).not.toContain(accessToken);
    expect(answer.text).not.toContain('hdl_');
  });

  test('end at once when they are revoked, with their visits, and the access token no longer opens the page', async () => {
    const { ulid, accessToken, browser } = await opened();
    expect((await revoke(ulid)).json).toEqual({ data: { revoked: 2 } });
    expect((await browser.ask('GET', '/ticket')).status).toBe(401);
    expect((await browser.open(ulid, accessToken)).status).toBe(404);
    const thread = await app.asSite('GET', `/api/v1/public/tickets/${ulid}?access_token=${accessToken}`);
    expect(thread.status).toBe(200);
    for (const { revoked_at } of await links(ulid)) expect(revoked_at).toBe('2026-09-11T09:30:00.000Z');
    const { events } = (await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).json.data;
    expect(events.at(-1)).toMatchObject({ event: 'ticket.links_revoked', data: { revoked: 2 } });
    expect((await revoke(ulid)).json).toEqual({ data: { revoked: 0 } });
  });

  test('that were never used are revoked too', async () => {
    const { ulid, accessToken } = await app.open();
    await claim();
    const listed = await links(ulid);
    expect((await revoke(ulid)).json.data.revoked).toBe(listed.length);
    const { events } = (await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).json.data;
    expect(events.at(-1)).toMatchObject({ event: 'ticket.links_revoked' });
    expect((await links(ulid)).map(({ kind }: { kind: string }) => kind)).toContain('application');
    expect((await customerBrowser(app).open(ulid, accessToken)).status).toBe(404);
  });

  test('have that of an acknowledgement when it leaves, and it brings none if they were revoked before', async () => {
    const [kept, revoked] = [
      await app.open({ email: 'kept@example.org' }),
      await app.open({ email: 'revoked@example.org' }),
    ];
    expect([await links(kept.ulid), await links(revoked.ulid)]).toEqual([[], []]);
    await revoke(revoked.ulid);
    const leaving = await claim();
    const brings = (ulid: string) =>
      app.desk.read((tx) =>
        leaving.flatMap((id) => {
          const mail = loadDelivery(tx, desk(), id);
          return mail?.ticket?.ulid === ulid ? [mail.customerLink?.path.split('#')[0] ?? null] : [];
        }),
      );
    expect([brings(kept.ulid), brings(revoked.ulid)]).toEqual([[`/t/${kept.ulid}`], [null]]);
    // A mail that is tried again has the same link.
    await claim();
    expect(await links(kept.ulid)).toMatchObject([{ kind: 'mail', revoked_at: null }]);
  });

  test('stay revoked for a new access token, which reads the thread and opens no page', async () => {
    const user = { external_id: 'u-17' };
    const { ulid } = await app.open({ context: { user } });
    const renew = async () =>
      (await app.asSite('POST', `/api/v1/public/tickets/${ulid}/access-token`, user)).json.access_token;
    expect((await customerBrowser(app).open(ulid, await renew())).status).toBe(200);
    await revoke(ulid);
    const token = await renew();
    expect((await customerBrowser(app).open(ulid, token)).status).toBe(404);
    expect((await app.asSite('GET', `/api/v1/public/tickets/${ulid}?access_token=${token}`)).status).toBe(200);
    expect((await links(ulid)).every((link: { revoked_at: string | null }) => link.revoked_at !== null)).toBe(true);
  });

  test('of a replaced access token end with their visits, and the new token opens the page', async () => {
    const user = { external_id: 'u-18' };
    const { ulid, accessToken } = await app.open({ context: { user } });
    const browser = customerBrowser(app);
    expect((await browser.open(ulid, accessToken)).status).toBe(200);
    expect((await browser.ask('GET', `/ticket?ticket=${ulid}`)).status).toBe(200);
    const renewed = (await app.asSite('POST', `/api/v1/public/tickets/${ulid}/access-token`, user)).json.access_token;
    expect((await browser.ask('GET', `/ticket?ticket=${ulid}`)).status).toBe(401);
    for (const visitor of [browser, customerBrowser(app)])
      expect((await visitor.open(ulid, accessToken)).status).toBe(404);
    expect((await customerBrowser(app).open(ulid, renewed)).status).toBe(200);
    const ended = (await links(ulid)).filter(({ kind }: { kind: string }) => kind === 'application');
    expect(ended.map((link: { revoked_at: string | null }) => link.revoked_at !== null)).toEqual([false, true]);
  });

  test('of tokens that were replaced before links ended with them end at the upgrade', async () => {
    const user = { external_id: 'u-19' };
    const { ulid, accessToken } = await app.open({ context: { user } });
    const old = customerBrowser(app);
    await old.open(ulid, accessToken);
    const renewed = (await app.asSite('POST', `/api/v1/public/tickets/${ulid}/access-token`, user)).json.access_token;
    const current = customerBrowser(app);
    await current.open(ulid, renewed);
    const client = app.desk.store.writing.client;
    client.run('UPDATE customer_links SET revoked_at = NULL, revoked_by = NULL');
    expect((await customerBrowser(app).open(ulid, accessToken)).status).toBe(200);
    client.run(migrations.find(({ name }) => name === 'replaced_links')?.sql ?? '');
    expect((await customerBrowser(app).open(ulid, accessToken)).status).toBe(404);
    expect((await current.ask('GET', `/ticket?ticket=${ulid}`)).status).toBe(200);
    expect((await customerBrowser(app).open(ulid, renewed)).status).toBe(200);
  });

  test('of a merged ticket are listed and revoked with those of the other', async () => {
    const [source, target] = [await opened(), await opened()];
    await app.asTeam('POST', `/api/v1/tickets/${source.ulid}/merge`, { into: target.ulid });
    expect((await links(target.ulid)).map(({ address }: { address: string }) => address)).toEqual(
      expect.arrayContaining([source.email, target.email]),
    );
    await revoke(target.ulid);
    expect((await source.browser.ask('GET', `/ticket?ticket=${source.ulid}`)).status).toBe(401);
    expect((await source.browser.open(source.ulid, source.accessToken)).status).toBe(404);
  });

  test('are read by viewers, and revoked by those who write', async () => {
    const { ulid } = await opened();
    const viewer = (await app.person('viewer')).headers;
    const path = `/api/v1/tickets/${ulid}/links`;
    expect((await app.ask('GET', path, { headers: viewer })).status).toBe(200);
    expect((await app.ask('DELETE', path, { headers: viewer })).status).toBe(403);
    const member = (await app.person('member')).headers;
    expect((await app.ask('DELETE', path, { headers: member })).status).toBe(200);
  });
});

describe('a new link', () => {
  const request = (ticket: string) => customerBrowser(app).ask('POST', '/links/request', { ticket });
  async function sent() {
    await app.mailAsked();
    return query<{ recipient: string }>(
      app.desk.store.reading,
      "SELECT recipient FROM deliveries WHERE event = 'mail.customer_link' ORDER BY id",
    )
      .all()
      .map(({ recipient }) => recipient);
  }

  test('is mailed to the address on the ticket, also after the others were revoked', async () => {
    const { ulid, email } = await opened();
    await revoke(ulid);
    const asked = await request(ulid.toLowerCase());
    expect([asked.status, asked.json]).toEqual([202, {}]);
    expect(await sent()).toEqual([email]);
    expect((await links(ulid))[0]).toMatchObject({ kind: 'requested', address: email, uses: 0, revoked_at: null });
  });

  test('is mailed three times an hour', async () => {
    const { ulid, email } = await opened();
    const mine = async () => (await sent()).filter((one) => one === email).length;
    for (const mails of [1, 2, 3, 3]) {
      expect((await request(ulid)).status).toBe(202);
      expect(await mine()).toBe(mails);
    }
    app.clock.advance(hourMs);
    await request(ulid);
    expect(await mine()).toBe(4);
  });

  test('is answered alike, and not mailed, for what has none', async () => {
    const { ulid } = await opened();
    const test = await app.open({ is_test: true, email: 'test@example.org' });
    const spam = await opened();
    await app.asTeam('PATCH', `/api/v1/tickets/${spam.ulid}`, { is_spam: true });
    const old = await opened();
    await app.asTeam('PATCH', `/api/v1/tickets/${old.ulid}`, { status: 'closed' });
    app.clock.advance(180 * 24 * hourMs);
    const before = await sent();
    for (const ticket of ['01K4VJ8Q4N7RM2ZC6B0T3XWYDE', '', '../..', '41', test.ulid, spam.ulid, old.ulid]) {
      const asked = await request(ticket);
      expect([asked.status, asked.text], ticket).toEqual([202, '{}']);
    }
    await app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { settings: { customer_links: 'off' } });
    expect((await request(ulid)).status).toBe(202);
    expect(await sent()).toEqual(before);
  });
});
