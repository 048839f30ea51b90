// Mail that is hostile or odd, against the executable with a mail server: crowds in Cc, a mailing list, names that are
// headers, and the corpus of real messages, each answered and answered again.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { ParsedMail } from 'mailparser';
import { corpus } from '../mail/corpus.ts';
import {
  answerTo,
  gmail,
  type Person,
  read,
  readersOf,
  referencesIn,
  thunderbird,
  write,
} from '../support/mail-programs.ts';
import { helpdesk, newDirectory, type Served, serve, siteAndToken, unlimited } from './executable.ts';
import { openPostOffice } from './post-office.ts';

const support = 'support@desk.example';
const mia: Person = { name: 'Mia Jansen', address: 'mia@customer.example', program: gmail };
const { path, remove } = newDirectory();
const office = await openPostOffice();
let running: Served;
let tokens: { siteToken: string; teamToken: string };
let inbound: string;

beforeAll(async () => {
  running = await serve(path, {
    ...unlimited,
    HELPDESK_SMTP_URL: office.url,
    HELPDESK_INBOUND_DOMAIN: 'desk.example',
    HELPDESK_MAIL_FROM: support,
    HELPDESK_RATE_INBOUND: '0',
    HELPDESK_RATE_INBOUND_SENDER: '0',
  });
  tokens = await siteAndToken(path);
  const { json } = await ask('GET', '/sites');
  inbound = new URL(json.data[0].inbound_webhook_url).pathname.replace(/webhooks\/\w+\//, 'webhooks/raw/');
  // What the desk sends is then what an agent wrote.
  await ask('PATCH', '/sites/web-shop', { settings: { acknowledge: false } });
});
afterAll(async () => {
  running.signal('SIGTERM');
  await running.exited;
  await office.close();
  remove();
});

async function ask(method: string, target: string, body?: object, headers?: Record<string, string>) {
  const answer = await fetch(`${running.url}/api/v1${target}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...(headers ?? { Authorization: `Bearer ${tokens.teamToken}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  return { status: answer.status, json: (await answer.json()) as any };
}

async function post(raw: string | Uint8Array<ArrayBuffer>, to = support, from = '') {
  const answer = await fetch(running.url + inbound, {
    method: 'POST',
    headers: {
      'Content-Type': 'message/rfc822',
      'X-Envelope-To': to,
      ...(from === '' ? {} : { 'X-Envelope-From': from }),
    },
    body: raw,
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { outcome: string; ticket: string | null };
}

const ticketOf = async (ulid: string | null) => (await ask('GET', `/tickets/${ulid}`)).json.data;
const on = async (ulid: string | null): Promise<string[]> =>
  (await ticketOf(ulid)).participants.map(({ email }: { email: string }) => email);

/** An agent's reply, when the mail server has it. */
async function reply(ulid: string | null, body: string) {
  const { status, json } = await ask('POST', `/tickets/${ulid}/messages`, { body });
  expect(status).toBe(201);
  const first = json.reply.recipients[0].email;
  const mail = await office.waitFor(first, ({ text }) => text?.includes(body) === true);
  const handed = office.handed.filter((one) => one.mail.messageId === mail.messageId);
  expect(handed).toHaveLength(1);
  return {
    mail,
    to: handed[0]?.to ?? [],
    recipients: json.reply.recipients.map(({ email }: { email: string }) => email),
  };
}

const many = (count: number) => Array.from({ length: count }, (_, at) => `p${at}@crowd.example`);

describe('five hundred addresses in Cc', () => {
  test('of a mail to the webhook, or through the pipe, make thirty participants and no mail until an agent answers', async () => {
    const { raw } = write({ from: mia, to: [support], cc: many(500), subject: 'All of us', words: 'It burns.' });
    const before = office.handed.length;
    const posted = await post(raw);
    const piped = await helpdesk(
      path,
      ['mail', 'ingest', '--site', 'web-shop', '--recipient', support],
      raw.replace(/^Message-ID: </m, '$&piped').replace('It burns.', 'It still burns.'),
    );
    expect(piped.code).toBe(0);
    const { json } = await ask('GET', '/tickets?per_page=1');
    for (const ulid of [posted.ticket, json.data[0].ulid]) {
      expect(await on(ulid)).toEqual(many(30));
      expect(JSON.stringify((await ticketOf(ulid)).events)).toContain('"left_out":470');
    }
    expect(office.handed).toHaveLength(before);
    expect((await reply(posted.ticket, 'We are looking into it.')).to).toHaveLength(31);
    expect(office.handed).toHaveLength(before + 1);
  });

  test('through the ingest API are refused, and ten of them get nothing until an agent answers', async () => {
    const opened = (count: number) =>
      ask(
        'POST',
        '/public/tickets',
        {
          email: 'eve@evil.example',
          subject: 'You won',
          message: 'Click here.',
          cc: many(count).map((email) => ({ email })),
        },
        { 'X-Site-Token': tokens.siteToken },
      );
    expect((await opened(11)).status).toBe(422);
    expect((await opened(500)).status).toBe(422);
    const before = office.handed.length;
    const { status, json } = await opened(10);
    expect(status).toBe(201);
    expect(await on(json.ticket.ulid)).toHaveLength(10);
    expect(office.handed).toHaveLength(before);
  });
});

test('a mailing list in Cc gets replies once, brings in none of its members, and its copies change nothing', async () => {
  const list = 'talk@lists.example';
  const marks = `List-Id: <talk.lists.example>\r\nList-Post: <mailto:${list}>\r\nPrecedence: list\r\n`;
  const first = write({ from: mia, to: [support], cc: [list], subject: 'A list', words: 'It burns, all.' });
  const { ticket: ulid } = await post(first.raw, support, mia.address);
  expect(await on(ulid)).toEqual([list]);
  // The list sends it to its members, of whom the desk is one.
  const copy = `${marks}${first.raw.replace(/\r\n$/, '\r\n_____\r\nTalk, our list\r\n')}`;
  expect(await post(copy, support, 'talk-bounces@lists.example')).toMatchObject({
    outcome: expect.stringMatching(/^(duplicate|reply_added)$/),
    ticket: ulid,
  });
  const { mail, to } = await reply(ulid, 'Which one of you?');
  expect(to.toSorted()).toEqual([mia.address, list].toSorted());
  const source = marks + [...mail.headerLines.map(({ line }) => line), '', mail.text ?? ''].join('\r\n');
  expect((await post(source, support, 'talk-bounces@lists.example')).outcome).toBe('ignored_auto_reply');
  const before = office.handed.length;
  for (const name of ['ann', 'ben', 'cas']) {
    const member: Person = { name, address: `${name}@members.example`, program: thunderbird };
    const answer = answerTo(member, mail, `Not mine, says ${name}.`, true, { cc: [`${name}-too@members.example`] });
    const filed = await post(marks + answer.raw, support, 'talk-bounces@lists.example');
    expect(filed).toMatchObject({ outcome: 'reply_added', ticket: ulid });
  }
  expect(await on(ulid)).toEqual([list]);
  const roles = (await ticketOf(ulid)).messages.map((one: Record<string, string>) => one.author_role);
  expect(roles.slice(-3)).toEqual(['other', 'other', 'other']);
  expect(office.handed).toHaveLength(before);
});

describe('display names', () => {
  const names = [
    '=?utf-8?Q?Bo=0D=0ABcc:_eve=40evil.example?=',
    '=?utf-8?B?Qm8NCkJjYzogZXZlQGV2aWwuZXhhbXBsZQ==?=',
    '"Bo\\" <eve@evil.example>, \\"Bo"',
    '=?utf-8?Q?=22=2C_eve=40evil=2Eexample=2C_=22?=',
    '=?utf-8?Q?=E2=80=AEtxt.exe=E2=81=A6?=',
    '=?utf-8?Q?=E2=80=A8Subject:_You_have_won?=',
    '=?utf-8?B?PD91dGYtOD9RP0V2ZT89PGV2ZUBldmlsLmV4YW1wbGU+?=',
  ];
  const plain = [
    'Bo\r\nBcc: eve@evil.example',
    'Bo" <eve@evil.example>, "Bo',
    '=?utf-8?Q?Bo=0D=0ABcc:_eve=40evil.example?=',
    '\u202eexe.txt\u2066',
    'Bo\u2028Subject: You have won',
    'Bo <eve@evil.example>, x',
  ];

  async function expectSound({ mail, to, recipients }: Awaited<ReturnType<typeof reply>>) {
    expect(to.toSorted()).toEqual(recipients.toSorted());
    expect(readersOf(mail).toSorted()).toEqual(recipients.toSorted());
    expect(to.join()).not.toContain('evil');
    expect(mail.headers.has('bcc')).toBe(false);
    expect(mail.subject).toStartWith('[#');
    const head = mail.headerLines.map(({ line }) => line).join('\n');
    expect(head).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u2028]|^(Bcc|Subject: You)/im);
  }

  test.each(names)('of mail: %s adds no header and no recipient', async (name) => {
    const raw = write({ from: mia, to: [support], subject: 'A name', words: 'It burns.' }).raw;
    const hostile = raw
      .replace(/^From: .*/m, `From: ${name} <mia@customer.example>`)
      .replace(/^Subject:/m, `Cc: ${name} <bo@office.example>\r\nSubject:`);
    const { ticket: ulid } = await post(hostile, support, mia.address);
    expect(await on(ulid)).toEqual(['bo@office.example']);
    await expectSound(await reply(ulid, `To ${ulid}.`));
  });

  test.each(plain)('of the ingest API and of agents: %j adds no header and no recipient', async (name) => {
    const { status, json } = await ask(
      'POST',
      '/public/tickets',
      { email: mia.address, name, subject: 'A name', message: 'It burns.', cc: [{ email: 'bo@office.example', name }] },
      { 'X-Site-Token': tokens.siteToken },
    );
    if (status !== 201) return expect(status).toBe(422);
    const { ulid } = json.ticket;
    await expectSound(await reply(ulid, `To ${ulid}.`));
    const body = `Again ${ulid}.`;
    const named = await ask('POST', `/tickets/${ulid}/messages`, {
      body,
      to: [{ email: mia.address, name }],
      cc: [{ email: 'cy@phone.example', name }],
    });
    if (named.status !== 201) return expect(named.status).toBe(422);
    const mail = await office.waitFor(mia.address, ({ text }) => text?.includes(body) === true);
    const to = office.handed.find((one) => one.mail.messageId === mail.messageId)?.to ?? [];
    await expectSound({ mail, to, recipients: [mia.address, 'cy@phone.example'] });
  });
});

/** Without what would make the desk ask DNS about senders of long ago. */
function withoutTrace(raw: Buffer): Buffer<ArrayBuffer> {
  const text = raw.toString('latin1');
  const end = /\r?\n\r?\n/.exec(text)?.index ?? text.length;
  const head = text
    .slice(0, end)
    .replace(/^(Received|DKIM-Signature|Return-Path|Delivered-To|X-Original-To):.*(\r?\n[ \t].*)*\r?\n?/gim, '');
  return Buffer.from(head + text.slice(end), 'latin1');
}

test('every real message that becomes a ticket is answered to those whom it names, in its thread, and the answer comes back to it', async () => {
  let answered = 0;
  const left = corpus();
  const answerAll = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await answerOne(next);
  };
  async function answerOne({ folder, file, raw }: (typeof left)[number]) {
    const name = `${folder}/${file}`;
    const filed = await post(withoutTrace(raw));
    if (filed.outcome !== 'ticket_created') return;
    const ticket = await ticketOf(filed.ticket);
    const everyone: string[] = [
      ticket.author.email,
      ...ticket.participants.map(({ email }: { email: string }) => email),
    ];
    const { mail, to } = await reply(filed.ticket, `About ${filed.ticket}.`);
    expect({ name, to: to.toSorted() }).toEqual({ name, to: everyone.toSorted() });
    expect({ name, readers: readersOf(mail).toSorted() }).toEqual({ name, readers: everyone.toSorted() });
    const original = await read(raw);
    if (original.messageId !== undefined && /^<[^<>\s]+>$/.test(original.messageId))
      expect({ name, references: referencesIn(mail) }).toEqual({
        name,
        references: expect.arrayContaining([original.messageId]),
      });
    const links = (await ask('GET', `/tickets/${filed.ticket}/links`)).json.data;
    expect({ name, kinds: links.map(({ kind }: { kind: string }) => kind) }).toEqual({
      name,
      kinds: [everyone.length > 1 ? 'shared' : 'mail'],
    });
    const author: Person = { name: 'The author', address: ticket.author.email, program: gmail };
    const back = await post(
      answerTo(author, mail as ParsedMail, `Thanks for ${name}.`, true).raw,
      mail.replyTo?.value[0]?.address,
    );
    expect({ name, ...back }).toMatchObject({ name, outcome: 'reply_added', ticket: filed.ticket });
    const { messages } = await ticketOf(filed.ticket);
    // Another mail of the corpus can have answered the same ticket meanwhile.
    const thanks = { body: `Thanks for ${name}.`, author_role: 'author' };
    expect({ name, messages }).toEqual({ name, messages: expect.arrayContaining([expect.objectContaining(thanks)]) });
    answered += 1;
  }
  await Promise.all(Array.from({ length: 6 }, answerAll));
  expect(answered).toBeGreaterThan(60);
  for (const address of office.addresses()) {
    expect(address).not.toEndWith('@desk.example');
    const ids = office.mailbox(address).map(({ messageId }) => messageId);
    expect({ address, ids: new Set(ids).size }).toEqual({ address, ids: ids.length });
  }
});
