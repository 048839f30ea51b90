// Files on tickets: who can attach them, and who then sees them.

import { afterAll, describe, expect, test } from 'bun:test';
import { newUlid } from '../../../src/base/ids.ts';
import { attachAsAgent, attachAsCustomer, maxAttachmentsPerTicket } from '../../../src/desk/tickets/attachments.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { addNote, replyAsAgent } from '../../../src/desk/tickets/replies.ts';
import { attachmentByUlid, insertAttachment, messagesOfTicket } from '../../../src/store/tickets/messages.ts';
import { kinds, start, token, workbench } from '../workbench.ts';

const bench = workbench();
afterAll(() => bench.close());
const agent = token(['read', 'write']);
const file = () => ({
  ulid: newUlid(start),
  filename: 'a.txt',
  contentType: 'text/plain',
  size: 5,
  sha256: '0'.repeat(64),
});
const byAgent = (ulid: string, messageId: number | null = null) =>
  bench.do((tx, ctx) => attachAsAgent(tx, ctx, ulid, file(), messageId), agent);

describe('a customer', () => {
  test('attaches a file to the ticket or to their own message, with an event', () => {
    const { ticket } = bench.open();
    const own = messagesOfTicket(bench.tx, ticket.id)[0];
    const attachment = bench.do((tx, ctx) => attachAsCustomer(tx, ctx, ticket, file(), own?.id ?? 0));
    expect(attachment).toMatchObject({ ticketId: ticket.id, messageId: own?.id, isAgent: false, isInternal: false });
    expect(attachmentByUlid(bench.tx, attachment.ulid)).toEqual(attachment);
    expect(kinds(bench)).toEqual(['ticket.attachment_added']);
  });

  test("cannot attach a file to a note, an agent's message or another ticket", () => {
    const { ticket } = bench.open();
    const foreign = messagesOfTicket(bench.tx, bench.open().ticket.id)[0]?.id ?? 0;
    const note = bench.do((tx, ctx) => addNote(tx, ctx, ticket.ulid, { body: 'x' }), agent).message.id;
    const reply = bench.do((tx, ctx) => replyAsAgent(tx, ctx, ticket.ulid, { body: 'x' }), agent).message.id;
    const before = bench.everything();
    for (const messageId of [foreign, note, reply, 99_999, 0])
      expect(bench.refusal((tx, ctx) => attachAsCustomer(tx, ctx, ticket, file(), messageId)).errors).toHaveProperty(
        'message_id',
      );
    expect(bench.everything()).toEqual(before);
  });
});

describe('an agent', () => {
  test('attaches a file that stays internal until a public reply names it', () => {
    const { ticket } = bench.open();
    const attachment = byAgent(ticket.ulid);
    expect(attachment.isInternal).toBe(true);
    const { message } = bench.do(
      (tx, ctx) => replyAsAgent(tx, ctx, ticket.ulid, { body: 'Here', attachment_ids: [attachment.id, attachment.id] }),
      agent,
    );
    expect(attachmentByUlid(bench.tx, attachment.ulid)).toMatchObject({ messageId: message.id, isInternal: false });
    expect(
      bench.refusal(
        (tx, ctx) => replyAsAgent(tx, ctx, ticket.ulid, { body: 'Again', attachment_ids: [attachment.id] }),
        agent,
      ).errors,
    ).toHaveProperty('attachment_ids');
  });

  test('attaches a file that is internal on a note and public on a public message', () => {
    const { ticket } = bench.open();
    const note = bench.do((tx, ctx) => addNote(tx, ctx, ticket.ulid, { body: 'x' }), agent).message.id;
    const reply = bench.do((tx, ctx) => replyAsAgent(tx, ctx, ticket.ulid, { body: 'x' }), agent).message.id;
    expect(byAgent(ticket.ulid, note).isInternal).toBe(true);
    expect(byAgent(ticket.ulid, reply).isInternal).toBe(false);
  });

  test("cannot name a customer's file or another ticket's file in a reply", () => {
    const { ticket } = bench.open();
    const theirs = bench.do((tx, ctx) => attachAsCustomer(tx, ctx, ticket, file(), null));
    const elsewhere = byAgent(bench.open().ticket.ulid);
    for (const id of [theirs.id, elsewhere.id, 99_999])
      expect(
        bench.refusal((tx, ctx) => replyAsAgent(tx, ctx, ticket.ulid, { body: 'x', attachment_ids: [id] }), agent)
          .errors,
      ).toHaveProperty('attachment_ids');
  });

  test('needs write, and a ticket that is not merged into another', () => {
    const { ticket } = bench.open();
    expect(bench.refusal((tx, ctx) => attachAsAgent(tx, ctx, ticket.ulid, file(), null), token(['read'])).code).toBe(
      'forbidden',
    );
    expect(
      bench.refusal((tx, ctx) => attachAsAgent(tx, ctx, ticket.ulid, file(), null), token(['write'], 999)).code,
    ).toBe('not_found');
    bench.do((tx, ctx) => mergeTickets(tx, ctx, ticket.ulid, bench.ticket(1).ulid), agent);
    expect(bench.refusal((tx, ctx) => attachAsAgent(tx, ctx, ticket.ulid, file(), null), agent).reason).toBe(
      'ticket_merged',
    );
  });
});

test('a ticket has at most 500 files', () => {
  const { ticket } = bench.open();
  bench.do((tx) => {
    for (let at = 0; at < maxAttachmentsPerTicket; at += 1)
      insertAttachment(tx, {
        ...file(),
        siteId: ticket.siteId,
        ticketId: ticket.id,
        messageId: null,
        isAgent: false,
        isInternal: false,
        createdAt: start,
      });
  });
  expect(bench.refusal((tx, ctx) => attachAsCustomer(tx, ctx, ticket, file(), null)).reason).toBe(
    'too_many_attachments',
  );
});
