// Tracing a mail: on its way in and out, by address, subject and Message-ID, and only within one's sites.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { traceMail } from '../../../src/desk/mail/trace.ts';
import { recordAttempt } from '../../../src/desk/outbox/attempts.ts';
import { createSite } from '../../../src/desk/sites/sites.ts';
import { query } from '../../../src/engine/database.ts';
import { mail } from '../../desk/mail/mail-desk.ts';
import { type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const arrive = (fields: Parameters<typeof mail>[0]) =>
  app.ask('POST', `/api/webhooks/raw/inbound/${app.inboundSecret}`, { body: mail(fields) });
const trace = async (q: string, more = '') => {
  const answer = await app.asTeam('GET', `/api/v1/mail/trace?q=${encodeURIComponent(q)}${more}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json.data as {
    direction: string;
    kind: string;
    ticket: string | null;
    steps: { kind: string; detail: string }[];
  }[];
};
const stepsOf = ({ direction, steps }: { direction: string; steps: { kind: string }[] }) =>
  `${direction}: ${steps.map(({ kind }) => kind).join(' ')}`;

test('a mail that became a ticket and its acknowledgement are found by address, subject and Message-ID', async () => {
  const raw = { from: 'Mia <mia@customer.example>', subject: 'Where is my order', id: '<order-1@customer.example>' };
  await arrive(raw);
  const found = await trace('Mia@Customer.example');
  expect(found.map(stepsOf).sort()).toEqual(['in: stored filed', 'out: queued waiting']);
  expect(found[0]?.ticket).toBe(found[1]?.ticket ?? '');
  for (const q of ['where is my', '<order-1@customer.example>', 'order-1@customer.example'])
    expect(
      (await trace(q)).some(({ direction, kind }) => direction === 'in' && kind === 'raw'),
      q,
    ).toBe(true);
  expect(await trace('order-2@customer.example')).toEqual([]);
});

test('what the servers answered is told, with the reason of what failed and of a mail that came back', async () => {
  await arrive({ from: 'gone@customer.example', subject: 'Burning' });
  const [delivery] = app.desk.read(
    (tx) =>
      query<{ id: number; mail_message_id: string }>(
        tx,
        "SELECT id, mail_message_id FROM deliveries WHERE recipient = 'gone@customer.example'",
      ).all() as never,
  ) as { id: number; mail_message_id: string }[];
  const tried = async (result: object, more: object) =>
    await app.desk.write((tx) => {
      const attempt = {
        deliveryId: delivery?.id ?? 0,
        durationMs: 1,
        responseStatus: null,
        responseExcerpt: '',
        error: null,
      };
      recordAttempt(tx, app.desk.context({ kind: 'desk' }, 'test'), { ...attempt, result, ...more } as never);
      return null;
    });
  await tried({ outcome: 'retry', at: 1 }, { responseStatus: 451, error: '451 Later' });
  await tried({ outcome: 'delivered' }, { responseExcerpt: '250 Taken as 7F3' });
  const [out] = (await trace(delivery?.mail_message_id ?? '')).filter(({ direction }) => direction === 'out');
  expect(out?.steps.map(({ kind, detail }) => [kind, detail])).toEqual([
    ['queued', null],
    ['refused', '451 Later'],
    ['accepted', '250 Taken as 7F3'],
  ] as never);
});

test('mail that was not filed says why', async () => {
  await arrive({ from: 'robot@customer.example', subject: 'Away', headers: ['Auto-Submitted: auto-replied'] });
  const [found] = await trace('robot@customer.example');
  expect(found?.steps.at(-1)?.kind).toBe('not_filed');
  expect(found?.steps.at(-1)?.detail).not.toBe('');
});

test('mail of other sites is not shown, nor is that of a site which is not asked for', async () => {
  await app.desk.write((tx) => createSite(tx, app.desk.context({ kind: 'command_line' }, 'test'), { name: 'Other' }));
  expect(await trace('mia@customer.example', '&site=other')).toEqual([]);
  expect((await trace('mia@customer.example', '&site=web-shop')).length).toBe(2);
  const elsewhere = { kind: 'agent', agentId: 1, name: 'Kim', role: 'member', sessionId: 1 } as const;
  const seenFrom = (scope: number[]) =>
    app.desk.read((tx) => {
      const ctx = app.desk.context({ ...elsewhere, abilities: ['read'], scope }, 'test');
      return traceMail(tx, ctx, null, 'mia@customer.example').mails.length as never;
    }) as number;
  expect([seenFrom([1]), seenFrom([2]), seenFrom([])]).toEqual([2, 0, 0]);
  expect(await trace('100%')).toEqual([]);
  const token = await app.asTeam('GET', '/api/v1/mail/trace?q=mia%40customer.example&site=none');
  expect(token.status).toBe(404);
  expect((await app.asTeam('GET', '/api/v1/mail/trace?q=m')).status).toBe(400);
});
