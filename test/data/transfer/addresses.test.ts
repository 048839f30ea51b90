// One definition of an address: every way in agrees on it, and every stored address can be moved, mailed and erased.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { silentLog } from '../../../src/base/log.ts';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { inboundRules } from '../../../src/desk/rules/rules.ts';
import { customFields } from '../../../src/desk/sites/catalogue/custom-fields.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { openTicketAsAgent } from '../../../src/desk/tickets/tickets.ts';
import { ruleInput } from '../../../src/domain/input/channels.ts';
import { agentInput } from '../../../src/domain/input/people.ts';
import { customFieldInput, siteChangeInput } from '../../../src/domain/input/sites.ts';
import { agentTicketInput, anonymiseInput } from '../../../src/domain/input/tickets.ts';
import { canonicalAddress, keptForms } from '../../../src/domain/mail/address.ts';
import { query } from '../../../src/engine/database.ts';
import { createMailroom, type Mailroom } from '../../../src/jobs/mailroom.ts';
import { composeMail } from '../../../src/mail/outgoing/compose.ts';
import { frame } from '../../mail/frame.ts';
import { addresses } from '../../support/addresses.ts';
import { caseCount } from '../../support/case-count.ts';
import { inlineReader } from '../../support/inline-reader.ts';
import { emptyDesk, type Portable, portable } from './portable.ts';

function mailroomOf(desk: Portable): Mailroom {
  const { blobs, mailBlobs } = desk;
  const fetchText = () => Promise.reject(new Error('no network in tests'));
  return createMailroom({ desk: desk.desk, blobs, mailBlobs, log: silentLog, reader: inlineReader, fetchText });
}

/** Whether it was accepted. */
function taken(act: () => unknown): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

const column = (desk: Portable, sql: string): string[] =>
  query<{ value: string | null }>(desk.tx, sql)
    .all()
    .flatMap(({ value }) => value ?? []);

async function enterBy(desk: Portable, address: string): Promise<Record<string, boolean>> {
  const site = String(desk.site.id);
  const post = (provider: 'raw' | 'postmark', body: string) =>
    mailroomOf(desk).receive(desk.freshSite(), provider, {}, new Blob([body]).stream());
  const doors: Record<string, boolean> = {
    ingest: taken(() => desk.open({ email: address })),
    agent: taken(() => {
      const input = { site_id: desk.site.id, email: address, subject: 'x', message: 'x' };
      desk.do((tx, ctx) => openTicketAsAgent(tx, ctx, agentTicketInput.parse(input)));
    }),
    agents: taken(() => {
      desk.do((tx, ctx) => addAgent(tx, ctx, agentInput.parse({ email: address, name: 'Kim' })));
    }),
    settings: taken(() => {
      const input = siteChangeInput.parse({ settings: { mail_from_address: address } });
      desk.do((tx, ctx) => changeSite(tx, ctx, site, input, null));
    }),
    field: taken(() => {
      const [ticket] = desk.open({ email: 'owner@example.org' }) ? column(desk, 'SELECT id AS value FROM tickets') : [];
      desk.do((tx, ctx) => changeTicket(tx, ctx, Number(ticket), { custom_fields: { contact: address } }, null));
    }),
    rule: taken(() => {
      const conditions = [{ field: 'subject', operator: 'contains', value: 'nothing like it' }];
      const input = ruleInput.parse({ name: 'R', conditions, actions: [{ type: 'forward', value: address }] });
      desk.do((tx, ctx) => inboundRules.add(tx, ctx, site, input));
    }),
    compose: taken(() =>
      composeMail(frame({ to: { name: '', address } }), { kind: 'acknowledgement', isProven: false }),
    ),
  };
  await post('raw', `From: Eve <${address}>\r\nSubject: By mail\r\n\r\nHello`);
  await post(
    'postmark',
    JSON.stringify({
      FromFull: { Email: address, Name: 'Eve' },
      To: 'support@example.org',
      Subject: 'By Postmark',
      TextBody: 'Hello',
      MessageID: 'x',
      Headers: [],
    }),
  );
  return doors;
}

test('what one door takes every door takes, and it can be moved and erased wherever it went', async () => {
  await fc.assert(
    fc.asyncProperty(addresses, async (address) => {
      const desk = portable();
      const field = customFieldInput.parse({ key: 'contact', label: 'Contact', type: 'email' });
      desk.do((tx, ctx) => customFields.add(tx, ctx, 'web-shop', field));
      const doors = await enterBy(desk, address);
      const isOne = canonicalAddress(address) !== null;
      expect(doors).toEqual(Object.fromEntries(Object.keys(doors).map((door) => [door, isOne])));
      // Mail is never refused: it becomes a ticket of this author, or the inbound log says why not.
      const logged = query<{ outcome: string; reason: string; sender: string | null }>(
        desk.tx,
        'SELECT outcome, reason, sender FROM inbound_mail',
      ).all();
      expect(logged).toHaveLength(2);
      if (isOne)
        expect(logged.map(({ outcome, sender }) => [outcome, sender])).toEqual(
          Array(2).fill(['ticket_created', canonicalAddress(address)]),
        );
      for (const { outcome, reason } of logged)
        if (outcome === 'failed') expect(reason).toMatch(/cannot answer the sender.s address|names no sender/);

      const copy = emptyDesk();
      copy.clock.advance(1000);
      const text = await desk.exported();
      await copy.imported(text);
      const told = (from: Portable) => column(from, 'SELECT email AS value FROM authors ORDER BY id');
      expect(told(copy)).toEqual(told(desk));
      const shown = new Set([
        address,
        ...told(desk).filter((email) => email !== 'owner@example.org'),
        ...column(desk, 'SELECT sender AS value FROM inbound_mail'),
      ]);
      for (const each of [desk, copy]) {
        for (const email of shown) {
          const input = anonymiseInput.safeParse({ site_id: each.do((tx) => siteIdOf(tx)), email });
          if (!input.success) throw new Error(`asking for ${email} is refused`);
          const isKnown = keptForms(email).some(
            (form) =>
              column(each, 'SELECT email AS value FROM authors').includes(form) ||
              column(each, 'SELECT sender AS value FROM inbound_mail').includes(form),
          );
          if (isKnown) each.do((tx, ctx) => eraseAuthor(tx, ctx, input.data));
        }
        expect(told(each).filter((email) => !/^anonymised\+\d+@|^owner@/.test(email))).toEqual([]);
        expect(column(each, 'SELECT sender AS value FROM inbound_mail')).toEqual([]);
      }
      desk.close();
      copy.close();
    }),
    { numRuns: caseCount(6, 30) },
  );
}, 120_000);

const siteIdOf = (tx: Portable['tx']) => query<{ id: number }>(tx, 'SELECT id FROM sites').get()?.id ?? 0;

test('what an earlier version kept from mail is exported, imported and erased all the same', async () => {
  const desk = portable();
  const { ticket } = desk.open();
  const odd = '"a\\b":c(d)@-x..y';
  desk.tx.client.run('UPDATE authors SET email = ? WHERE id = ?', [odd, ticket.authorId]);
  const copy = emptyDesk();
  await copy.imported(await desk.exported());
  for (const each of [desk, copy]) {
    const input = anonymiseInput.parse({ site_id: each.do((tx) => siteIdOf(tx)), email: odd.toUpperCase() });
    expect(each.do((tx, ctx) => eraseAuthor(tx, ctx, input))).toMatchObject({ ticketsScrubbed: 1 });
  }
});
