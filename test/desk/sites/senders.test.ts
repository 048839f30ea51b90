// The senders of a site: which of them a mail is from.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { keepChecks, senders, senderToCheck } from '../../../src/desk/sites/senders.ts';
import { asSender } from '../../../src/desk/sites/site-senders.ts';
import { changeSite, createSite } from '../../../src/desk/sites/sites.ts';
import { answerTicket } from '../../../src/desk/tickets/replies.ts';
import { resendReply } from '../../../src/desk/tickets/resend-reply.ts';
import { sendDue } from '../../../src/desk/tickets/scheduled-replies.ts';
import { openTicketAsAgent } from '../../../src/desk/tickets/tickets.ts';
import { senderChangeInput, senderInput } from '../../../src/domain/input/senders.ts';
import { agentReplyInput, agentTicketInput } from '../../../src/domain/input/tickets.ts';
import { senderRows } from '../../../src/store/sites/catalogue.ts';
import { isSenderOfSite } from '../../../src/store/sites/senders.ts';
import { type Site, siteById } from '../../../src/store/sites/sites.ts';
import { updateMessage } from '../../../src/store/tickets/messages.ts';
import { participantsOf } from '../../../src/store/tickets/participants.ts';
import { type MailDesk, mailDesk } from '../mail/mail-desk.ts';

let bench: MailDesk;
beforeEach(async () => {
  bench = await mailDesk();
});
afterEach(() => bench.close());

const slug = (site: Site = bench.site) => site.slug;
const add = (input: object, site?: Site) =>
  bench.do((tx, ctx) => senders.add(tx, ctx, slug(site), senderInput.parse(input)).row);
const change = (id: number, input: object) =>
  bench.do((tx, ctx) => senders.change(tx, ctx, slug(), id, senderChangeInput.parse(input), null).row);
const listed = (site: Site = bench.site) =>
  bench.desk.read((tx) => senderRows.list(tx, site.id).map((row) => asSender(siteById(tx, site.id) ?? site, row)));
const settings = () => bench.desk.read((tx) => siteById(tx, bench.site.id)?.settings);
const set = (values: object) => bench.do((tx, ctx) => changeSite(tx, ctx, slug(), { settings: values }, null));
const reply = (ticket: number, input: object) =>
  bench.do((tx, ctx) => answerTicket(tx, ctx, ticket, agentReplyInput.parse({ body: 'Done.', ...input })));
const fromLines = async () => (await bench.leave()).map(({ raw }) => /^From: (.*)$/m.exec(raw)?.[1]?.trim());
const mailTo = (address: string, subject = 'Fire', cc: string[] = []) =>
  bench.post(
    [
      `From: Mia <mia@example.org>`,
      `To: ${address}`,
      ...cc.map((each) => `Cc: ${each}`),
      `Subject: ${subject}`,
      `Message-ID: <${subject}@x>`,
      '',
      'Help',
    ].join('\r\n'),
    { to: address },
  );

test('the addresses that sites write from are known as soon as they change', async () => {
  const known = () =>
    bench.desk.read((tx) => ['help@shop.example', 'sales@shop.example'].map((address) => isSenderOfSite(tx, address)));
  expect(known()).toEqual([false, false]);
  await set({ mail_from_address: 'help@shop.example' });
  const { id } = await add({ address: 'sales@shop.example' });
  expect(known()).toEqual([true, true]);
  await set({ mail_from_address: null });
  await bench.do((tx, ctx) => senders.remove(tx, ctx, slug(), id, null));
  expect(known()).toEqual([false, false]);
});

describe('the default sender', () => {
  test('each site has one, whose name and address are its settings, both ways', async () => {
    const [own] = listed();
    expect(own).toMatchObject({ isDefault: true, name: null, address: null });
    await set({ mail_from_name: 'Shop', mail_from_address: 'help@shop.example' });
    expect(listed()[0]).toMatchObject({ name: 'Shop', address: 'help@shop.example' });
    await change(own?.id ?? 0, { name: 'Store', address: null });
    expect(settings()).toMatchObject({ mail_from_name: 'Store', mail_from_address: null });
  });

  test('another one takes its place, and both keep their ids, names and addresses', async () => {
    await set({ mail_from_name: 'Shop', mail_from_address: 'help@shop.example' });
    const first = listed()[0]?.id ?? 0;
    const second = (await add({ address: 'sales@shop.example', name: 'Sales', is_default: true })).id;
    const byId = new Map(listed().map((one) => [one.id, one]));
    expect(byId.get(first)).toMatchObject({ isDefault: false, name: 'Shop', address: 'help@shop.example' });
    expect(byId.get(second)).toMatchObject({ isDefault: true, name: 'Sales', address: 'sales@shop.example' });
    expect(settings()).toMatchObject({ mail_from_name: 'Sales', mail_from_address: 'sales@shop.example' });
    await expect(bench.do((tx, ctx) => senders.remove(tx, ctx, slug(), second, null))).rejects.toThrow(
      'default sender',
    );
    await expect(change(second, { is_default: false })).rejects.toThrow();
  });
});

test('an address belongs to one sender, also of another site', async () => {
  const blog = await bench.siteNamed('Blog');
  await set({ mail_from_address: 'help@shop.example' });
  await add({ address: 'sales@shop.example' });
  for (const site of [bench.site, blog])
    for (const address of ['help@shop.example', 'Sales@Shop.example'])
      await expect(add({ address }, site)).rejects.toMatchObject({ errors: { address: expect.anything() } });
  const refused = { errors: { 'settings.mail_from_address': expect.anything() } };
  for (const [name, address] of [
    [String(blog.id), 'help@shop.example'],
    [String(blog.id), 'sales@shop.example'],
    [slug(), 'sales@shop.example'],
  ] as const) {
    const settings = { mail_from_address: address };
    await expect(bench.do((tx, ctx) => changeSite(tx, ctx, name, { settings }, null))).rejects.toMatchObject(refused);
    await expect(bench.do((tx, ctx) => createSite(tx, ctx, { name: 'New', settings }))).rejects.toMatchObject(refused);
  }
  await set({ mail_from_address: 'help@shop.example', mail_from_name: 'The same' });
});

describe('a ticket answers from the sender that it came to', () => {
  test('its acknowledgement, and its replies; one that came elsewhere from the default one', async () => {
    await set({ mail_from_address: 'help@shop.example', mail_from_name: 'Shop' });
    const sales = await add({ address: 'sales@shop.example', name: 'Sales' });
    const { ticketId } = await mailTo('Sales@shop.example');
    expect(bench.ticket(ticketId).senderId).toBe(sales.id);
    await reply(ticketId ?? 0, {});
    expect(await fromLines()).toEqual(['Sales <sales@shop.example>', 'Sales <sales@shop.example>']);
    bench.clock.advance(2 * 3_600_000);
    const elsewhere = await mailTo('ticket@desk.example', 'Flood');
    expect(bench.ticket(elsewhere.ticketId).senderId).toBeNull();
    expect(await fromLines()).toEqual(['Shop <help@shop.example>']);
  });

  test('a reply can name another one, for that reply only; also when it is sent again', async () => {
    const sales = await add({ address: 'sales@shop.example', name: 'Sales' });
    const { ticketId } = await mailTo('ticket@desk.example');
    await bench.leave();
    await reply(ticketId ?? 0, { from: sales.id, hold_seconds: 10 });
    bench.clock.advance(10_000);
    await bench.do((tx, ctx) => sendDue(tx, ctx));
    await reply(ticketId ?? 0, {});
    expect(await fromLines()).toEqual(['Sales <sales@shop.example>', 'Web shop <support@desk.example>']);
    expect(bench.ticket(ticketId).senderId).toBeNull();
    const [, said] = bench.messages(ticketId);
    expect(said?.senderId).toBe(sales.id);
    await bench.do((tx, ctx) => {
      updateMessage(tx, said?.id ?? 0, {
        delivery: { status: 'failed', at: '', error: null },
        recipients: (said?.recipients ?? []).map((one) => ({ ...one, status: 'failed' as const })),
      });
      return resendReply(tx, ctx, ticketId ?? 0, said?.ulid ?? '');
    });
    expect(await fromLines()).toEqual(['Sales <sales@shop.example>']);
  });

  test('a ticket that an agent opens can name one', async () => {
    const sales = await add({ address: 'sales@shop.example', name: 'Sales' });
    const input = { site_id: bench.site.id, email: 'mia@example.org', subject: 'Call', message: 'Hi', from: sales.id };
    await bench.do((tx, ctx) => openTicketAsAgent(tx, ctx, agentTicketInput.parse(input)));
    expect(await fromLines()).toEqual(['Sales <sales@shop.example>']);
  });

  test('one of another site is refused, and one for a note', async () => {
    const blog = await bench.siteNamed('Blog');
    const other = await add({ address: 'hello@blog.example' }, blog);
    const { ticketId } = await mailTo('ticket@desk.example');
    await expect(reply(ticketId ?? 0, { from: other.id })).rejects.toMatchObject({
      errors: { from: expect.anything() },
    });
    await expect(reply(ticketId ?? 0, { from: listed()[0]?.id, is_internal: true })).rejects.toThrow(
      'cannot be used for a note',
    );
  });

  test('rules choose one, and the default one answers for one that was removed', async () => {
    const sales = await add({ address: 'sales@shop.example', name: 'Sales' });
    await bench.rule({ actions: [{ type: 'set_sender', value: sales.id }] });
    const { ticketId } = await mailTo('ticket@desk.example');
    expect(bench.ticket(ticketId).senderId).toBe(sales.id);
    expect(bench.events(ticketId).some(({ data }) => data.changes?.sender_id?.to === sales.id)).toBe(true);
    await bench.leave();
    await bench.do((tx, ctx) => senders.remove(tx, ctx, slug(), sales.id, null));
    expect(bench.ticket(ticketId).senderId).toBeNull();
    await reply(ticketId ?? 0, {});
    expect(await fromLines()).toEqual(['Web shop <support@desk.example>']);
    await expect(bench.rule({ actions: [{ type: 'set_sender', value: sales.id }] })).rejects.toThrow();
  });
});

test('no sender becomes a participant of a ticket, also not one of another site', async () => {
  const blog = await bench.siteNamed('Blog');
  await add({ address: 'sales@shop.example' });
  await add({ address: 'hello@blog.example' }, blog);
  const { ticketId } = await mailTo('ticket@desk.example', 'Fire', [
    'sales@shop.example, hello@blog.example, zoe@example.org',
  ]);
  const people = bench.desk.read((tx) => participantsOf(tx, ticketId ?? 0));
  expect(people.map(({ person }) => person.email)).toEqual(['zoe@example.org']);
});

test('a name cannot add a header', async () => {
  const names = ['Sales\r\nBcc: spy@evil.example', 'Sales" <spy@evil.example>, "x', 'a\u2028b\u0000c', '=?utf-8?q?x?='];
  for (const [at, name] of names.entries()) {
    const sender = await add({ address: `s${at}@shop.example`, name });
    const { ticketId } = await mailTo(`s${at}@shop.example`, `Fire${at}`);
    expect(bench.ticket(ticketId).senderId).toBe(sender.id);
    await reply(ticketId ?? 0, {});
    for (const { raw } of await bench.leave()) {
      const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
      expect(head).not.toMatch(/^bcc:/im);
      expect(head.match(/^From:.*(?:\r\n[ \t].*)*/gm)).toHaveLength(1);
      expect(/^From:.*(?:\r\n[ \t].*)*/m.exec(head)?.[0]).toEndWith(`<s${at}@shop.example>`);
    }
    bench.clock.advance(2 * 3_600_000);
  }
});

test('what DNS said is kept with the address that it is about, and not for a sender that changed meanwhile', async () => {
  const { id } = await add({ address: 'sales@shop.example', dkim_selectors: ['S1'] });
  const asked = bench.desk.read((tx) =>
    senderToCheck(tx, bench.desk.context({ kind: 'command_line' }, 't'), slug(), id),
  );
  expect(asked).toMatchObject({ address: 'sales@shop.example', selectors: ['s1'], server: null });
  const record = { status: 'ok', reason: 'spf_covers', about: null, found: 'x', explanation: '', add: null } as const;
  const found = { spf: record, dkim: record, dmarc: record };
  const kept = await bench.do((tx, ctx) => keepChecks(tx, ctx, id, asked, found));
  expect(kept.row.checks).toMatchObject({ address: 'sales@shop.example', spf: record });
  await change(id, { address: 'orders@shop.example' });
  await expect(bench.do((tx, ctx) => keepChecks(tx, ctx, id, asked, found))).rejects.toThrow('was changed');
});
