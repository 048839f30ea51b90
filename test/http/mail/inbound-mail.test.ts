// The endpoint that providers post to, with their payloads, other data and the corpus; and the inbound log over the
// API.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { inboundOutcomes, providerNames } from '../../../src/domain/mail/inbound.ts';
import { query } from '../../../src/engine/database.ts';
import { createLocalBlobs } from '../../../src/files/blobs.ts';
import { createMailroom } from '../../../src/jobs/mailroom.ts';
import { stringToSign } from '../../../src/mail/inbound/providers/sns-signature.ts';
import { mail } from '../../desk/mail/mail-desk.ts';
import { corpus } from '../../mail/corpus.ts';
import { type Answered, type TestApp, testApp } from '../../support/app.ts';
import { caseCount } from '../../support/case-count.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { inlineReader } from '../../support/inline-reader.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../mail/fixtures', name), 'utf8');
const topic = 'arn:aws:sns:eu-west-1:123456789012:inbound-mail';
const fetched: string[] = [];
const faults: object[] = [];
let isAmazonAway = false;

let app: TestApp;
beforeAll(async () => {
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: (fields: object) => void faults.push(fields) };
  app = await testApp({}, log);
  app.edge.mailroom = createMailroom({
    desk: app.desk,
    blobs: app.edge.blobs,
    mailBlobs: createLocalBlobs(join(temporaryFolder(), 'inbound')),
    log,
    reader: inlineReader,
    answerWithinMs: null,
    fetchText: async (url) => {
      if (isAmazonAway) throw new Error('no route');
      fetched.push(url);
      return fixture('sns-test-certificate.pem');
    },
  });
  await app.desk.write((tx) => {
    const ctx = app.desk.context({ kind: 'command_line' }, 'test');
    changeSite(tx, ctx, 'web-shop', { settings: { ses_topic_arns: [topic] } }, null);
    return null;
  });
});
afterAll(() => app.close());

const post = (provider: string, body: unknown, headers: Record<string, string> = {}, secret = app.inboundSecret) =>
  app.ask('POST', `/api/webhooks/${provider}/inbound/${secret}`, { headers, body });
const rowsOf = () => app.counts().inbound_mail ?? 0;

function expectTicket(answer: Answered, subject: string) {
  expect(answer.status, answer.text).toBe(200);
  expect(answer.json).toMatchObject({ message: 'Accepted.', outcome: 'ticket_created', matched_rules: [] });
  const ticket = app.desk.read((tx) =>
    query<{ subject: string; source: string }>(tx, 'SELECT subject, source FROM tickets WHERE ulid = ?').get(
      answer.json.ticket,
    ),
  );
  expect(ticket).toEqual({ subject, source: 'email' });
}

function form(fields: Record<string, string>): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return body;
}

function sns(fields: Record<string, string>): string {
  const body: Record<string, string> = {
    Type: 'Notification',
    MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
    TopicArn: topic,
    Timestamp: '2026-09-08T13:14:01.000Z',
    SignatureVersion: '2',
    SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem',
    ...fields,
  };
  body.Signature = sign('sha256', Buffer.from(stringToSign(body) ?? ''), fixture('sns-test-key.pem')).toString(
    'base64',
  );
  return JSON.stringify(body);
}

describe('each provider', () => {
  test('postmark', async () => {
    const answer = await post('postmark', {
      From: 'jo@postmark.example',
      FromFull: { Email: 'jo@postmark.example', Name: 'Jo Doe', MailboxHash: '' },
      To: 'support@desk.example',
      ToFull: [{ Email: 'support@desk.example', Name: 'Desk', MailboxHash: '' }],
      OriginalRecipient: 'support@desk.example',
      Subject: 'By Postmark',
      MessageID: '22c74902-a0c1-4511-804f-341342852c90',
      TextBody: 'It works – now.',
      Headers: [{ Name: 'Message-ID', Value: '<p1@example.com>' }],
      Attachments: [],
    });
    expectTicket(answer, 'By Postmark');
  });

  const mailgun = { recipient: 'support@desk.example', sender: 'jo@mailgun.example', from: 'Jo <jo@mailgun.example>' };
  test('mailgun, fields and raw', async () => {
    const plain = { ...mailgun, subject: 'By Mailgun', 'body-plain': 'Hello.', 'message-headers': '[]' };
    expectTicket(await post('mailgun', form(plain)), 'By Mailgun');
    const encoded = await post('mailgun', new URLSearchParams({ ...plain, subject: 'Encoded' }).toString(), {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    expectTicket(encoded, 'Encoded');
    const raw = mail({ from: 'jo@mailgun.example', subject: 'Mailgun raw' });
    expectTicket(await post('mailgun', form({ ...mailgun, 'body-mime': raw })), 'Mailgun raw');
  });

  const sendgrid = {
    envelope: '{"to":["support@desk.example"],"from":"jo@sendgrid.example"}',
    charsets: '{"subject":"UTF-8","text":"utf-8"}',
    dkim: '{@sendgrid.example : pass}',
    SPF: 'pass',
    from: 'Jo <jo@sendgrid.example>',
    to: 'support@desk.example',
  };
  test('sendgrid, fields and raw', async () => {
    const headers = 'From: Jo <jo@sendgrid.example>\nSubject: By Sendgrid\nMessage-Id: <s1@sendgrid.example>';
    expectTicket(
      await post('sendgrid', form({ ...sendgrid, headers, subject: 'By Sendgrid', text: 'Hi' })),
      'By Sendgrid',
    );
    const email = mail({ from: 'jo@sendgrid.example', subject: 'Sendgrid raw' });
    expectTicket(await post('sendgrid', form({ ...sendgrid, subject: 'Sendgrid raw', email })), 'Sendgrid raw');
  });

  test('ses: accepts a signed message and a subscription to the allowed topic, and refuses anything unsigned', async () => {
    const content = mail({ from: 'jo@ses.example', subject: 'By SES' });
    const message = JSON.stringify({
      notificationType: 'Received',
      mail: { source: 'jo@ses.example', destination: ['support@desk.example'], headers: [] },
      receipt: { recipients: ['support@desk.example'], action: { type: 'SNS', topicArn: topic, encoding: 'UTF8' } },
      content,
    });
    expectTicket(await post('ses', sns({ Message: message }), { 'Content-Type': 'text/plain' }), 'By SES');
    const subscribeUrl = `https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topic}&Token=t`;
    const confirmation = { Type: 'SubscriptionConfirmation', Token: 't', SubscribeURL: subscribeUrl, Message: 'x' };
    expect((await post('ses', sns(confirmation))).json).toMatchObject({ outcome: 'discarded', ticket: null });
    expect(fetched).toContain(subscribeUrl);
    fetched.length = 0;
    const foreign = await post('ses', sns({ ...confirmation, TopicArn: 'arn:aws:sns:eu-west-1:1:other' }));
    expect(foreign.json).toMatchObject({ outcome: 'failed', ticket: null });
    const forged = JSON.stringify({ ...JSON.parse(sns({ Message: message })), Message: message.replace('SES', 'Eve') });
    expect((await post('ses', forged)).json).toMatchObject({ outcome: 'failed', ticket: null });
    expect(fetched).not.toContain(subscribeUrl);
  });

  test('ses: stores mail that cannot be checked while Amazon does not answer, shows it as held, and files it later', async () => {
    const content = mail({ from: 'jo@ses.example', subject: 'Late' });
    const body = sns({ Message: JSON.stringify({ notificationType: 'Received', mail: {}, receipt: {}, content }) });
    isAmazonAway = true;
    const answer = await post('ses', body);
    expect([answer.status, answer.json.ticket]).toEqual([200, null]);
    const waiting = await app.asTeam('GET', '/api/v1/sites/web-shop/inbound-mail?outcome=received');
    expect(waiting.json.data).toMatchObject([{ status: 'received', outcome: null, attempts: 1 }]);
    expect(waiting.json.data[0].reason).toContain('certificate');
    expect(waiting.json.data[0].retry_at).not.toBeNull();
    isAmazonAway = false;
    expect(await app.edge.mailroom.recover('due')).toBe(0);
    app.clock.advance(60_000);
    expect(await app.edge.mailroom.recover('due')).toBe(1);
    expect((await app.asTeam('GET', '/api/v1/sites/web-shop/inbound-mail?outcome=received')).json.data).toEqual([]);
  });

  test.each(['cloudflare', 'raw'])('%s', async (provider) => {
    const from = `jo@${provider}.example`;
    const headers = {
      'Content-Type': 'message/rfc822',
      'X-Envelope-From': from,
      'X-Envelope-To': 'support@desk.example',
    };
    expectTicket(await post(provider, mail({ from, subject: `By ${provider}` }), headers), `By ${provider}`);
  });
});

test('embedded pictures get signed links; remote pictures and those of other messages are not shown', async () => {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const html =
    '<p>Look " data-cid="x": <img alt="a" src="cid:pic@x"><img src="cid:gone@x"><img src="https://track.example/p.gif"></p>';
  const part = (head: string, body: string) => ['--b', head, '', body];
  const body = [
    ...part('Content-Type: text/html', html),
    ...part(
      'Content-Type: image/png; name=pixel.png\r\nContent-ID: <pic@x>\r\nContent-Disposition: inline\r\nContent-Transfer-Encoding: base64',
      pixel,
    ),
    '--b--',
  ].join('\r\n');
  const headers = ['Content-Type: multipart/related; boundary=b'];
  const posted = await post('raw', mail({ from: 'jo@pictures.example', headers, body }));
  const shown = async () => (await app.asTeam('GET', `/api/v1/tickets/${posted.json.ticket}`)).json.data.messages[0];
  const message = await shown();
  const [file] = message.attachments;
  const sources = [...message.html.matchAll(/<img[^>]*?\ssrc="([^"]*)"/g)].map(([, source]) => source);
  expect(sources).toEqual([file.url.replaceAll('&', '&amp;')]);
  expect(message.html).toContain('data-cid="gone@x"');
  expect(message.html).toContain('data-remote-src="https://track.example/p.gif"');
  expect(message.html).toContain('Look " data-cid="x":');
  const picture = await app.ask('GET', file.url.replace(/^https?:\/\/[^/]+/, ''));
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  const thief = mail({
    from: 'eve@pictures.example',
    headers: ['Content-Type: text/html'],
    body: `<img data-cid="${file.ulid}">`,
  });
  const stolen = await post('raw', thief);
  const other = (await app.asTeam('GET', `/api/v1/tickets/${stolen.json.ticket}`)).json.data.messages[0];
  expect(other.html).not.toContain('src="http');
});

test('a wrong secret or provider is 404 and leaves nothing', async () => {
  const before = rowsOf();
  for (const [provider, secret] of [
    ['raw', 'hdi_wrong'],
    ['raw', '%00'],
    ['raw', app.siteToken],
    ['fax', app.inboundSecret],
    ['constructor', app.inboundSecret],
  ] as const)
    expect((await post(provider, mail(), {}, secret)).status).toBe(404);
  expect(rowsOf()).toBe(before);
});

test('a request larger than any mail is 413 and leaves nothing', async () => {
  const before = rowsOf();
  const answer = await post('raw', new Uint8Array(38 * 1024 * 1024));
  expect([answer.status, answer.json.code]).toEqual([413, 'message_too_large']);
  expect(answer.json.message).toBe('A request with mail can have at most 37 MB.');
  expect(rowsOf()).toBe(before);
});

test('postmark: accepts a large file twice in one request, as a field and inside the raw message', async () => {
  const file = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(9_900_000, 'x')]).toString('base64');
  const rest = 'y'.repeat(2_000_000);
  const parts = [
    ...['--b', 'Content-Type: text/plain', '', 'See the file.'],
    ...['--b', 'Content-Type: application/octet-stream; name=rest.bin', '', rest],
    ...['--b', 'Content-Type: application/pdf; name=plan.pdf', 'Content-Transfer-Encoding: base64', '', file, '--b--'],
  ];
  const RawEmail = mail({ headers: ['Content-Type: multipart/mixed; boundary=b'], body: parts.join('\r\n') });
  const Attachments = [
    { Name: 'plan.pdf', ContentType: 'application/pdf', Content: file },
    { Name: 'rest.bin', ContentType: 'application/octet-stream', Content: rest.repeat(8) },
  ];
  const answer = await post('postmark', { From: 'mia@customer.example', RawEmail, Attachments });
  expectTicket(answer, 'The printer burns');
  const { messages } = (await app.asTeam('GET', `/api/v1/tickets/${answer.json.ticket}`)).json.data;
  expect(messages[0].attachments).toMatchObject([
    { filename: 'rest.bin', size: 2_000_000 },
    { filename: 'plan.pdf', size: 9_900_009 },
  ]);
});

test('mail beyond the rate limit is 429 until the minute is over', async () => {
  const limited = await testApp({ inbound: 2 });
  const ask = () =>
    limited.ask('POST', `/api/webhooks/raw/inbound/${limited.inboundSecret}`, { body: mail({ from: 'a@b.example' }) });
  expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([200, 200, 429]);
  await limited.close();
});

test('sendgrid: gets 503 for the rate limit, because it drops mail after 4xx', async () => {
  const limited = await testApp({ inbound: 1 });
  const body = String(new URLSearchParams({ email: mail({ from: 'a@b.example' }) }));
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const ask = () => limited.ask('POST', `/api/webhooks/sendgrid/inbound/${limited.inboundSecret}`, { headers, body });
  expect((await ask()).json.outcome).toBe('ticket_created');
  const refused = await ask();
  expect([refused.status, refused.json.code]).toEqual([503, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await limited.close();
});

test('whatever bytes a provider sends, the answer is 2xx or 4xx, and each stored row has an outcome', async () => {
  const header = fc.constantFrom(
    'From: a@b.example',
    'From:',
    'Subject: =?utf-8?B?/w==?=',
    'Content-Type: multipart/mixed; boundary=b',
    'Content-Type: text/plain; charset=nonsense',
    'Content-Transfer-Encoding: base64',
    'Message-ID: <x>',
    'To: ticket+00000000000000000000000000@desk.example',
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ unit: 'binary', maxLength: 300 }).map((text) => new TextEncoder().encode(text)),
    fc.jsonValue({ maxDepth: 3 }).map((value) => new TextEncoder().encode(JSON.stringify(value))),
    fc
      .tuple(fc.array(header, { maxLength: 6 }), fc.string({ maxLength: 200 }))
      .map(([headers, body]) => new TextEncoder().encode([...headers, '', `--b\r\n\r\n${body}`].join('\r\n'))),
  );
  const type = fc.constantFrom(
    'application/json',
    'message/rfc822',
    'multipart/form-data; boundary=b',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    '',
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...providerNames), type, bytes, async (provider, contentType, body) => {
      const before = rowsOf();
      const { status, text } = await post(provider, new Uint8Array(body), { 'Content-Type': contentType });
      expect(status, text).toBeGreaterThanOrEqual(200);
      expect(status, text).toBeLessThan(500);
      expect(rowsOf()).toBe(before + 1);
    }),
    { numRuns: caseCount(40, 300) },
  );
  expect(faults).toEqual([]);
}, 60_000);

test('every message of the corpus is filed without an error and has an outcome', async () => {
  const before = rowsOf();
  const mails = corpus();
  for (const { folder, file, raw } of mails) {
    const { status, json, text } = await post('raw', raw);
    expect(status, `${folder}/${file}: ${text}`).toBe(200);
    expect(inboundOutcomes).toContain(json.outcome);
  }
  expect(mails.length).toBeGreaterThan(50);
  expect(rowsOf()).toBe(before + mails.length);
  const open = app.desk.read((tx) =>
    query(tx, "SELECT id FROM inbound_mail WHERE status <> 'done' OR outcome IS NULL OR reason IS NULL").all(),
  );
  expect(open).toEqual([]);
  expect(faults).toEqual([]);
}, 60_000);

describe('the inbound log', () => {
  const path = '/api/v1/sites/web-shop/inbound-mail';

  test('is listed by outcome, shown with its trace, and replayed', async () => {
    const held = await post(
      'raw',
      mail({
        from: 'eve@forged.example',
        headers: ['Authentication-Results: mx; dmarc=fail header.from=forged.example'],
      }),
    );
    expect(held.json).toMatchObject({ message: 'Stored; see the inbound log.', outcome: 'held', ticket: null });
    const list = await app.asTeam('GET', `${path}?outcome=held&per_page=1`);
    expect(list.json.data[0]).toMatchObject({ outcome: 'held', sender: 'eve@forged.example', attempts: 1 });
    const { id } = list.json.data[0];
    expect((await app.asTeam('GET', `${path}/${id}`)).json.data).toEqual(list.json.data[0]);
    const again = await app.asTeam('POST', `${path}/${id}/replay`);
    expect(again.json.data).toMatchObject({ id, outcome: 'held', attempts: 2 });
    expect((await app.asTeam('POST', `${path}/${id}/replay`, { anyway: true })).status).toBe(422);
    const free = await app.asTeam('POST', `${path}/${id}/replay`, { release: true });
    expect(free.json.data).toMatchObject({ id, outcome: 'ticket_created', attempts: 3 });
    await post('raw', mail({ from: 'eve@forged.example', headers: ['Authentication-Results: mx; dmarc=fail'] }));
    const filed = (await app.asTeam('GET', `${path}?outcome=ticket_created`)).json.data[0];
    expect((await app.asTeam('POST', `${path}/${filed.id}/replay`)).status).toBe(409);
    expect((await app.asTeam('GET', `${path}?outcome=lost`)).status).toBe(400);
  });

  test('has mail that was held discarded, and held again', async () => {
    await post('raw', mail({ from: 'mal@forged.example', headers: ['Authentication-Results: mx; dmarc=fail'] }));
    const { id, reason } = (await app.asTeam('GET', `${path}?outcome=held`)).json.data[0];
    const as = async (verb: string) => (await app.asTeam('POST', `${path}/${id}/${verb}`)).json;
    expect(await as('hold')).toMatchObject({ code: 'other_outcome' });
    expect((await as('discard')).data).toMatchObject({ id, outcome: 'discarded', reason, ticket: null });
    expect(await as('discard')).toMatchObject({ code: 'other_outcome' });
    expect((await as('hold')).data).toMatchObject({ id, outcome: 'held', reason });
    await as('discard');
    expect((await app.asTeam('POST', `${path}/${id}/replay`, { release: true })).json.data.outcome).toBe(
      'ticket_created',
    );
    expect(await as('discard')).toMatchObject({ code: 'other_outcome' });
  });

  test('is only for tokens of the site, and decisions only with manage', async () => {
    const { id } = (await app.asTeam('GET', `${path}?outcome=held`)).json.data[0];
    const foreign = await app.token(['read', 'write', 'manage'], app.other.site.id);
    const reader = await app.token(['read'], app.site.id);
    const writer = await app.token(['write'], app.site.id);
    const both = await app.token(['read', 'write'], app.site.id);
    const as = async (secret: string | null, method: string, target: string, body?: object) => {
      const headers: Record<string, string> = secret === null ? {} : { Authorization: `Bearer ${secret}` };
      return (await app.ask(method, target, { headers, body })).status;
    };
    const test = '/api/v1/sites/web-shop/inbound-rules/test';
    const raw = { raw: mail() };
    for (const [secret, statuses] of [
      [null, [401, 401, 401, 401, 401, 401]],
      [app.siteToken, [401, 401, 401, 401, 401, 401]],
      [foreign.secret, [404, 404, 404, 404, 404, 404]],
      [reader.secret, [200, 200, 403, 403, 403, 403]],
      [writer.secret, [403, 403, 403, 403, 403, 403]],
      [both.secret, [200, 200, 403, 403, 403, 200]],
    ] as const) {
      const asked = [
        await as(secret, 'GET', path),
        await as(secret, 'GET', `${path}/${id}`),
        await as(secret, 'POST', `${path}/${id}/replay`),
        await as(secret, 'POST', `${path}/${id}/discard`),
        await as(secret, 'POST', `${path}/${id}/hold`),
        await as(secret, 'POST', test, raw),
      ];
      expect(asked).toEqual([...statuses]);
    }
    const elsewhere = `/api/v1/sites/other-shop/inbound-mail/${id}`;
    expect((await app.asTeam('GET', elsewhere)).status).toBe(404);
    expect((await app.asTeam('POST', `${elsewhere}/replay`)).status).toBe(404);
  });

  test('a dry run reports on every rule and changes nothing', async () => {
    const rules = '/api/v1/sites/web-shop/inbound-rules';
    const conditions = (value: string) => [{ field: 'subject', operator: 'contains', value }];
    const add = (name: string, value: string) =>
      app.asTeam('POST', rules, { name, conditions: conditions(value), actions: [{ type: 'add_tags', value: ['a'] }] });
    expect((await add('Invoices', 'invoice')).status).toBe(201);
    expect((await add('Parcels', 'parcel')).status).toBe(201);
    const before = app.counts();
    const { json } = await app.asTeam('POST', `${rules}/test`, { raw: mail({ subject: 'My invoice' }) });
    expect(json.data).toMatchObject({ kind: 'ordinary', ticket: null, effects: { tags: ['a'], discard: null } });
    expect(json.data.rules.map((rule: { name: string; outcome: string }) => [rule.name, rule.outcome])).toEqual([
      ['Invoices', 'matched'],
      ['Parcels', 'not_matched'],
    ]);
    for (const rule of json.data.rules) expect(rule.explanation).not.toBe('');
    expect(app.counts()).toEqual(before);
  });
});

test('the patterns of a rule are compiled one at a time, so that other requests run in between', async () => {
  const conditions = Array.from({ length: 50 }, (_, at) => ({
    ...{ field: 'subject', operator: 'matches', value: `(turn${at}|[a-z]{${at + 1},90})x` },
  }));
  let turns = 0;
  let isOver = false;
  const take = () => {
    turns += 1;
    if (!isOver) setImmediate(take);
  };
  const saving = app.asTeam('POST', '/api/v1/sites/web-shop/inbound-rules', {
    name: 'Many',
    conditions,
    actions: [{ type: 'discard' }],
  });
  setImmediate(take);
  expect((await saving).status).toBe(201);
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(50);
});
