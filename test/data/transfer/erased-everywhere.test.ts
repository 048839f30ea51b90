// An import of an older export leaves of erased people what their erasure leaves: both are compared line by line, in every place that an erasure reaches.

import { beforeAll, describe, expect, test } from 'bun:test';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { type Erasure, erasures } from '../../../src/desk/customers/erasure.ts';
import { rateTicket } from '../../../src/desk/customers/satisfaction.ts';
import { failMail, receiveMail } from '../../../src/desk/mail/filing.ts';
import { recurringTickets } from '../../../src/desk/rules/recurring-tickets.ts';
import { inboundRules } from '../../../src/desk/rules/rules.ts';
import { timedRules } from '../../../src/desk/rules/timed-rules.ts';
import { triggers } from '../../../src/desk/rules/triggers.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { attachAsCustomer } from '../../../src/desk/tickets/attachments.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { addParticipant } from '../../../src/desk/tickets/participants.ts';
import { answerTicket, replyAsAgent, replyAsCustomer } from '../../../src/desk/tickets/replies.ts';
import { startSideConversation } from '../../../src/desk/tickets/side-conversations.ts';
import { recurringTicketInput, timedRuleInput, triggerInput } from '../../../src/domain/input/automation.ts';
import { ruleInput } from '../../../src/domain/input/channels.ts';
import type { TransferRow } from '../../../src/domain/input/transfer.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { updateInboundMail } from '../../../src/store/mail/inbound.ts';
import { suppressAddress } from '../../../src/store/mail/suppressions.ts';
import { minute, token } from '../../desk/workbench.ts';
import { decisions } from '../../privacy/decisions.ts';
import { emptyDesk, type Portable, portable, type Told, told } from './portable.ts';

const gundel = { email: 'gundel@gaukel.example', name: 'Gaukeley, Gundel' };
/** Only ever got a copy of a reply, in Bcc, and is an author of nothing. */
const xandr = { email: 'xandr@plopp.example', name: 'Xandrinius "Fox" Plopperson' };
/** Only in a side conversation. */
const zebedee = { email: 'zebedee@quux.example', name: 'Zebedee Quux' };
const marks = /gundel|gaukel|xandr|plopp|zebedee|quux/i;
const says = 'I am Gundel Gaukeley, gundel@gaukel.example, and so is GAUKELEY, GUNDEL';
const agent = token(['read', 'write', 'manage']);

/** Fills every place with the three. */
async function peopled(): Promise<Portable> {
  const desk = portable();
  const slug = desk.site.slug;
  const change = (sql: string, ...values: (string | number)[]) => desk.tx.client.run(sql, values);
  const { ticket: own } = desk.open({
    ...gundel,
    subject: 'About Gundel Gaukeley',
    message: says,
    tags: ['gundel', 'other'],
    context: { source: 'web', app: { name: 'Gundel' }, user: { external_id: 'gundel-17', name: gundel.name } },
  });
  change(
    'UPDATE tickets SET custom_fields = ?, metadata = ? WHERE id = ?',
    JSON.stringify({ contact: says, order: '4711' }),
    JSON.stringify({ who: says }),
    own.id,
  );
  const author = authorById(desk.tx, own.authorId);
  if (!author) throw new Error('no author');
  const asAuthor = { kind: 'author', siteId: desk.site.id, authorId: author.id, name: author.name } as const;
  desk.do((tx, ctx) => rateTicket(tx, ctx, desk.ticket(own.id), { rating: 'good', comment: says }), asAuthor);
  const source = desk.open({ email: 'nia@example.org', name: 'Nia', subject: 'Merged' }).ticket;
  desk.do((tx, ctx) => addParticipant(tx, ctx, source.id, gundel), agent);
  const theirs = desk.open({ subject: 'For Gundel Gaukeley too' }).ticket;
  desk.do((tx, ctx) => addParticipant(tx, ctx, theirs.id, gundel), agent);
  const body = `Dear ${gundel.name} and ${xandr.name}`;
  const recipients = { cc: [gundel], bcc: [xandr] };
  desk.do((tx, ctx) => replyAsAgent(tx, ctx, theirs.id, { body, ...recipients }), agent);
  desk.do((tx, ctx) => replyAsAgent(tx, ctx, own.id, { body: says }), agent);
  desk.do(
    (tx, ctx) => answerTicket(tx, ctx, theirs.id, { body, ...recipients, send_at: ctx.now + 900 * minute }),
    agent,
  );
  desk.do((tx, ctx) => replyAsCustomer(tx, ctx, desk.ticket(theirs.id), author, { body: says }), asAuthor);
  const aside = { subject: `About ${gundel.name}`, body: `Dear ${zebedee.name}, help ${says}` };
  const third = desk.open({ subject: 'Nothing of theirs' }).ticket;
  desk.do((tx, ctx) => {
    startSideConversation(tx, ctx, theirs.id, { ...aside, to: [zebedee], quote: 'conversation' });
    startSideConversation(tx, ctx, third.id, { ...aside, to: [gundel, zebedee] });
  }, agent);
  change(
    'UPDATE side_messages SET sender_email = ?, sender_name = ?, mail_message_id = ?, agent_name = NULL',
    zebedee.email,
    zebedee.name,
    '<quux@quux.example>',
  );
  for (const id of [own.id, theirs.id]) {
    const kept = await desk.keep(desk.blobs, 'x');
    const file = { ...kept, filename: 'gaukeley_gundel.txt', contentType: 'text/plain' };
    desk.do((tx, ctx) => attachAsCustomer(tx, ctx, desk.ticket(id), file, null));
  }
  // The desk's own copy of a long mail.
  const copy = { ...(await desk.keep(desk.blobs, says)), filename: 'message.txt', contentType: 'text/plain' };
  desk.do((tx, ctx) => attachAsCustomer(tx, ctx, desk.ticket(theirs.id), copy, null));
  change(
    `UPDATE attachments SET message_id = (SELECT max(id) FROM messages WHERE author_id = ?) WHERE filename = 'message.txt'`,
    author.id,
  );
  // As earlier versions stored it.
  change(
    "UPDATE events SET actor = json_set(actor, '$.name', ?) WHERE actor ->> 'type' = 'author' AND actor ->> 'id' = ?",
    gundel.name,
    author.id,
  );
  change("UPDATE messages SET source = 'email', html = ?, whole_body = ?", `<p title="x">${says}</p>`, says);
  change('UPDATE scheduled_replies SET html = ?', `<p>${says}</p>`);
  const at = new Date(desk.clock.now()).toISOString();
  change(
    `UPDATE messages SET delivery = ?, recipients = (SELECT json_group_array(json_set(value, '$.status', 'failed', '$.error', ?)) FROM json_each(recipients))
     WHERE recipients IS NOT NULL`,
    JSON.stringify({ status: 'failed', at, error: `550 ${gundel.email}` }),
    `550 ${gundel.email}`,
  );
  change("UPDATE deliveries SET status = 'failed', finished_at = created_at, last_error = ?", `550 ${gundel.email}`);
  const rule = {
    name: `Rule for ${gundel.name}`,
    conditions: [{ field: 'participant', operator: 'contains', value: gundel.email }],
    actions: [
      { type: 'add_participant', value: gundel },
      { type: 'note', value: says },
    ],
  };
  const on = {
    name: rule.name,
    conditions: [{ field: 'subject', operator: 'contains', value: 'Gundel Gaukeley' }],
    actions: [{ type: 'note', value: says }],
  };
  desk.do((tx, ctx) => {
    inboundRules.add(tx, ctx, slug, ruleInput.parse(rule));
    triggers.add(tx, ctx, slug, triggerInput.parse({ ...on, on: ['assigned'] }));
    timedRules.add(tx, ctx, slug, timedRuleInput.parse({ ...on, since: 'created', minutes: 60, time: 'working' }));
    for (const email of [gundel.email, 'ops@example.org'])
      recurringTickets.add(
        tx,
        ctx,
        slug,
        recurringTicketInput.parse({
          name: rule.name,
          schedule: '0 9 * * 1',
          ticket: { email, subject: says, message: says },
        }),
      );
    changeSite(tx, ctx, slug, { settings: { blocked_senders: [gundel.email, 'spam@example.org'] } }, null);
    suppressAddress(tx, desk.site.id, gundel.email, `550 ${gundel.email}`, ctx.now);
  });
  const words = { subject: says, reason: says, headers: { a: says }, trace: [{ why: says }] };
  const mails = [
    { ticketId: own.id, sender: gundel.email, outcome: 'ticket_created' as const },
    { ticketId: theirs.id, sender: 'mia@example.org', outcome: 'ticket_created' as const },
    { ticketId: source.id, sender: 'nia@example.org', outcome: 'ticket_created' as const },
    { ticketId: null, sender: gundel.email, outcome: 'failed' as const },
    { ticketId: null, sender: xandr.email, outcome: 'failed' as const },
  ];
  for (const one of mails) {
    const kept = await desk.keep(desk.mailBlobs, `From: ${one.sender}\r\n\r\n${says}`);
    desk.do((tx, ctx) => {
      const id = receiveMail(tx, ctx, desk.site, { ...kept, provider: 'raw', headers: {} });
      failMail(tx, ctx, id, 'failed', 'Not read yet.');
      const mailMessageId = `<${kept.ulid}@${one.sender.replace(/.*@/, '')}>`;
      const recipient = one.ticketId === null ? 'support@desk.example' : gundel.email;
      updateInboundMail(tx, id, { ...words, ...one, recipient, mailMessageId, status: 'done' });
    });
  }
  desk.do((tx, ctx) => mergeTickets(tx, ctx, source.id, theirs.id), agent);
  desk.clock.advance(minute);
  return desk;
}

const erase = (desk: Portable) => {
  for (const { email } of [gundel, xandr, zebedee])
    desk.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: desk.site.id, email }));
};

let before: Told[];
let erased: Told[];
let back: Told[];
let files: string[];
beforeAll(async () => {
  const desk = await peopled();
  const text = await desk.exported();
  before = told(text);
  erase(desk);
  erased = told(await desk.exported());
  const tombstones: Erasure[] = desk.desk.read((tx) => erasures(tx));
  const other = emptyDesk();
  other.clock.advance(desk.clock.now() - other.clock.now());
  other.tombstones = tombstones;
  await other.imported(text);
  const again = await other.exported();
  back = told(again);
  files = again
    .split('\n')
    .filter((line) => line.startsWith('{"type":"bytes"'))
    .map((line) => Buffer.from((JSON.parse(line) as { data: string }).data, 'base64').toString());
});

/** Which tables the lines of each type are made of. */
const tables: Record<TransferRow['type'], readonly string[]> = {
  site: ['sites'],
  category: ['categories'],
  priority: ['priorities'],
  field: ['custom_fields'],
  sender: ['senders'],
  mail_template: ['mail_templates'],
  agent: ['agents'],
  team: ['teams'],
  sla_policy: ['sla_policies'],
  channel: ['channels'],
  rule: ['inbound_rules'],
  trigger: ['triggers'],
  timed_rule: ['timed_rules'],
  recurring_ticket: ['recurring_tickets'],
  token: ['team_tokens'],
  macro: ['macros'],
  author: ['authors'],
  ticket: ['tickets'],
  participant: ['participants'],
  message: ['messages'],
  scheduled_reply: ['scheduled_replies'],
  attachment: ['attachments'],
  side_conversation: ['side_conversations', 'side_messages'],
  merge: ['merges'],
  split: [],
  event: ['events'],
  interval: ['sla_intervals'],
  delivery: ['deliveries'],
  mail: ['inbound_mail'],
  suppression: ['mail_suppressions'],
};
/** Columns of which an export has nothing, or has them under another name. */
const elsewhere: Record<string, string> = {
  'deliveries.payload': 'recipient_name',
  'merges.moved': '',
  'inbound_mail.sha256': '',
  'inbound_mail.sender_checks': '',
  'inbound_mail.spam_check': '',
  'inbound_mail.form': '',
  'authors.external_id': '',
  'tickets.tags': 'tags',
};
const places = Object.entries(tables).flatMap(([type, names]) =>
  names.flatMap((table) =>
    (decisions[table]?.scrub ?? '')
      .split(' ')
      .filter((column) => column !== '')
      .map((column) => ({ type, place: `${table}.${column}`, key: elsewhere[`${table}.${column}`] ?? column })),
  ),
);

/** What a line and the rows within it say under this key. */
const saidUnder = (line: Told, key: string) =>
  [line, ...((line.messages as Told[] | undefined) ?? [])].map((one) => JSON.stringify(one[key]) ?? '');

test.each(places.filter(({ key }) => key !== ''))('someone stands in $place before', ({ type, key }) => {
  const said = before.filter((line) => line.type === type).flatMap((line) => saidUnder(line, key));
  expect(said.filter((text) => marks.test(text)).length, key).toBeGreaterThan(0);
});

describe('no one is left', () => {
  test.each(['by the erasure', 'by an import of the older export'])('%s', (how) => {
    const lines = (how === 'by the erasure' ? erased : back).filter(({ type }) => type !== 'bytes');
    expect(lines.map((line) => JSON.stringify(line)).filter((line) => marks.test(line))).toEqual([]);
  });
});

test('both leave the same lines', () => {
  const rows = (lines: readonly Told[]) =>
    lines.filter(({ type, kind }) => !['bytes', 'file', 'file_end'].includes(type) && kind !== 'author.anonymised');
  expect(rows(back)).toEqual(rows(erased));
});

test('the text of a long mail of theirs does not come, nor mail from them', () => {
  expect(files.filter((text) => text === says || text.includes(`From: ${gundel.email}`))).toEqual([]);
});
