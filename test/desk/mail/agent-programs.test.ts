// An agent's answer in the shape of each mail program: what the customer gets of it is what the agent wrote, and nothing else.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import {
  answerTo,
  appleMail,
  gmail,
  outlook,
  outlookRichText,
  type Person,
  read,
  thunderbird,
  webmail,
} from '../../support/mail-programs.ts';
import { type MailDesk, mail, mailDesk, minute } from './mail-desk.ts';

let at: MailDesk;
let ticketId: number;
let graceId: number;
beforeEach(async () => {
  at = await mailDesk();
  await at.do((tx, ctx) => {
    const settings = { trusted_mail_servers: ['mx.desk.example'], agent_mail: 'reply' as const };
    changeSite(tx, ctx, String(at.site.id), { settings }, null);
    return null;
  });
  const grace = { name: 'Grace', email: 'grace@desk.example', role: 'member' as const, sites: [at.site.id] };
  graceId = (await at.do((tx, ctx) => addAgent(tx, ctx, grace))).id;
  ticketId = (await at.post(mail({ body: 'It burns.\n\nSecond line of the customer.' }))).ticketId ?? 0;
});
afterEach(() => at.close());

const programs = { gmail, outlook, outlookRichText, appleMail, thunderbird, webmail };
const names = Object.keys(programs) as (keyof typeof programs)[];
const locales = ['en', 'de', 'nl', 'fr', 'es'];

const proof = 'Authentication-Results: mx.desk.example; dmarc=pass header.from=desk.example';

async function answered(name: keyof typeof programs, words: string) {
  await at.do((tx, ctx) => changeTicket(tx, ctx, ticketId, { assigned_to: graceId }, null));
  at.clock.advance(minute);
  const leaving = await at.leave();
  const notified = await read(leaving.find(({ event }) => event === 'mail.assigned')?.raw ?? '');
  const grace: Person = { name: 'Grace', address: 'grace@desk.example', program: programs[name] };
  const { raw, to } = answerTo(grace, notified, words, false, { headers: [proof] });
  const row = await at.post(raw, { from: grace.address, to: to[0] ?? '' });
  const mails = (await at.leave()).map(async ({ event, raw }) => [event, (await read(raw)).text ?? ''] as const);
  return { row, sent: await Promise.all(mails) };
}

for (const locale of locales)
  test.each(names.filter((name) => name !== 'thunderbird'))(`in a mail to an agent in ${locale}, %s`, async (name) => {
    at.desk.store.writing.client.run(`UPDATE agents SET locale = '${locale}'`);
    const words = '/resolve\n\nPull the plug.\n\nThen wait.';
    const { row, sent } = await answered(name, words);
    expect([row.outcome, row.reason]).toEqual(['reply_added', 'From agent Grace, a reply.']);
    expect(at.last(ticketId)).toMatchObject({ isAgent: true, isInternal: false });
    expect(at.last(ticketId).body).toBe('Pull the plug.\n\nThen wait.');
    expect(at.ticket(ticketId).status).toBe('resolved');
    expect(sent.map(([event]) => event)).toContain('mail.agent_reply');
    for (const [event, text] of sent)
      if (event === 'mail.agent_reply') expect(text).not.toMatch(/grace@|agent\+|\/take|##-/);
  });

test('answers between the quoted lines are only noted, and the agent is told', async () => {
  const { row, sent } = await answered('thunderbird', 'Pull the plug.');
  expect(row.outcome).toBe('reply_added');
  expect(at.last(ticketId)).toMatchObject({ isInternal: true, body: expect.stringContaining('Pull the plug.') });
  expect(sent.map(([event]) => event)).toEqual(['mail.answer_noted']);
});
