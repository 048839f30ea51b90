// Bounces, automatic answers, own mail and lists, distinguished from what people write.
import { describe, expect, test } from 'bun:test';
import { classifyMail, isAutomaticSubject, type OwnMarks } from '../../src/mail/inbound/classify.ts';
import { parseMail } from '../../src/mail/inbound/parse.ts';

const own: OwnMarks = {
  header: 'x-helpdesk-desk',
  headerValue: 'desk-1',
  isOwnMessageId: (id) => id.startsWith('<ticket.') && id.endsWith('@in.desk.example>'),
};
const classify = async (head: string[], body = 'Hello') =>
  classifyMail(
    await parseMail(Buffer.from(['From: Jo <jo@example.com>', 'Subject: Printer', ...head, '', body].join('\r\n'))),
    own,
  );

describe('a person', () => {
  test.each([
    [[]],
    [['Auto-Submitted: no']],
    [['Precedence: normal']],
    [['X-Auto-Response-Suppress: None']],
    [['X-Autoreply: no']],
    [['Subject: Out of office hours, whom do I call?']],
    [['Subject: Automatic reply does not work in your app']],
    [['Subject: Vacation days are counted wrong']],
    [['Subject: Re: Abwesenheit eintragen']],
    [['Subject: Undelivered parcel']],
    [['In-Reply-To: <ticket.1@in.desk.example>', 'Message-ID: <x@in.desk.example>']],
  ])('with %p is ordinary and may be answered', async (head) => {
    const found = await classify(head.some((line) => line.startsWith('Subject')) ? head : head);
    expect(found).toMatchObject({ kind: 'ordinary', isList: false, mayAcknowledge: true });
  });

  test('who has two subjects is known by the last', async () => {
    const head = ['In-Reply-To: <1@desk.example>', 'Subject: Out of office'];
    expect(await classify(head)).toMatchObject({ kind: 'automatic' });
  });
});

describe('the subject of an automatic answer', () => {
  const subjects = [
    'Auto: Kratzer an der Tür',
    '不在通知が届きました。再配達をお願いします',
    '自動返信が届きません',
    'Holiday notice period in my contract',
    'Vacation message cannot be changed',
    'Absence : justificatif',
    'Abwesenheitsassistent lässt sich nicht ausschalten',
    'Out of office - where do I switch it on?',
    'Afwezig',
    'Frånvaro: min son är sjuk',
    'Nieobecność w biurze – jak ją wpisać?',
    '外出自动回复怎么设置',
  ];
  test.each(subjects)('alone makes no automatic answer of a mail, which is not acknowledged: %s', async (subject) => {
    for (const head of [
      [],
      ['To: help@desk.example'],
      ['Return-Path: <jo@example.com>'],
      ['Reply-To: jo@home.example'],
    ])
      expect(await classify([...head, `Subject: ${subject}`])).toMatchObject({
        kind: 'ordinary',
        mayAcknowledge: false,
      });
  });

  test.each(subjects)('makes one of a mail that answers something: %s', async (subject) => {
    for (const sign of [
      'In-Reply-To: <1@desk.example>',
      'References: <0@desk.example> <1@desk.example>',
      'Return-Path: <>',
      'To: Help <TICKET+01KB3V5T6Q2W8Z4X7C9N1M0A5D@desk.example>',
      'Cc: ticket+01KB3V5T6Q2W8Z4X7C9N1M0A5D@desk.example',
      'Delivered-To: agent+1-2-3-0123456789abcdef0123456789abcdef@desk.example',
      'To: side+1-0123456789abcdef0123456789abcdef@desk.example',
    ])
      expect(await classify([sign, `Subject: ${subject}`])).toMatchObject({ kind: 'automatic', mayAcknowledge: false });
  });

  test('in what a person answers is that of the mail that they answer', async () => {
    const answer = ['In-Reply-To: <1@desk.example>', 'References: <1@desk.example>'];
    for (const mark of ['Re', 'AW', 'Antw', 'RE: AW'])
      expect(await classify([...answer, `Subject: ${mark}: Auto: Kratzer an der Tür`])).toMatchObject({
        kind: 'ordinary',
        mayAcknowledge: false,
      });
    expect(await classify(['Return-Path: <>', 'Subject: Re: Out of office'])).toMatchObject({ kind: 'automatic' });
    expect(await classify([...answer, 'Auto-Submitted: auto-replied', 'Subject: Re: Printer'])).toMatchObject({
      kind: 'automatic',
    });
  });
});

describe('an automatic answer', () => {
  test.each([
    ['Auto-Submitted: auto-replied'],
    ['Auto-Submitted: auto-generated (vacation)'],
    ['Auto-Submitted: AUTO-NOTIFIED; owner-email="x"'],
    ['X-Autoreply: yes'],
    ['X-Autorespond: 1'],
    ['X-Mail-Autoreply: y'],
    ['Precedence: auto_reply'],
    ['Precedence: auto-reply'],
    ['Precedence: bulk'],
    ['Precedence: Junk'],
    ['X-Auto-Response-Suppress: All'],
    ['X-Auto-Response-Suppress: DR, OOF, AutoReply'],
    ['Content-Type: multipart/report; report-type=disposition-notification; boundary=b'],
    ['Content-Type: multipart/report; report-type="feedback-report"; boundary=b'],
  ])('by %s', async (header) => {
    const body = header.includes('boundary') ? '--b\r\n\r\nread\r\n--b--' : 'I am away';
    expect(await classify([header], body)).toMatchObject({ kind: 'automatic', mayAcknowledge: false });
  });

  test.each([
    'Automatic reply: Printer',
    'Auto-Reply: Printer',
    'AutoReply - Printer',
    'Out of Office: Printer',
    'Out of the office',
    'OOO: Printer',
    'Out of office reply: x',
    'I am out of the office.',
    'Auto: Printer',
    'Automatische Antwort: Drucker',
    'Abwesenheitsnotiz: Drucker',
    'AW: Abwesenheitsnotiz',
    'Ich bin nicht im Büro.',
    'Réponse automatique : Imprimante',
    'Absence du bureau : x',
    'Respuesta automática: Impresora',
    'Fuera de la oficina',
    'Risposta automatica: Stampante',
    'Fuori ufficio',
    'Automatisch antwoord: Printer',
    'Afwezigheidsbericht',
    'Automatyczna odpowiedź: Drukarka',
    'Odpowiedź automatyczna: x',
    'Resposta automática: Impressora',
    'Автоматический ответ: Принтер',
    'Автоответ',
    'Autosvar: Skrivare',
    'Automatiskt svar: x',
    'Automatisk svar: Printer',
    'Ikke på kontoret',
    'Automaattinen vastaus: Tulostin',
    'Poissa toimistosta',
    'Automatická odpověď: Tiskárna',
    'Mimo kancelář',
    '自动回复: 打印机',
    '自動回覆：x',
    '自動返信: プリンター',
    '不在通知',
  ])('by its subject “%s”', (subject) => expect(isAutomaticSubject(subject)).toBe(true));

  test('a subject of a megabyte is read to its end', () => {
    expect(isAutomaticSubject('re: '.repeat(250_000))).toBe(false);
    expect(isAutomaticSubject('out of the office '.repeat(60_000))).toBe(false);
  });
});

describe('a delivery report', () => {
  const head = ['Content-Type: multipart/report; report-type=delivery-status; boundary=b'];
  const status = 'Final-Recipient: rfc822; jo@home.example\r\nAction: failed\r\nStatus: 5.1.1';
  const report = (returned = '') =>
    `--b\r\n\r\nNo.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\n${status}\r\n${returned}--b--`;

  test.each([
    'Return-Path: <>',
    'X-Other: no return path',
    'Return-Path: <SRS0=abcd=XY=mx.example=x@forwarder.example>',
    'Return-Path: <prvs=1234=support@forwarder.example>',
  ])('is a bounce with %s', async (path) => {
    expect(await classify([path, 'Auto-Submitted: auto-replied', ...head], report())).toMatchObject({
      kind: 'bounce',
      bounce: { isFinal: true, recipients: [{ address: 'jo@home.example', action: 'failed' }] },
      mayAcknowledge: false,
    });
  });

  test('tells what the mail that came back says of itself, if it is of this desk', async () => {
    const part = (lines: string[]) =>
      report(`--b\r\nContent-Type: text/rfc822-headers\r\n\r\n${lines.join('\r\n')}\r\n\r\n`);
    const sent = [
      'Received: by mx.example',
      ...Array.from({ length: 200 }, (_, at) => `X-Signature-${at}: x`),
      'Reply-To: "Web, shop" <ticket+01kb3v5t6q2w8z4x7c9n1m0a5d@desk.example>',
      'To: =?utf-8?q?J=C3=B6?=\r\n\t<jo@example.com>',
      'Message-ID: <0102@eu-west-1.mailer.example>',
      'In-Reply-To: <1@example.com>',
      'References: <0@example.com>\r\n <1@example.com>',
      'Date: Sat, 28 Nov 2026 15:00:00 +0000',
    ];
    expect(await classify(head, part([...sent, 'X-Helpdesk-Desk: desk-1']))).toMatchObject({
      bounce: {
        originalMessageId: '<0102@eu-west-1.mailer.example>',
        returned: {
          replyTo: ['ticket+01kb3v5t6q2w8z4x7c9n1m0a5d@desk.example'],
          references: ['<0@example.com>', '<1@example.com>'],
          to: ['jo@example.com'],
          date: '2026-11-28T15:00:00.000Z',
        },
      },
    });
    for (const other of [sent, [...sent, 'X-Helpdesk-Desk: desk-2'], [...sent, '', 'X-Helpdesk-Desk: desk-1']])
      expect(await classify(head, part(other))).toMatchObject({ bounce: { returned: null } });
  });
});

describe('our own mail', () => {
  test('by its header with this desk’s value', async () => {
    expect(await classify(['X-Helpdesk-Desk: desk-1', 'Auto-Submitted: auto-generated'])).toMatchObject({
      kind: 'own',
    });
    expect(await classify(['X-Helpdesk-Desk: desk-2', 'Auto-Submitted: auto-generated'])).toMatchObject({
      kind: 'automatic',
    });
    expect(await classify(['X-Helpdesk-Desk: desk-2'])).toMatchObject({ kind: 'ordinary' });
  });
  test('by its Message-ID', async () => {
    expect(await classify(['Message-ID: <ticket.1@in.desk.example>'])).toMatchObject({ kind: 'own' });
  });
});

describe('a list', () => {
  test('is filed and not acknowledged', async () => {
    for (const header of [
      'List-Id: <users.lists.example>',
      'Precedence: list',
      'List-Post: <mailto:users@lists.example>',
    ]) {
      expect(await classify([header])).toMatchObject({ kind: 'ordinary', isList: true, mayAcknowledge: false });
    }
  });
  test('that says bulk is a discussion if one can post to it, else an announcement', async () => {
    expect(await classify(['Precedence: bulk', 'List-Id: <x.y>', 'List-Post: <mailto:x@y.example>'])).toMatchObject({
      kind: 'ordinary',
      isList: true,
    });
    expect(
      await classify(['Precedence: bulk', 'List-Id: <x.y>', 'List-Unsubscribe: <https://x.example>']),
    ).toMatchObject({ kind: 'automatic' });
  });
  test('no-reply senders are filed and not acknowledged', async () => {
    for (const address of ['noreply@example.com', 'no-reply+7@example.com', 'do_not_reply@example.com']) {
      expect(await classify([`From: ${address}`])).toMatchObject({ kind: 'ordinary', mayAcknowledge: false });
    }
    expect(await classify(['From: noreply@shop.example', 'Reply-To: jo@example.com'])).toMatchObject({
      mayAcknowledge: true,
    });
  });
});

describe('a bounce', () => {
  const report = (status: string) =>
    [
      '--b',
      'Content-Type: text/plain',
      '',
      'It did not arrive.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example.com',
      '',
      status,
      '--b',
      'Content-Type: text/rfc822-headers',
      '',
      'From: help@desk.example',
      'Message-ID: <ticket.7@in.desk.example>',
      'Subject: Re: Printer',
      '--b--',
    ].join('\r\n');
  const head = ['Return-Path: <>', 'Content-Type: multipart/report; report-type=delivery-status; boundary=b'];

  test('names the message, the recipients and the reason', async () => {
    const status =
      'Original-Recipient: rfc822;Jo@Example.com\r\nFinal-Recipient: rfc822;jo@internal.example\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 no such\r\n user here\r\n\r\nFinal-Recipient: rfc822; kim@example.com\r\nAction: delayed\r\nStatus: 4.2.2';
    expect(await classify(head, report(status))).toMatchObject({
      kind: 'bounce',
      mayAcknowledge: false,
      bounce: {
        originalMessageId: '<ticket.7@in.desk.example>',
        isFinal: true,
        recipients: [
          { address: 'jo@example.com', status: '5.1.1', diagnostic: '550 5.1.1 no such user here', action: 'failed' },
          { address: 'kim@example.com', status: '4.2.2', action: 'delayed' },
        ],
      },
    });
  });

  test('that only warns is not final', async () => {
    const found = await classify(
      head,
      report('Final-Recipient: rfc822; kim@example.com\r\nAction: delayed\r\nStatus: 4.4.7'),
    );
    expect(found).toMatchObject({ kind: 'bounce', bounce: { isFinal: false } });
  });

  test('without a report, from the daemon, is read from the text', async () => {
    const text =
      'Hi. This is the qmail-send program.\r\n\r\n<jo@example.com>:\r\n550 5.1.1 unknown user\r\n\r\n--- Below this line is a copy of the message.\r\n\r\nMessage-ID: <ticket.7@in.desk.example>\r\n';
    expect(await classify(['From: MAILER-DAEMON@mx.example.com', 'Subject: failure notice'], text)).toMatchObject({
      kind: 'bounce',
      bounce: {
        originalMessageId: '<ticket.7@in.desk.example>',
        recipients: [{ address: 'jo@example.com', status: '5.1.1', diagnostic: '550 5.1.1 unknown user' }],
      },
    });
  });

  test('of a bounce, and with a header for its recipients, is a bounce still', async () => {
    const found = await classify([
      'Return-Path: <>',
      'From: mailer-daemon@x.example',
      'X-Failed-Recipients: a@b.example, c@d.example',
      'In-Reply-To: <ticket.9@in.desk.example>',
    ]);
    expect(found).toMatchObject({ kind: 'bounce', bounce: { originalMessageId: '<ticket.9@in.desk.example>' } });
    expect(found.kind === 'bounce' && found.bounce.recipients.map((each) => each.address)).toEqual([
      'a@b.example',
      'c@d.example',
    ]);
  });

  test('a postmaster who writes himself is a person', async () => {
    expect(await classify(['From: postmaster@example.com', 'Subject: Your DNS is wrong'])).toMatchObject({
      kind: 'ordinary',
    });
  });

  test('a report from a stranger with a return path of his own is no bounce', async () => {
    const found = await classify(
      ['Return-Path: <jo@example.com>', head[1]!],
      report('Final-Recipient: rfc822; kim@example.com\r\nAction: failed'),
    );
    expect(found).toMatchObject({ kind: 'automatic' });
  });
});
