// Five people with five mail programs write to the executable and to each other, through a mail server: who got what, with which
// link, in which thread, and what the desk made of it.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { ParsedMail } from 'mailparser';
import {
  answerTo,
  appleMail,
  gmail,
  outlook,
  outlookRichText,
  type Person,
  read,
  readersOf,
  referencesIn,
  senderOf,
  thunderbird,
  type Written,
  webmail,
  write,
} from '../support/mail-programs.ts';
import { newDirectory, type Served, serve, siteAndToken, unlimited } from './executable.ts';
import { openPostOffice } from './post-office.ts';

const mia: Person = { name: 'Mia Jansen', address: 'mia@customer.example', program: gmail };
const bo: Person = { name: 'Berg, Bo', address: 'bo@office.example', program: outlook };
const cy: Person = { name: 'Cy Çelik', address: 'cy@phone.example', program: appleMail };
const di: Person = { name: 'Di Dahl', address: 'di@post.example', program: thunderbird };
const ed: Person = { name: 'Ed Ernst', address: 'ed@web.example', program: webmail };
const everyone = [mia, bo, cy, di, ed];
const support = 'support@desk.example';

const { path, remove } = newDirectory();
const office = await openPostOffice();
let running: Served;
let teamToken: string;
let inbound: string;

beforeAll(async () => {
  running = await serve(path, {
    ...unlimited,
    HELPDESK_SMTP_URL: office.url,
    HELPDESK_INBOUND_DOMAIN: 'desk.example',
    HELPDESK_MAIL_FROM: support,
    HELPDESK_RATE_INBOUND: '0',
  });
  teamToken = (await siteAndToken(path)).teamToken;
  const { json } = await ask('GET', '/sites');
  inbound = new URL(json.data[0].inbound_webhook_url).pathname.replace(/webhooks\/\w+\//, 'webhooks/raw/');
});
afterAll(async () => {
  running.signal('SIGTERM');
  await running.exited;
  await office.close();
  remove();
});

async function ask(method: string, target: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await fetch(`${running.url}/api/v1${target}`, {
    method,
    headers: { Authorization: `Bearer ${teamToken}`, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  return { status: answer.status, headers: answer.headers, json: (await answer.json()) as any };
}

/** As mail servers do: a copy for each recipient, of the desk by its webhook. @returns the mail, and what the desk said to each copy */
async function send({ raw, from, to }: Written): Promise<{ mail: ParsedMail; outcomes: string[] }> {
  const mail = await read(raw);
  const outcomes: string[] = [];
  for (const address of to) {
    if (!address.endsWith('@desk.example')) {
      office.deliver(address, mail);
      continue;
    }
    const answer = await fetch(running.url + inbound, {
      method: 'POST',
      headers: { 'Content-Type': 'message/rfc822', 'X-Envelope-From': from, 'X-Envelope-To': address },
      body: raw,
    });
    const { outcome } = (await answer.json()) as { outcome: string };
    outcomes.push(outcome);
  }
  // Mail programs keep what they sent beside what they got.
  office.deliver(from, mail);
  return { mail, outcomes };
}

const words = (text: string) => (mail: ParsedMail) => mail.text?.includes(text) === true;
const isFromDesk = (mail: ParsedMail) => senderOf(mail) === support;
let ulid: string;
const ticketOf = async () => (await ask('GET', `/tickets/${ulid}`)).json.data;
const reply = (body: string, more: object = {}) => ask('POST', `/tickets/${ulid}/messages`, { body, ...more });
const linkIn = ({ text = '' }: ParsedMail) => /\/t\/(\w+)#(hd\S+)/.exec(text);

/** How many threads a mail program makes of a mailbox by References and In-Reply-To alone. */
function threadsIn(mails: readonly ParsedMail[]): number {
  const parent = new Map<string, string>();
  const rootOf = (id: string): string => {
    const up = parent.get(id) ?? id;
    return up === id ? id : rootOf(up);
  };
  for (const mail of mails) {
    const id = mail.messageId ?? '';
    for (const other of referencesIn(mail)) parent.set(rootOf(other), rootOf(id));
  }
  return new Set(mails.map(({ messageId }) => rootOf(messageId ?? ''))).size;
}

describe('a conversation of five people', () => {
  let original: ParsedMail;
  let first: ParsedMail;

  test('begins with a mail to the desk and four others, and only its author hears from the desk', async () => {
    const to = [support];
    const cc = [bo, cy, di, ed].map(({ address }) => address);
    const sent = await send(
      write({ from: mia, to, cc, subject: 'The printer burns', words: 'It has been burning since nine.\n\nMia' }),
    );
    original = sent.mail;
    expect(sent.outcomes).toEqual(['ticket_created']);
    const acknowledgement = await office.waitFor(mia.address, isFromDesk);
    ulid = linkIn(acknowledgement)?.[1] ?? '';
    const ticket = await ticketOf();
    expect(ticket.author.email).toBe(mia.address);
    expect(ticket.participants.map(({ email }: { email: string }) => email)).toEqual(cc);
    expect(office.handed.map(({ to }) => to)).toEqual([[mia.address]]);
  });

  test('goes on with one mail of an agent to all, with a link that only reads', async () => {
    expect((await reply('Which printer is it?\n\nKim', { agent_name: 'Kim' })).status).toBe(201);
    for (const person of everyone) first = await office.waitFor(person.address, words('Which printer'));
    expect(office.handed.at(-1)?.to.toSorted()).toEqual(everyone.map(({ address }) => address).toSorted());
    expect(office.handed).toHaveLength(2);
    expect(readersOf(first).toSorted()).toEqual(everyone.map(({ address }) => address).toSorted());
    expect(first.replyTo?.value[0]?.address).toBe(`ticket+${ulid}@desk.example`);
    const links = (await ask('GET', `/tickets/${ulid}/links`)).json.data;
    expect(links.map(({ kind }: { kind: string }) => kind)).toEqual(['shared', 'mail']);
  });

  test('takes answers of every program, each once and without what it quotes', async () => {
    const to = (person: Person, mail: ParsedMail, text: string, isToAll = true) =>
      send(answerTo(person, mail, text, isToAll));
    const boSaid = await to(bo, first, 'It is the one on the second floor.');
    // To Bo and everyone, so to the desk as one in Cc.
    const cySaid = await to(cy, boSaid.mail, 'No, it is the one in the kitchen.');
    // To the desk alone.
    const diSaid = await to(
      di,
      first,
      'The kitchen one was replaced last week, and it never burned before, as far as I remember it.',
      false,
    );
    // To Mia's first mail, so to the address that she wrote to.
    const edSaid = await to(ed, original, 'Bei mir raucht er nur.');
    const miaSaid = await to(mia, cySaid.mail, 'Cy is right, sorry!');
    for (const { outcomes } of [boSaid, cySaid, diSaid, edSaid, miaSaid]) expect(outcomes).toEqual(['reply_added']);
    const { messages, participants } = await ticketOf();
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
    expect(messages.map((one: any) => [one.author?.email ?? one.agent_name, one.author_role, one.body])).toEqual([
      [mia.address, 'author', 'It has been burning since nine.\n\nMia'],
      ['Kim', null, 'Which printer is it?\n\nKim'],
      [bo.address, 'participant', 'It is the one on the second floor.'],
      [cy.address, 'participant', 'No, it is the one in the kitchen.'],
      [
        di.address,
        'participant',
        expect.stringContaining(
          'The kitchen one was replaced last week, and it never burned before, as far as I remember it.',
        ),
      ],
      [ed.address, 'participant', 'Bei mir raucht er nur.'],
      [mia.address, 'author', 'Cy is right, sorry!'],
    ]);
    expect(participants.map(({ email }: { email: string }) => email)).toEqual(
      [bo, cy, di, ed].map(({ address }) => address),
    );
    expect(office.handed).toHaveLength(2);
  });

  test('has a mail to two addresses of the desk once', async () => {
    const mail = answerTo({ ...bo, program: outlookRichText }, first, 'See the file.', true);
    const raw = mail.raw.replace(/^Cc: /m, `Cc: ${support}, `);
    const { outcomes } = await send({ ...mail, raw, to: [...mail.to, support] });
    expect(outcomes).toEqual(['reply_added', 'duplicate']);
    const { messages } = await ticketOf();
    expect(messages).toHaveLength(8);
    expect(messages.at(-1)).toMatchObject({ body: 'See the file.', author: { email: bo.address } });
  });

  test('goes on to a few, and to all again', async () => {
    await reply('Di, was it the red one?', { to: [{ email: di.address }] });
    const asked = await office.waitFor(di.address, words('the red one'));
    expect(office.handed.at(-1)?.to).toEqual([di.address]);
    await send(answerTo(di, asked, 'Yes, the red one.', true));
    await reply('We are on our way.', { bcc: [{ email: 'boss@desk-owner.example' }] });
    const copy = await office.waitFor('boss@desk-owner.example', words('on our way'));
    for (const person of everyone) await office.waitFor(person.address, words('on our way'));
    expect(linkIn(copy)).toBeNull();
    expect(office.handed).toHaveLength(5);
    const told = async () =>
      (await ticketOf()).messages.at(-1).recipients.map((one: Record<string, string>) => `${one.as} ${one.status}`);
    while ((await told()).some((one: string) => one.endsWith('queued'))) await Bun.sleep(20);
    expect(await told()).toEqual(['to sent', ...Array(4).fill('cc sent'), 'bcc sent']);
  });

  test('is not moved by automatic answers, and a bounce pauses only the one whose mail came back', async () => {
    const last = await office.waitFor(ed.address, words('on our way'));
    const before = office.handed.length;
    const away = await send(
      answerTo(ed, last, 'Ich bin bis Montag nicht im Büro.', true, {
        headers: ['Auto-Submitted: auto-replied', 'X-Auto-Response-Suppress: All'],
      }),
    );
    expect(away.outcomes).toEqual(['ignored_auto_reply']);
    const bounce = [
      'From: Mail Delivery System <MAILER-DAEMON@office.example>',
      `To: ${support}`,
      'Subject: Undelivered Mail Returned to Sender',
      'Auto-Submitted: auto-replied',
      'Message-ID: <bounce1@office.example>',
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
      '',
      '--b',
      '',
      'I could not deliver it.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; office.example',
      '',
      `Final-Recipient: rfc822; ${bo.address}`,
      'Action: failed',
      'Status: 5.1.1',
      '--b',
      'Content-Type: message/rfc822',
      '',
      `Message-ID: ${last.messageId}`,
      '',
      'x',
      '--b--',
      '',
    ].join('\r\n');
    expect((await send({ raw: bounce, from: 'MAILER-DAEMON@office.example', to: [support] })).outcomes).toEqual([
      'bounce_recorded',
    ]);
    const { messages, participants } = await ticketOf();
    expect(messages.filter(({ is_internal }: { is_internal: boolean }) => !is_internal)).toHaveLength(11);
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
    expect(participants.flatMap((one: any) => (one.paused_at === null ? [] : [one.email]))).toEqual([bo.address]);
    await reply('It is out.');
    for (const person of [mia, cy, di, ed]) await office.waitFor(person.address, words('It is out.'));
    expect(office.handed.slice(before).map(({ to }) => to.toSorted())).toEqual([
      [mia, cy, di, ed].map(({ address }) => address).toSorted(),
    ]);
  });

  test('is one thread without a duplicate in every mailbox, and all that the desk sent is one thread for it', () => {
    for (const person of everyone) {
      const mails = office.mailbox(person.address);
      const ids = mails.map(({ messageId }) => messageId);
      expect({ person: person.name, ids: new Set(ids).size }).toEqual({ person: person.name, ids: ids.length });
      expect({ person: person.name, threads: threadsIn(mails) }).toEqual({ person: person.name, threads: 1 });
      for (const mail of mails.filter(isFromDesk)) expect(mail.subject).toStartWith('[#1] ');
    }
    for (const address of office.addresses()) expect(address).not.toEndWith('@desk.example');
  });

  test('has links of which those with several readers never write, also where links are open', async () => {
    const shared = linkIn(await office.waitFor(di.address, words('It is out.')));
    for (const customer_links of ['confirm', 'open']) {
      await ask('PATCH', '/sites/web-shop', { settings: { customer_links } });
      const traded = await ask(
        'POST',
        '/customer/links',
        { ticket: shared?.[1], token: shared?.[2] },
        { Authorization: '' },
      );
      expect(traded.status).toBe(200);
      const cookie = {
        Authorization: '',
        Cookie: traded.headers
          .getSetCookie()
          .map((one) => one.split(';')[0])
          .join('; '),
        'Sec-Fetch-Site': 'same-origin',
      };
      expect((await ask('GET', `/customer/ticket?ticket=${ulid}`, undefined, cookie)).status).toBe(200);
      for (const [target, body] of [
        ['/customer/ticket/messages', { ticket: ulid, body: 'I am Mia.' }],
        ['/customer/ticket/status', { ticket: ulid, status: 'resolved' }],
      ] as const) {
        const refused = await ask('POST', target, body, cookie);
        expect([refused.status, refused.json.code]).toEqual([403, 'confirm_address']);
      }
    }
  });
});
