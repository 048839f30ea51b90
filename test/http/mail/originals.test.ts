// The mail that a customer's message came by: who reads it, as what it is sent, and when it is gone.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

let written = 0;
const mail = (from: string, body = 'Hello', headers = '') => {
  written += 1;
  return [
    `From: ${from}\r\nTo: shop@desk.example\r\nSubject: A question\r\nMessage-ID: <o${written}@example.org>\r\n${headers}`,
    'Authentication-Results: mx; dkim=pass header.d=example.org; dmarc=pass header.from=example.org\r\n',
    `Content-Type: text/html; charset=utf-8\r\n\r\n<script>steal()</script><p>${body} ☃</p>\r\n`,
  ].join('');
};
async function receive(raw: string) {
  const sent = await app.ask('POST', `/api/webhooks/raw/inbound/${app.inboundSecret}`, { body: raw });
  const of = `/api/v1/tickets/${sent.json.ticket}`;
  const last = async () => (await app.asTeam('GET', of)).json.data.messages.at(-1);
  return { ticket: sent.json.ticket as string, of, last };
}
const original = (of: string, ulid: string) => `${of}/messages/${ulid}/original`;

test('has its headers, verdict and source, and is only ever downloaded', async () => {
  const raw = mail('Mia <mia@example.org>');
  const { of, last } = await receive(raw);
  const { ulid, has_original } = await last();
  expect(has_original).toBe(true);
  const { json } = await app.asTeam('GET', original(of, ulid));
  expect(json.data).toMatchObject({
    from: { email: 'mia@example.org', name: 'Mia' },
    sender_verdict: 'none',
    size: Buffer.byteLength(raw),
    source: raw,
    is_cut: false,
  });
  expect(json.data.headers).toContainEqual({ name: 'subject', value: 'A question' });
  expect(Object.keys(json.data)).not.toContain('html');
  const { headers, text, status } = await app.asTeam('GET', `${original(of, ulid)}/source`);
  expect([status, text]).toEqual([200, raw]);
  expect(headers.get('content-type')).toBe('message/rfc822');
  expect(headers.get('content-disposition')).toStartWith('attachment; filename="ticket-1-');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
});

test('of a long mail only the beginning is shown', async () => {
  const { of, last } = await receive(mail('Mia <mia@example.org>', 'x'.repeat(300_000)));
  const { json } = await app.asTeam('GET', original(of, (await last()).ulid));
  expect([json.data.is_cut, json.data.source.length]).toEqual([true, 200_000]);
  expect(json.data.size).toBeGreaterThan(300_000);
});

test('is for agents who see the ticket, and there is none of what did not come by mail', async () => {
  const { of, last } = await receive(mail('Mia <mia@example.org>'));
  const { ulid } = await last();
  const path = original(of, ulid);
  const as = async (who: { headers: Record<string, string> }) => (await app.ask('GET', path, who)).status;
  expect(await as(await app.person('viewer', [app.site.id]))).toBe(200);
  expect(await as(await app.person('viewer', [app.other.site.id]))).toBe(404);
  const { secret } = await app.token(['write']);
  expect(await as({ headers: { Authorization: `Bearer ${secret}` } })).toBe(403);
  expect((await app.asSite('GET', path)).status).toBe(401);

  const other = await app.open();
  expect((await app.asTeam('GET', original(`/api/v1/tickets/${other.ulid}`, ulid))).status).toBe(404);
  const [first] = (await app.asTeam('GET', `/api/v1/tickets/${other.ulid}`)).json.data.messages;
  expect(first.has_original).toBe(false);
  expect((await app.asTeam('GET', original(`/api/v1/tickets/${other.ulid}`, first.ulid))).status).toBe(404);
  const { reply } = (await app.asTeam('POST', `${of}/messages`, { body: 'Hi' })).json;
  expect(reply.has_original).toBe(false);
  expect((await app.asTeam('GET', original(of, reply.ulid))).status).toBe(404);
});

test('goes along with a merge, and ends with the inbound log', async () => {
  const { of, last } = await receive(mail('Mia <mia@example.org>'));
  const { ulid } = await last();
  const into = await app.open({ external_id: null, email: 'mia@example.org' });
  await app.asTeam('POST', `${of}/merge`, { into: into.ulid });
  const path = original(`/api/v1/tickets/${into.ulid}`, ulid);
  expect((await app.asTeam('GET', path)).status).toBe(200);
  app.desk.store.writing.client.run('DELETE FROM inbound_mail');
  expect((await app.asTeam('GET', path)).status).toBe(404);
  const { messages } = (await app.asTeam('GET', `/api/v1/tickets/${into.ulid}`)).json.data;
  expect(messages.map((one: { has_original: boolean }) => one.has_original)).not.toContain(true);
});

test('never has the secret of a link, which a reply quotes', async () => {
  const secret = `hdl_${'s'.repeat(43)}`;
  const { of, last } = await receive(mail('Mia <mia@example.org>', `&gt; https://desk.example/t/X#${secret}`));
  const path = original(of, (await last()).ulid);
  for (const answer of [await app.asTeam('GET', path), await app.asTeam('GET', `${path}/source`)]) {
    expect(answer.text).toContain('/t/X#removed');
    expect(answer.text).not.toContain('sssss');
  }
});

test('ends with the erasure of anyone on the ticket, also of a mail that another one wrote', async () => {
  const { ticket, of, last } = await receive(mail('Mia <mia@example.org>', 'Hello', 'Cc: Bo <bo@example.org>\r\n'));
  await receive(mail('Bo <bo@example.org>', 'I say', `In-Reply-To: <o${written}@example.org>\r\n`));
  const reply = await last();
  expect(reply).toMatchObject({ author: { email: 'bo@example.org' }, has_original: true });
  await app.asTeam('POST', '/api/v1/authors/anonymise', { site_id: app.site.id, email: 'mia@example.org' });
  const { messages } = (await app.asTeam('GET', `/api/v1/tickets/${ticket}`)).json.data;
  expect(messages.map((one: { has_original: boolean }) => one.has_original)).toEqual([false, false]);
  expect((await app.asTeam('GET', original(of, reply.ulid))).status).toBe(404);
});
