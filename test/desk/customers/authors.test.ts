// Who a ticket is from, and how a person is erased (docs/spec/api.md#authors).

import { afterAll, describe, expect, test } from 'bun:test';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { createSite } from '../../../src/desk/sites/sites.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { replyAsCustomer } from '../../../src/desk/tickets/replies.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { kinds, token, workbench } from '../workbench.ts';

const bench = workbench();
afterAll(() => bench.close());
const other = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Other shop' })).site;

const identity = (external_id: string) => ({ context: { user: { external_id } } });
const authorOf = ({ ticket }: { ticket: { authorId: number } }) => {
  const author = authorById(bench.tx, ticket.authorId);
  if (!author) throw new Error('no author');
  return author;
};
const erase = (input: { external_id?: string; email?: string }, site = bench.site) =>
  bench.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: site.id, ...input }));

describe('an author', () => {
  test('without an external id is one per lower-cased address and site, unverified', () => {
    const first = authorOf(bench.open({ email: 'Noor@Example.org', name: 'Noor' }));
    expect(first).toMatchObject({ email: 'noor@example.org', isVerified: false, externalId: null });
    expect(authorOf(bench.open({ email: 'noor@example.org' })).id).toBe(first.id);
    expect(authorOf(bench.open({ email: 'noor@example.org' }, other)).id).not.toBe(first.id);
    expect(authorOf(bench.open({ email: 'noor2@example.org' })).id).not.toBe(first.id);
  });

  test('with an external id is verified, and their address and name follow the newest ticket', () => {
    const first = authorOf(bench.open({ email: 'old@example.org', name: 'Old Name', ...identity('u-17') }));
    expect(first).toMatchObject({ isVerified: true, externalId: 'u-17', email: 'old@example.org' });
    const newest = bench.open({ email: 'New@example.org', name: 'New Name', ...identity('u-17') });
    expect(authorOf(newest)).toMatchObject({ id: first.id, email: 'new@example.org', name: 'New Name' });
    expect(bench.search('new@exam')).toContain(newest.ticket.id);
    expect(authorOf(bench.open({ email: 'new@example.org', name: undefined, ...identity('u-17') })).name).toBe(
      'New Name',
    );
    expect(authorOf(bench.open({ email: 'new@example.org', ...identity('u-17') }, other)).id).not.toBe(first.id);
  });

  test('who is verified is not found by their address', () => {
    const verified = authorOf(bench.open({ email: 'eve@example.org', ...identity('u-18') }));
    const claimed = authorOf(bench.open({ email: 'eve@example.org' }));
    expect(claimed.id).not.toBe(verified.id);
    expect(claimed.isVerified).toBe(false);
    // Two accounts can share one address.
    expect(authorOf(bench.open({ email: 'eve@example.org', ...identity('u-19') })).id).not.toBe(verified.id);
  });

  test('cannot claim an address that only erased people have', () => {
    const before = bench.everything();
    for (const email of ['anonymised+1@anonymised.invalid', 'Mia@ANONYMISED.invalid'])
      expect(() => bench.open({ email })).toThrow();
    expect(bench.everything()).toEqual(before);
  });
});

describe('erasing an author', () => {
  test('scrubs them from author, tickets, messages, context, mails and index, and leaves the rest', () => {
    const opened = bench.open({
      email: 'Quirin@secret.example',
      name: 'Quirin Zwetschge',
      subject: 'Subject stays',
      message: 'Body stays',
      context: {
        source: 'web',
        app: { name: 'shop', version: '4' },
        page: { url: 'https://shop.example/u/quirin' },
        user: { external_id: 'ext-quirin', name: 'Quirin Zwetschge', email: 'quirin@secret.example' },
        console: [{ level: 'error', message: 'no such user quirin', at: null }],
        extra: { login: 'quirin' },
      },
    });
    const author = authorOf(opened);
    bench.do((tx, ctx) => replyAsCustomer(tx, ctx, bench.ticket(opened.ticket.id), author, { body: 'Once more' }));
    expect(bench.search('zwetschge')).toEqual([opened.ticket.id]);
    expect(bench.search('quirin@sec')).toEqual([opened.ticket.id]);

    const result = erase({ external_id: 'ext-quirin' });
    expect(result.ticketsScrubbed).toBe(1);
    expect(result.author).toMatchObject({
      id: author.id,
      name: 'Anonymised',
      email: `anonymised+${author.id}@anonymised.invalid`,
      externalId: null,
      anonymisedAt: bench.clock.now(),
    });
    expect(kinds(bench)).toEqual(['author.anonymised']);
    for (const words of ['zwetschge', 'Quirin', 'quirin@sec', 'secret.example', 'ext-quirin'])
      expect(bench.search(words)).toEqual([]);
    expect(bench.search('stays')).toEqual([opened.ticket.id]);
    const ticket = bench.ticket(opened.ticket.id);
    expect(ticket.context).toEqual({ source: 'web', app: { name: 'shop', version: '4' } });
    const left = JSON.stringify(bench.everything());
    for (const trace of [/quirin/i, /zwetschge/i, /secret\.example/i]) expect(trace.exec(left)?.[0]).toBeUndefined();
    expect(left).toContain('Body stays');
  });

  test('again answers the same author and changes nothing', () => {
    const byId = bench.open({ email: 'twice@example.org', ...identity('twice') });
    const first = erase({ external_id: 'twice' });
    const before = bench.everything();
    const again = erase({ external_id: 'twice' });
    expect(again).toEqual({ author: first.author, ticketsScrubbed: 0 });
    expect(erase({ email: 'Twice@Example.org' }).author.id).toBe(byId.ticket.authorId);
    expect(bench.events).toEqual([]);
    expect(bench.everything()).toEqual(before);
  });

  test('by address erases everyone of the site who has it', () => {
    const plain = bench.open({ email: 'shared@example.org' });
    const verified = bench.open({ email: 'shared@example.org', ...identity('shared-1') });
    const elsewhere = bench.open({ email: 'shared@example.org' }, other);
    expect(erase({ email: 'Shared@example.org' }).ticketsScrubbed).toBe(2);
    expect(authorOf(plain).anonymisedAt).not.toBeNull();
    expect(authorOf(verified).anonymisedAt).not.toBeNull();
    expect(authorOf(elsewhere)).toMatchObject({ email: 'shared@example.org', anonymisedAt: null });
  });

  test('frees the address: a later ticket makes a new author, who can be erased too', () => {
    const first = authorOf(bench.open({ email: 'back@example.org' }));
    erase({ email: 'back@example.org' });
    const second = authorOf(bench.open({ email: 'back@example.org' }));
    expect(second.id).not.toBe(first.id);
    expect(erase({ email: 'back@example.org' }).author.id).toBe(second.id);
  });

  test("reaches their messages on another author's ticket after a merge, and the merged ticket", () => {
    const mine = bench.open({ email: 'mover@example.org', name: 'Mover Unique', message: 'moved words' });
    const theirs = bench.open({ email: 'stayer@example.org', name: 'Stayer' });
    bench.do((tx, ctx) => mergeTickets(tx, ctx, mine.ticket.ulid, theirs.ticket.ulid));
    erase({ email: 'mover@example.org' });
    expect(bench.search('unique')).toEqual([]);
    expect(/Mover Unique|mover@example/.exec(JSON.stringify(bench.everything()))?.[0]).toBeUndefined();
    expect(authorOf(theirs).name).toBe('Stayer');
  });

  test('drops custom fields that name them', () => {
    // The site's own fields are not known to contain names, so only values with one are removed.
    const opened = bench.open({ email: 'fielded@example.org', name: 'Fielded' });
    bench.tx.client.run('UPDATE tickets SET custom_fields = ? WHERE id = ?', [
      JSON.stringify({ contact: 'write to FIELDED@example.org', order: '4711', amount: 7 }),
      opened.ticket.id,
    ]);
    erase({ email: 'fielded@example.org' });
    expect(bench.ticket(opened.ticket.id).customFields).toEqual({ order: '4711', amount: 7 });
  });

  test('is 404 for an unknown author, and needs write and the site in scope', () => {
    const input = { site_id: bench.site.id, email: 'nobody@example.org' };
    expect(bench.refusal((tx, ctx) => eraseAuthor(tx, ctx, input)).code).toBe('not_found');
    expect(bench.refusal((tx, ctx) => eraseAuthor(tx, ctx, input), token(['read', 'manage'])).code).toBe('forbidden');
    expect(bench.refusal((tx, ctx) => eraseAuthor(tx, ctx, input), token(['write'], other.id)).code).toBe('not_found');
    expect(bench.refusal((tx, ctx) => eraseAuthor(tx, ctx, { site_id: 999, external_id: 'x' })).code).toBe('not_found');
  });
});
