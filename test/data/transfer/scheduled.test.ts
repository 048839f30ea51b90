// Replies that wait when their site moves: sent by the other desk at their time, unless someone else may have sent them.

import { expect, test } from 'bun:test';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { erasures } from '../../../src/desk/customers/erasure.ts';
import { attachAsAgent } from '../../../src/desk/tickets/attachments.ts';
import { answerTicket } from '../../../src/desk/tickets/replies.ts';
import { sendDue, withdrawReply } from '../../../src/desk/tickets/scheduled-replies.ts';
import { query } from '../../../src/engine/database.ts';
import { minute, token } from '../../desk/workbench.ts';
import { emptyDesk, type Portable, portable, told } from './portable.ts';

const agent = token(['read', 'write', 'manage']);
const hour = 60 * minute;

async function waiting() {
  const desk = portable();
  const { ticket } = desk.open();
  const { ulid, size, sha256 } = await desk.keep(desk.blobs, 'a file');
  const file = { ulid, size, sha256, filename: 'a.txt', contentType: 'text/plain' };
  const { id } = desk.do((tx, ctx) => attachAsAgent(tx, ctx, ticket.ulid, file, null), agent);
  const schedule = (body: string, files: number[] = []) =>
    desk.do(
      (tx, ctx) =>
        answerTicket(tx, ctx, ticket.ulid, {
          body,
          body_format: 'markdown',
          html: '<p><strong>Soon</strong></p>',
          send_at: ctx.now + hour,
          attachment_ids: files,
        }),
      agent,
    );
  schedule('**Soon**', [id]);
  const gone = schedule('Gone');
  if (!('reply' in gone)) throw new Error('it was sent');
  desk.do((tx, ctx) => withdrawReply(tx, ctx, ticket.ulid, gone.reply.ulid), agent);
  return { desk, ticket, text: await desk.exported() };
}

const agents = (desk: Portable) =>
  query<{ body: string; isInternal: number; files: number }>(
    desk.tx,
    `SELECT body, is_internal AS isInternal, (SELECT count(*) FROM attachments WHERE message_id = messages.id) AS files
     FROM messages WHERE is_agent = 1 ORDER BY id`,
  ).all();
const rows = (desk: Portable) => query<{ n: number }>(desk.tx, 'SELECT count(*) AS n FROM scheduled_replies').get()?.n;
const scan = (desk: Portable) => desk.do((tx, ctx) => sendDue(tx, ctx).done, { kind: 'scan' });

test('it is sent at its time, with its files, and not while the import is unfinished', async () => {
  const { text } = await waiting();
  const to = emptyDesk();
  const withoutEnd = `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`;
  await expect(to.imported(withoutEnd)).rejects.toThrow();
  to.clock.advance(hour);
  expect([rows(to), scan(to)]).toEqual([1, []]);
  await to.imported(text);
  expect(scan(to)).toHaveLength(1);
  expect(agents(to)).toEqual([{ body: '**Soon**', isInternal: 0, files: 1 }]);
  expect(query(to.tx, "SELECT 1 FROM deliveries WHERE event = 'mail.agent_reply'").all()).toHaveLength(1);
});

test('what was due before the import is a note, and so is everything on a copy', async () => {
  const { desk, text } = await waiting();
  const to = emptyDesk();
  to.clock.advance(hour);
  await to.imported(text);
  await desk.imported(text, 'copy');
  for (const one of [to, desk]) {
    const [note] = agents(one);
    expect(note).toMatchObject({ isInternal: 1, files: 0 });
    expect(note?.body).toContain('This desk does not send it.\n\n**Soon**');
  }
  expect(rows(to)).toBe(0);
  // Those of the original stay.
  expect(rows(desk)).toBe(1);
  expect(told(await desk.exported('copy')).filter(({ type }) => type === 'scheduled_reply')).toEqual([]);
});

test('it does not come for someone who was erased on the other desk', async () => {
  const { desk, text } = await waiting();
  const to = emptyDesk();
  desk.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: desk.site.id, email: 'mia@example.org' }));
  to.tombstones.push(...desk.desk.read((tx) => erasures(tx)));
  await to.imported(text);
  expect([rows(to), agents(to)]).toEqual([0, []]);
});
