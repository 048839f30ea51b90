// What the desk sends on its own to an unproven address: rarely, and never a stranger's words.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { changeSite, createSite } from '../../../src/desk/sites/sites.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { replyAsAgent } from '../../../src/desk/tickets/replies.ts';
import { openTicket, openTicketAsAgent } from '../../../src/desk/tickets/tickets.ts';
import { agentTicketInput, ingestTicketInput } from '../../../src/domain/input/tickets.ts';
import type { Site } from '../../../src/store/sites/sites.ts';
import { type MailDesk, mail, mailDesk, minute } from './mail-desk.ts';

let bench: MailDesk;
beforeAll(async () => {
  bench = await mailDesk();
  await bench.do((tx, ctx) => changeSite(tx, ctx, 'web-shop', { settings: { notify_resolved: true } }, null).id);
});
afterAll(() => bench.close());

const bait = 'Click http://evil.example NOW';
const attack = { name: bait, subject: bait, message: bait };
const byApplication = (email: string, more: object = {}, site: Site = bench.site) =>
  bench.do((tx, ctx) => {
    const input = ingestTicketInput.parse({ ...attack, email, ...more });
    return openTicket(tx, { ...ctx, actor: { kind: 'application', siteId: site.id } }, site, input).ticket.id;
  });
const byAgent = (email: string) =>
  bench.do((tx, ctx) => {
    const input = agentTicketInput.parse({ ...attack, email, site_id: bench.site.id });
    return openTicketAsAgent(tx, ctx, input).ticket.id;
  });
const byMail = (email: string) => bench.post(mail({ from: `"${bait}" <${email}>`, subject: bait, body: bait }));
const subjectOf = (raw = '') => /^Subject: (.*)$/m.exec(raw.replace(/\r\n[ \t]+/g, ' '))?.[1]?.trim();
const recipients = async () => (await bench.leave()).map(({ event, recipient }) => `${event} ${recipient}`);

test('an address gets at most one acknowledgement an hour, whatever the source and site', async () => {
  const victim = 'victim@example.org';
  const other = await bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Other shop' }).site);
  await byApplication(victim);
  for (let count = 0; count < 20; count += 1)
    await byApplication('VICTIM@example.org', { subject: `${bait} ${count}` });
  await byAgent(victim);
  await byMail(victim);
  await byApplication(victim, {}, other);
  for (let count = 0; count < 5; count += 1) await byApplication(`victim+${count}@example.org`);
  await byApplication(victim, { context: { user: { external_id: 'someone' } } });
  expect(await recipients()).toEqual([`mail.acknowledgement ${victim}`]);
  bench.clock.advance(59 * minute);
  await byMail(victim);
  expect(await recipients()).toEqual([]);
  bench.clock.advance(minute);
  await byMail(victim);
  await byApplication(victim);
  expect(await recipients()).toEqual([`mail.acknowledgement ${victim}`]);
});

test.each([
  ['application', byApplication],
  ['agent', byAgent],
  ['mail', byMail],
] as const)(
  'what an unverified author wrote by %s is in nothing that the desk sends them by itself',
  async (how, open) => {
    const email = `${how}@victim.example`;
    const opened = await open(email);
    const id = typeof opened === 'number' ? opened : (opened.ticketId ?? 0);
    await bench.do((tx, ctx) => changeTicket(tx, ctx, id, { status: 'resolved' }, null).id);
    const sent = (await bench.leave()).filter(({ recipient }) => recipient === email);
    expect(sent.map(({ event, raw }) => [event, subjectOf(raw)])).toEqual([
      ['mail.acknowledgement', `[#${id}] We have received your message`],
      ['mail.ticket_resolved', `[#${id}] Your ticket is solved`],
    ]);
    for (const { raw } of sent) expect(raw).not.toMatch(/evil|click|Q2xpY2/i);
  },
);

test('a verified author is addressed by name and gets the subject', async () => {
  const email = 'known@customer.example';
  const id = await byApplication(email, { name: 'Ada', subject: 'My bill', context: { user: { external_id: 'u-1' } } });
  const [sent] = await bench.leave();
  expect(subjectOf(sent?.raw)).toBe(`[#${id}] My bill`);
  expect(sent?.raw).toContain('To: Ada <known@customer.example>');
});

test('a rule that resolves a new ticket sends no mail', async () => {
  await bench.leave();
  const rule = await bench.rule({
    conditions: [{ field: 'subject', operator: 'contains', value: 'resolve at once' }],
    actions: [{ type: 'set_status', value: 'resolved' }],
  });
  expect(rule).toBeGreaterThan(0);
  const row = await bench.post(mail({ from: 'spoofed@victim.example', subject: 'resolve at once' }));
  expect(bench.ticket(row.ticketId).status).toBe('resolved');
  expect(await recipients()).toEqual(['mail.acknowledgement spoofed@victim.example']);
});

test("an agent's reply to an unverified author has the subject but not the name", async () => {
  const id = await byApplication('answered@victim.example');
  await bench.leave();
  await bench.do((tx, ctx) => {
    addAgent(tx, ctx, { email: 'kim@desk.example', name: 'Kim' });
    replyAsAgent(tx, ctx, id, { body: 'Was this you?' });
    return null;
  });
  const [sent] = await bench.leave();
  expect(subjectOf(sent?.raw)).toBe(`[#${id}] Re: ${bait}`);
  expect(sent?.raw).toContain('To: answered@victim.example');
});
