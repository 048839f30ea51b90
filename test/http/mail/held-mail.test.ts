// Held mail over the API: counted by reason, and decided about by filter.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mail } from '../../desk/mail/mail-desk.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { until } from '../../support/litefs.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

const path = '/api/v1/sites/web-shop/held-mail';
const hold = async (headers: string[] = []) => {
  const forged = ['Authentication-Results: mx; dmarc=fail header.from=customer.example'];
  const body = mail({ headers: [...forged, ...headers] });
  const { json } = await app.ask('POST', `/api/webhooks/raw/inbound/${app.inboundSecret}`, { body });
  expect(json.outcome).toBe('held');
};
const counted = async () => (await app.asTeam('GET', path)).json.data;
const outcomes = async () =>
  (await app.asTeam('GET', '/api/v1/sites/web-shop/inbound-mail')).json.data.map(
    ({ outcome }: { outcome: string | null }) => outcome,
  );
const post = (verb: string, body: object) => app.asTeam('POST', `${path}/${verb}`, body);

test('is counted, listed, discarded and taken back by reason', async () => {
  expect(await counted()).toEqual({ newest_id: null, reasons: [] });
  await hold();
  await hold();
  const { newest_id: newest, reasons } = await counted();
  expect(reasons).toEqual([{ held_for: 'forged', count: 2 }]);
  const listed = await app.asTeam('GET', '/api/v1/sites/web-shop/inbound-mail?held_for=forged,spam');
  const why = { held_for: 'forged', reason_codes: [{ code: 'called_forged', values: { checks: 'DMARC' } }] };
  expect(listed.json.data).toMatchObject([{ id: newest, ...why }, why]);
  expect((await app.asTeam('GET', '/api/v1/sites/web-shop/inbound-mail?held_for=spam')).json.data).toEqual([]);
  const refused = await post('discard', { held_for: ['forged'], up_to: newest, count: 1 });
  expect([refused.status, refused.json.code]).toEqual([409, 'count_changed']);
  expect((await post('discard', { held_for: ['spam'], up_to: newest, count: 0 })).json.data).toEqual({
    ids: [],
    left: 0,
  });
  const { json } = await post('discard', { held_for: ['forged'], up_to: newest, count: 2 });
  expect(json.data).toEqual({ ids: [newest - 1, newest], left: 0 });
  expect(await outcomes()).toEqual(['discarded', 'discarded']);
  expect((await post('hold', { ids: json.data.ids })).json.data).toEqual(json.data && { ids: json.data.ids });
  expect((await counted()).reasons).toEqual(reasons);
});

test('is filed right after it was released', async () => {
  await hold();
  const { newest_id: newest } = await counted();
  expect((await post('release', { up_to: newest, count: 1 })).json.data).toEqual({ ids: [newest], left: 0 });
  await until(async () => (await outcomes())[0] === 'ticket_created', 'the ticket');
});
