// An export from before a person was erased does not bring them back, and imports everyone else completely.

import { describe, expect, test } from 'bun:test';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { type Erasure, erasures } from '../../../src/desk/customers/erasure.ts';
import { failMail, receiveMail } from '../../../src/desk/mail/filing.ts';
import { removeSite } from '../../../src/desk/sites/removal.ts';
import { createSite } from '../../../src/desk/sites/sites.ts';
import { attachAsCustomer } from '../../../src/desk/tickets/attachments.ts';
import { addNote, replyAsAgent, replyAsCustomer } from '../../../src/desk/tickets/replies.ts';
import { query } from '../../../src/engine/database.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { updateInboundMail } from '../../../src/store/mail/inbound.ts';
import { suppressAddress } from '../../../src/store/mail/suppressions.ts';
import { siteBySlug } from '../../../src/store/sites/sites.ts';
import { messagesOfTicket } from '../../../src/store/tickets/messages.ts';
import { minute } from '../../desk/workbench.ts';
import { type Portable, portable } from './portable.ts';

const quirin = 'quirin@zwetschge.example';
const person = {
  email: quirin,
  name: 'Quirin Zwetschge',
  subject: 'Mine',
  message: 'My words',
  context: {
    source: 'web' as const,
    app: { name: 'shop' },
    page: { url: 'https://shop.example/u/quirin' },
    user: { external_id: 'ext-quirin', name: 'Quirin Zwetschge' },
  },
};

/** A desk with a verified person, one who wrote by mail, and one who stays, each with traces everywhere. */
async function peopled(): Promise<Portable> {
  const desk = portable();
  const { ticket } = desk.open(person);
  desk.tx.client.run('UPDATE tickets SET custom_fields = ? WHERE id = ?', [
    JSON.stringify({ contact: `write to ${quirin}`, order: '4711' }),
    ticket.id,
  ]);
  const author = authorById(desk.tx, ticket.authorId);
  if (!author) throw new Error('no author');
  desk.do((tx, ctx) => replyAsCustomer(tx, ctx, desk.ticket(ticket.id), author, { body: 'Once more' }));
  desk.do((tx, ctx) =>
    replyAsAgent(tx, ctx, ticket.id, { body: `Dear Quirin,\n\nQuirin Zwetschge <${quirin}> wrote:` }),
  );
  desk.tx.client.run("UPDATE deliveries SET status = 'failed', last_error = ?", [`550 <${quirin}> unknown`]);
  desk.tx.client.run('UPDATE messages SET delivery = json_set(delivery, ?, ?) WHERE delivery IS NOT NULL', [
    '$.error',
    `550 <${quirin}> unknown`,
  ]);
  desk.do((tx, ctx) =>
    addNote(tx, ctx, ticket.id, { body: `Automatic answer from ${quirin.toUpperCase()}:\n\nAway.` }),
  );
  desk.open({ email: 'plain.pflaume@zwetschge.example', name: 'Plain Pflaume', subject: 'By mail' });
  const theirs = desk.open({ email: 'stays@example.org', name: 'Stays Here', subject: 'Theirs' }).ticket.id;
  desk.do((tx, ctx) => replyAsCustomer(tx, ctx, desk.ticket(theirs), author, { body: 'I am Quirin Zwetschge' }));
  desk.do((tx, ctx) => replyAsAgent(tx, ctx, theirs, { body: `Quirin Zwetschge <${quirin}> wrote:` }));
  const file = { ...(await desk.keep(desk.blobs, 'x')), filename: 'quirin-zwetschge.txt', contentType: 'text/plain' };
  desk.do((tx, ctx) => attachAsCustomer(tx, ctx, desk.ticket(ticket.id), file, null));
  desk.do((tx, ctx) => suppressAddress(tx, desk.site.id, quirin, `550 ${quirin}`, ctx.now));
  const kept = await desk.keep(desk.mailBlobs, `From: ${quirin}\r\n\r\nHello`);
  desk.do((tx, ctx) => {
    const id = receiveMail(tx, ctx, desk.site, { ...kept, provider: 'raw', headers: { 'x-envelope-from': quirin } });
    failMail(tx, ctx, id, 'failed', `${quirin} was not understood.`);
    updateInboundMail(tx, id, { sender: quirin, subject: 'Zwetschge' });
  });
  desk.clock.advance(minute);
  return desk;
}

const erase = (desk: Portable, by: { email?: string; external_id?: string }, siteId = desk.site.id) =>
  desk.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: siteId, ...by }));
const eraseBoth = (desk: Portable) => {
  erase(desk, { external_id: 'ext-quirin' });
  erase(desk, { email: 'plain.pflaume@zwetschge.example' });
};
/** Everything in the database about one site's people, and its files. */
const traces = async (desk: Portable, slug: string) => {
  const found = /quirin|zwetschge|pflaume/i.exec(await desk.exported(slug))?.[0];
  const searched = ['quirin', 'zwetschge', 'pflaume'].flatMap((word) => desk.search(word));
  return { found, searched };
};
const none = { found: undefined, searched: [] };
/** Removes the site; only the tombstones of its erasures are left. */
function removed(desk: Portable, change: (erasure: Erasure) => Erasure = (erasure) => erasure): void {
  desk.tombstones = desk.desk.read((tx) => erasures(tx)).map(change);
  desk.do((tx, ctx) => removeSite(tx, ctx, 'web-shop', 'web-shop', null));
}

describe('an export from before an erasure', () => {
  test('comes back without the erased, and with everyone else', async () => {
    const desk = await peopled();
    const text = await desk.exported();
    expect(text).toMatch(/Quirin Zwetschge.*Plain Pflaume/s);
    eraseBoth(desk);
    removed(desk);
    const { erased, stored } = await desk.imported(text);
    expect(erased).toBe(2);
    expect(stored).toBeGreaterThan(10);
    expect(await traces(desk, 'web-shop')).toEqual(none);
    const authors = query<{ name: string; anonymised_at: number | null }>(
      desk.tx,
      'SELECT name, anonymised_at FROM authors ORDER BY id',
    ).all();
    expect(authors).toEqual([
      { name: 'Anonymised', anonymised_at: desk.clock.now() },
      { name: 'Anonymised', anonymised_at: desk.clock.now() },
      { name: 'Stays Here', anonymised_at: null },
    ]);
    const [mine] = desk.search('mine');
    const ticket = desk.ticket(mine ?? 0);
    expect(ticket.context).toEqual({ source: 'web', app: { name: 'shop' } });
    expect(ticket.customFields).toEqual({ order: '4711' });
    const messages = messagesOfTicket(desk.tx, ticket.id);
    expect(messages.map(({ body, authorName }) => [body, authorName])).toEqual([
      ['My words', 'Anonymised'],
      ['Once more', 'Anonymised'],
      ['Dear Anonymised,\n\nAnonymised <Anonymised> wrote:', null],
      ['Automatic answer from Anonymised:\n\nAway.', null],
    ]);
    // The stored mail is not in the export, and the inbound log says why it cannot be replayed.
    const mail = query<{ ulid: string; erased_at: number | null }>(desk.tx, 'SELECT ulid, erased_at FROM inbound_mail');
    expect(mail.get()?.erased_at).toBe(desk.clock.now());
  });

  test('knows them again afterwards: asking once more finds who was erased', async () => {
    const desk = await peopled();
    const text = await desk.exported();
    eraseBoth(desk);
    removed(desk);
    desk.desk.takeErased();
    desk.desk.takeErasedAuthors();
    await desk.imported(text);
    // The tombstones of the new site are written too, and the mail of theirs has no file to remove.
    expect(desk.desk.takeErasedAuthors()).toHaveLength(2);
    expect(desk.desk.takeErased()).toHaveLength(1);
    const site = siteBySlug(desk.tx, 'web-shop');
    const again = erase(desk, { email: quirin }, site?.id);
    expect(again).toMatchObject({ ticketsScrubbed: 0, author: { name: 'Anonymised' } });
    // So does an import of the same export into another site.
    expect((await desk.imported(text, 'third')).erased).toBe(2);
    expect(await traces(desk, 'third')).toEqual(none);
  });

  test('as a copy beside the site, and as a copy of a copy', async () => {
    const desk = await peopled();
    const text = await desk.exported();
    await desk.imported(text, 'copy');
    const ofCopy = await desk.exported('copy');
    eraseBoth(desk);
    expect((await desk.imported(text, 'second')).erased).toBe(2);
    expect((await traces(desk, 'second')).found).toBeUndefined();
    expect((await desk.imported(ofCopy, 'third')).erased).toBe(2);
    expect((await traces(desk, 'third')).found).toBeUndefined();
    // The copy that was here before is a separate site.
    expect(await desk.exported('copy')).toContain('Quirin Zwetschge');
  });

  test('is known by tombstones of before the origin was kept, where site and author have their numbers', async () => {
    for (const [change, expected] of [
      [(at: number) => at, 2],
      [(at: number) => at + 100, 0],
    ] as const) {
      const desk = await peopled();
      const text = await desk.exported();
      eraseBoth(desk);
      const { seal } = desk.desk;
      const former = (mark: string, value: string) => seal.fingerprint(`erased-${mark}/${desk.site.id}`, value);
      removed(desk, (erasure) => ({
        ...erasure,
        originUlid: null,
        authorId: change(erasure.authorId),
        externalId: erasure.externalId === null ? null : former('external-id', 'ext-quirin'),
        email: former('email', 'plain.pflaume@zwetschge.example'),
      }));
      expect((await desk.imported(text)).erased).toBe(expected);
    }
  });

  test('that was cut short before they were erased is completed without them', async () => {
    const desk = await peopled();
    // Rows are stored a hundred at a time.
    for (let more = 0; more < 60; more += 1) desk.open({ email: 'stays@example.org', subject: `More ${more}` });
    const text = await desk.exported();
    const lines = text.split('\n');
    const half = lines.slice(0, lines.findIndex((line) => line.startsWith('{"type":"event"')) + 1).join('\n');
    await expect(desk.imported(`${half}\n`, 'copy')).rejects.toThrow('The export is cut off');
    expect(
      query(desk.tx, "SELECT 1 FROM authors WHERE name = 'Quirin Zwetschge' AND site_id <> 1").get(),
    ).not.toBeNull();
    eraseBoth(desk);
    expect((await desk.imported(text, 'copy')).erased).toBe(2);
    expect((await traces(desk, 'copy')).found).toBeUndefined();
  });
});

describe('no one else is taken for the erased', () => {
  test('the same address on another site', async () => {
    const desk = await peopled();
    const other = desk.do((tx, ctx) => createSite(tx, ctx, { name: 'Other shop' })).site;
    desk.open({ ...person, subject: 'Elsewhere' }, other);
    const text = await desk.exported('other-shop');
    desk.clock.advance(minute);
    eraseBoth(desk);
    expect((await desk.imported(text, 'copy')).erased).toBe(0);
    expect(await desk.exported('copy')).toContain('Quirin Zwetschge');
  });

  test('who came back after having been erased', async () => {
    const desk = await peopled();
    eraseBoth(desk);
    desk.clock.advance(minute);
    desk.open({ ...person, subject: 'Back again' });
    const { erased } = await desk.imported(await desk.exported(), 'copy');
    expect(erased).toBe(0);
    expect(await desk.exported('copy')).toContain('Quirin Zwetschge');
  });

  test('who only shares an address with the erased', async () => {
    const desk = await peopled();
    desk.open({ email: quirin, name: 'Someone Else', subject: 'Shared' });
    const text = await desk.exported();
    desk.clock.advance(minute);
    erase(desk, { external_id: 'ext-quirin' });
    const { erased } = await desk.imported(text, 'copy');
    expect(erased).toBe(1);
    const back = await desk.exported('copy');
    expect(back).not.toContain('Quirin Zwetschge');
    expect(back).toContain('Someone Else');
    // Mail from the shared address stays, since it may be theirs.
    expect(back).toContain('"sender":"quirin@zwetschge.example"');
    expect(back).toContain('"type":"suppression"');
  });
});
