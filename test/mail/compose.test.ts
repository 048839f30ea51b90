// Composed mails: threads, loops, addresses, and a customer's words unchanged.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { createTransport } from 'nodemailer';
import { locales } from '../../src/domain/people/preferences.ts';
import { contrast, leastContrast } from '../../src/domain/sites/brand-colors.ts';
import { renderMarkdown } from '../../src/mail/markdown.ts';
import { type ComposedMail, composeMail } from '../../src/mail/outgoing/compose.ts';
import type { MailContent, TicketAtAGlance } from '../../src/mail/outgoing/mail-content.ts';
import { threadSubject } from '../../src/mail/outgoing/thread-subject.ts';
import { writtenAsText } from '../../src/mail/outgoing/written-text.ts';
import { foldReply } from '../../src/mail/reply/body.ts';
import { hostileTexts } from '../outbox/notifications.ts';
import { frame } from './frame.ts';

const url = 'https://desk.example.com/tickets/01J8ZQ4T5M7N8P9Q0R1S2T3V4W?a=1&b=2';
const deadline = { type: 'resolution' as const, minutesRemaining: 24, dueAt: Date.UTC(2026, 8, 11, 9, 54) };

/** One of each kind; `written` is in every place where people can write. */
function contentsWith(written: string): MailContent[] {
  const answered = { authorName: written, body: written, at: Date.UTC(2026, 8, 10) };
  const attachments = [{ filename: `${written.slice(0, 300)}.txt`, contentType: written, content: new Uint8Array(3) }];
  const glance: TicketAtAGlance = {
    url,
    customer: { name: written, address: written },
    others: [written],
    clocks: [
      { clock: 'first_response', dueAt: null, doneAt: Date.UTC(2026, 8, 11, 9), isPaused: false },
      { clock: 'resolution', dueAt: deadline.dueAt, doneAt: null, isPaused: false },
    ],
    messages: [{ name: written, body: written, at: Date.UTC(2026, 8, 11, 9, 20) }],
    timeZone: 'Europe/Amsterdam',
    answersAre: 'note',
  };
  return [
    { kind: 'acknowledgement', isProven: false },
    {
      kind: 'agent_reply',
      isAutomated: false,
      isProven: true,
      agentName: written,
      body: written,
      html: null,
      attachments,
      answered,
    },
    { kind: 'ticket_resolved', isProven: false },
    { kind: 'assigned', by: written, ticket: glance },
    { kind: 'team_assigned', by: written, ticket: glance },
    {
      kind: 'assigned_together',
      by: written,
      tickets: [written, 'Shop'].map((site) => ({ site, reference: '#41', subject: written, url })),
      url,
    },
    { kind: 'customer_replied', authorName: written, ticket: glance },
    { kind: 'sla_warning', deadline, ticket: glance },
    { kind: 'sla_breached', deadline: { ...deadline, minutesRemaining: -3 }, ticket: glance },
    { kind: 'answer_noted', problem: 'unknown_command', line: written, ticket: glance },
    { kind: 'form_receipt', isProven: false },
    { kind: 'customer_link' },
    { kind: 'customer_code', code: '041267' },
    { kind: 'channel_disabled', channelName: written, reason: written, command: 'helpdesk channel enable 2', url },
    { kind: 'canary', proof: written },
    ...(['refused', 'client_secret', 'quiet', 'missing_mail'] as const).map((alarm) => ({
      ...{ kind: 'mailbox_alarm' as const, alarm, address: written, reason: written },
      command: 'helpdesk mailbox test 2',
    })),
  ];
}
function sample(kind: MailContent['kind']): MailContent {
  return contentsWith('It says "no".').find((content) => content.kind === kind)!;
}
const acknowledgement = sample('acknowledgement');
const reply = sample('agent_reply');
const resolved = sample('ticket_resolved');
const assigned = sample('assigned');
const replied = sample('customer_replied');
const warning = sample('sla_warning');
const breached = sample('sla_breached');
const noted = sample('answer_noted');
const disabled = sample('channel_disabled');
const receipt = sample('form_receipt');
const newLink = sample('customer_link');
const code = sample('customer_code');
const linkUrl = 'https://desk.example.com/t/01J8ZQ4T5M7N8P9Q0R1S2T3V4W#hdl_secret';
const linked = (isOpen = false) => frame({ link: { url: linkUrl, isOpen, isShared: false } });

const renderer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
async function parsedBack(mail: ComposedMail) {
  const { message } = await renderer.sendMail(mail);
  const raw = (message as Buffer).toString('latin1');
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  const names = head.split('\r\n').map((line) => line.slice(0, line.indexOf(':')).toLowerCase());
  return { parsed: await simpleParser(message as Buffer), names };
}

describe('the head', () => {
  test('of each kind has its subject, in one thread where the customer sees it', () => {
    expect(
      [acknowledgement, reply, resolved, assigned, replied, warning, breached, disabled].map(
        (content) => composeMail(frame(), content).subject,
      ),
    ).toEqual([
      '[#41] We have received your message',
      '[#41] Cannot save my settings',
      '[#41] Your ticket is solved',
      '[#41] Assigned to you: Cannot save my settings',
      '[#41] Customer replied: Cannot save my settings',
      '[#41] SLA warning: Cannot save my settings',
      '[#41] SLA breached: Cannot save my settings',
      'Channel disabled: It says "no". (Acme)',
    ]);
    const toMail = frame({ inReplyTo: '<c1@customer.example>' });
    const proven = (kind: 'acknowledgement' | 'ticket_resolved') => ({ kind, isProven: true });
    expect(composeMail(toMail, proven('acknowledgement')).subject).toBe('[#41] Re: Cannot save my settings');
    expect(composeMail(frame(), proven('acknowledgement')).subject).toBe('[#41] Cannot save my settings');
    expect(composeMail(frame(), proven('ticket_resolved')).subject).toBe('[#41] Cannot save my settings');
    expect(composeMail(toMail, reply).subject).toBe('[#41] Re: Cannot save my settings');
  });

  test.each([
    ['Re: [#41] RE: AW: Cannot save', '[#41] Re: Cannot save'],
    ['[#41] Re[2]: Cannot save', '[#41] Re: Cannot save'],
    ['Fwd: Re: Cannot save', '[#41] Re: Fwd: Re: Cannot save'],
    ['Reply: is it safe?', '[#41] Re: Reply: is it safe?'],
    ['  ', '[#41] Re: (kein Betreff)'],
    ['Re:', '[#41] Re: (kein Betreff)'],
    ['(no subject)', '[#41] Re: (kein Betreff)'],
  ])('%p is answered as %p', (subject, expected) => {
    expect(threadSubject('#41', subject, 'Re: ', '(kein Betreff)')).toBe(expected);
  });

  test('keeps the thread, knows its own, and leads replies to the ticket', async () => {
    const threaded = frame({
      inReplyTo: ' <c2@customer.example> ',
      references: ['<c1@customer.example>', 'not an id', '<a b@c>', '<reply.0@acme.example>', '<c1@customer.example>'],
    });
    const { parsed } = await parsedBack(composeMail(threaded, reply));
    expect(parsed.messageId).toBe('<reply.1@acme.example>');
    expect(parsed.inReplyTo).toBe('<c2@customer.example>');
    expect(parsed.references).toEqual(['<c1@customer.example>', '<reply.0@acme.example>', '<c2@customer.example>']);
    expect(parsed.from?.value).toEqual([{ name: 'Acme Support', address: 'support@acme.example' }]);
    expect(parsed.replyTo?.value).toEqual([
      { name: 'Acme', address: 'ticket+01J8ZQ4T5M7N8P9Q0R1S2T3V4W@in.acme.example' },
    ]);
    expect(parsed.headers.get('x-helpdesk-desk')).toBe('desk-1');
    expect(parsed.date).toEqual(new Date('2026-09-11T09:30:00Z'));
  });

  test('of a long thread keeps its first and its newest message ids', () => {
    const references = Array.from({ length: 100 }, (_, i) => `<m${i}@customer.example>`);
    const mail = composeMail(frame({ references }), reply);
    expect(mail.references).toHaveLength(20);
    expect([mail.references?.[0], mail.references?.[1], mail.references?.at(-1)]).toEqual([
      '<m0@customer.example>',
      '<m81@customer.example>',
      '<m99@customer.example>',
    ]);
  });

  test('says that a mail is automatic, unless an agent wrote it', async () => {
    const ofRule = { ...reply, isAutomated: true } as MailContent;
    for (const content of [acknowledgement, resolved, assigned, replied, warning, breached, noted, disabled, ofRule]) {
      const { parsed } = await parsedBack(composeMail(frame(), content));
      expect(parsed.headers.get('auto-submitted')).toBe('auto-generated');
    }
    const { names } = await parsedBack(composeMail(frame(), reply));
    expect(names).not.toContain('auto-submitted');
    expect(names).not.toContain('x-auto-response-suppress');
  });

  test('of a rule repeats the subject only if it is proven or read', () => {
    const subjectOf = (isProven: boolean) =>
      composeMail(frame(), { ...reply, isAutomated: true, isProven } as MailContent).subject;
    expect(subjectOf(true)).toBe(composeMail(frame(), reply).subject);
    expect(subjectOf(false)).toBe('[#41] We have received your message');
  });

  test('has no Reply-To without an inbound domain or a ticket, and asks for no reply then', () => {
    const deaf = composeMail(frame({ inboundDomain: null }), acknowledgement);
    expect(deaf.replyTo).toBeUndefined();
    expect(deaf.text).not.toContain('reply');
    expect(composeMail(frame({ ticket: null }), disabled).replyTo).toBeUndefined();
  });

  test.each([
    'ada',
    'ada@',
    'a@b@c',
    'ada@customer.example, eve@evil.example',
    'ada@customer.example\r\nBcc: eve@evil.example',
    'Ada <ada@customer.example>',
    '"eve@evil.example x"@customer.example',
    'a b@customer.example',
    '<ada@customer.example>',
    'group:a@b.example;',
    `${'a'.repeat(254)}@customer.example`,
  ])('takes %p for no address', (address) => {
    expect(() => composeMail(frame({ to: { name: 'Ada', address } }), reply)).toThrow();
    expect(() => composeMail(frame({ from: { name: 'Acme', address } }), reply)).toThrow();
  });
});

describe('the body', () => {
  test('of a reply is the agent’s words, with what they answer below', async () => {
    const { parsed } = await parsedBack(
      composeMail(frame(), {
        kind: 'agent_reply',
        isAutomated: false,
        isProven: true,
        agentName: 'Grace',
        body: 'Dear Ada,\r\n\r\n  1. open <Settings>\n  2. save & close',
        html: null,
        attachments: [],
        answered: { authorName: 'Ada', body: 'Help!\n\nIt says "no".', at: Date.UTC(2026, 8, 10, 8) },
      }),
    );
    expect(parsed.text?.trim().split('\n')).toEqual([
      'Dear Ada,',
      '',
      '  1. open <Settings>',
      '  2. save & close',
      '',
      'Grace, Acme',
      '',
      'On 2026-09-10 08:00 UTC, Ada wrote:',
      '> Help!',
      '>',
      '> It says "no".',
      '',
      '-- ',
      'Acme · #41 · Reply to this mail to answer.',
    ]);
    expect(parsed.html).toContain('&nbsp; 1. open &#60;Settings&#62;<br>');
    expect(parsed.html).toContain('<blockquote type="cite"');
  });

  test('of a reply that the site signs names it once', async () => {
    const words = {
      kind: 'agent_reply',
      isAutomated: false,
      isProven: true,
      body: 'Done.',
      html: null,
      attachments: [],
      answered: null,
    } as const;
    const { parsed } = await parsedBack(composeMail(frame(), { ...words, agentName: 'Acme' }));
    expect(parsed.text?.trim().split('\n')).toEqual(['Done.', '', '-- ', 'Acme · #41 · Reply to this mail to answer.']);
  });

  test('of Markdown is text without its marks, and the safe HTML as HTML', async () => {
    const body = '**Dear** Ada, [see](https://a.example/?b=1&c=2) <b>';
    const words = {
      kind: 'agent_reply',
      isAutomated: false,
      isProven: true,
      agentName: 'Grace',
      attachments: [],
      answered: null,
    } as const;
    const html = renderMarkdown(body);
    const { parsed } = await parsedBack(composeMail(frame(), { ...words, body: writtenAsText(body, html), html }));
    expect(parsed.text).toStartWith('Dear Ada, see (https://a.example/?b=1&c=2) <b>\n');
    expect(parsed.html).toContain('<strong>Dear</strong>');
    expect(parsed.html).toContain('href="https://a.example/?b=1&amp;c=2"');
    expect(parsed.html).not.toContain('<b>');
  });

  test('of what goes out unasked repeats nothing that the customer wrote', () => {
    const written = 'BUY NOW';
    const spam = frame({
      to: { name: written, address: 'victim@other.example' },
      ticket: { ulid: '01J8ZQ4T5M7N8P9Q0R1S2T3V4W', reference: '#41', subject: written },
    });
    for (const content of [acknowledgement, resolved]) {
      const mail = composeMail(spam, content);
      expect(mail.text + mail.html).not.toContain(written);
    }
  });

  test('of agents’ mails says what happened and where to look', () => {
    expect(composeMail(frame(), assigned).text).toStartWith(
      ['It says "no". assigned this ticket to you.', '#41 Cannot save my settings', ''].join('\n\n'),
    );
    expect(composeMail(frame(), replied).text).toContain('> It says "no".');
    expect(composeMail(frame(), warning).text).toContain('The resolution is due soon.');
    for (const fact of [
      'Customer: It says "no". (It says "no".)',
      'First response: done 11 Sept 2026, 11:00',
      'Resolution: due 11 Sept 2026, 11:54 (in 24 minutes)',
    ])
      expect(composeMail(frame(), warning).text).toContain(fact);
    expect(composeMail(frame(), disabled).text).toContain(
      'When the receiver works again, run: helpdesk channel enable 2\n',
    );
    expect(composeMail(frame(), breached).text).toContain('The resolution is overdue.');
    expect(composeMail(frame(), noted).text).toContain('We do not know this command: It says "no".');
    for (const content of [assigned, replied, warning, breached, noted, disabled]) {
      expect(composeMail(frame(), content).text).toContain(`: ${url}\n`);
      expect(composeMail(frame(), content).html).toContain(`href="${url.replace('&', '&#38;')}"`);
    }
  });

  test('to a customer brings their own link, and says who can do what with it', () => {
    for (const content of [acknowledgement, reply, resolved, receipt, newLink]) {
      const mail = composeMail(linked(), content);
      expect(mail.text).toContain(`Open your ticket: ${linkUrl}\n`);
      expect(mail.text).toContain('Only you can answer there: we first mail you a code.');
      expect(mail.html).toContain(`<a href="${linkUrl}"`);
      expect(composeMail(linked(true), content).text).toContain('can read the conversation and answer.');
      // Only the body: servers on the way log heads.
      expect(JSON.stringify([mail.subject, mail.headers, mail.references])).not.toContain('hdl_secret');
    }
  });

  test('to a customer has a button in the colour of the brand, on which people can read', () => {
    const htmlWith = (color: string | null) => composeMail({ ...linked(), site: { name: 'Acme', color } }, reply).html;
    const styleWith = (color: string | null) =>
      /<a href="[^"]+" style="[^"]*;background:(#\w+);color:(#\w+)["; ]/.exec(htmlWith(color))?.slice(1);
    expect(styleWith('#0F766E')).toEqual(['#0f766e', '#ffffff']);
    expect(styleWith(null)).toEqual(['#2563eb', '#ffffff']);
    expect(styleWith('red;x:y')).toEqual(['#2563eb', '#ffffff']);
    expect(htmlWith('#111827')).toContain('border:1px solid');
    expect(htmlWith('#0f766e')).not.toContain('border:1px solid');
    const [background = '', words = ''] = styleWith('#ffee00') ?? [];
    expect(contrast(background, words)).toBeGreaterThanOrEqual(leastContrast.text);
    expect(contrast(background, '#ffffff')).toBeGreaterThanOrEqual(leastContrast.shape);
  });

  test('to a customer has no link when the site gives none, and an agent never gets a customer’s', () => {
    for (const content of [acknowledgement, reply, resolved, receipt])
      expect(composeMail(frame(), content).text + composeMail(frame(), content).html).not.toContain('/t/');
    expect(() => composeMail(frame(), newLink)).toThrow();
    for (const content of [assigned, replied, warning, breached, disabled, code]) {
      const mail = composeMail(linked(), content);
      expect(mail.text + mail.html).not.toContain('hdl_secret');
    }
  });

  test('of a code has nothing but the code', () => {
    const mail = composeMail(frame({ ticket: null }), code);
    expect(mail.subject).toBe('041267 is your code for Acme');
    expect(mail.text).toStartWith('Your code for Acme is:\n\n    041267\n\nEnter it on the page');
    expect(mail.html).toContain('>041267</p>');
    expect(mail.replyTo).toBeUndefined();
  });

  test.each(locales)('speaks %s to customers and agents', (locale) => {
    const spoken = (content: MailContent) =>
      composeMail(frame({ ...linked(), locale, answerAddress: 'agent+1' }), content);
    const words = [acknowledgement, reply, resolved, receipt, newLink, code, assigned, replied, warning, noted].map(
      (content) => spoken(content),
    );
    for (const mail of words) expect(mail.html).toContain(`<html lang="${locale}">`);
    const told = words.map(({ subject, text }) => subject + text.replaceAll('It says "no".', '')).join('\n');
    const isEnglish = /\b(your|answer|received|wrote|this|soon)\b/.test(told);
    expect(isEnglish).toBe(locale === 'en');
  });

  test.each(locales)('about a mailbox speaks %s, but for the reason', (locale) => {
    const alarms = contentsWith('It says "no".').filter(({ kind }) => kind === 'mailbox_alarm');
    const mails = alarms.map((content) => composeMail(frame({ ...linked(), locale, ticket: null }), content));
    expect(mails).toHaveLength(4);
    const told = mails.map(({ subject, text }) => subject + text).join('\n');
    expect(/\b(mail than usual|lost|ends|Sent by)\b/.test(told)).toBe(locale === 'en');
    for (const { html } of mails) expect(html).toContain(`<html lang="${locale}">`);
  });

  test.each(locales)('to an agent in %s is folded off an answer to it, however it is quoted', (locale) => {
    const { text, replyTo } = composeMail(frame({ locale, answerAddress: 'agent+1-1-1-x' }), replied);
    expect(replyTo?.address).toBe('agent+1-1-1-x@in.acme.example');
    const marked = text.replaceAll(/^/gm, '> ');
    for (const quoted of [text, marked, `On Fri, 11 Sep 2026 at 09:31, Acme <a@acme.example> wrote:\n${marked}`])
      expect(foldReply(`/reply\nIt is fixed.\n\n${quoted}`).body).toBe('/reply\nIt is fixed.');
    expect(text).toContain('/priority high');
    expect(composeMail(frame({ locale }), replied).text).not.toContain('/priority high');
  });

  test.each(locales)('in %s begins its quotation so that a reply’s is folded away', (locale) => {
    const { text } = composeMail(frame({ ...linked(), locale }), reply);
    const introduction = text.split('\n').find((line) => line.includes('2026-09-10'))!;
    const answer = `It works now, thank you.\n\n${introduction}\n> It says "no".`;
    expect(foldReply(answer).body).toBe('It works now, thank you.');
  });

  test('fits a narrow and a wide window and leaves colours to the client', () => {
    for (const content of contentsWith('text')) {
      const { html } = composeMail(linked(), content);
      expect(html).toContain('<meta name="viewport" content="width=device-width,initial-scale=1">');
      expect(html).toContain('<meta name="color-scheme" content="light dark">');
      expect(html).toContain('max-width:600px');
      expect(html).toContain('overflow-wrap:anywhere');
      expect(html).not.toMatch(/[^-]width:\d|<table|<img|<style|<script/);
    }
  });
});

test('nothing that anyone wrote becomes a header, a recipient, a tag or half a character', async () => {
  const hostile = [
    ...hostileTexts,
    'x\r\nBcc: eve@evil.example\r\n\r\nbody',
    '<script>alert(1)</script><img src=x onerror=alert(1)><a href="https://evil.example">x</a></div></body>',
    '" style="position:fixed" onmouseover="alert(1)',
    '=?utf-8?B?QmNjOiBldmVAZXZpbC5leGFtcGxl?=',
    'Ada" <eve@evil.example>, "',
    '--\r\n.\r\nQUIT\r\n',
  ];
  const allowedTags = /^(!doctype|html|head|meta|body|div|p|br|a|span|blockquote)$/;
  const check = async (written: string) => {
    for (const content of contentsWith(written)) {
      const mail = composeMail(
        frame({
          ...linked(),
          site: { name: written, color: written },
          from: { name: written, address: 'support@acme.example' },
          to: { name: written, address: 'ada@customer.example' },
          ticket: { ulid: '01J8ZQ4T5M7N8P9Q0R1S2T3V4W', reference: '#41', subject: written },
          inReplyTo: written,
          references: [written],
        }),
        content,
      );
      for (const [, tag] of mail.html.matchAll(/<\/?([^\s>]*)/g)) expect(tag).toMatch(allowedTags);
      for (const [, href] of mail.html.matchAll(/<a href="([^"]*)"/g))
        expect(href).toStartWith('https://desk.example.com/');
      expect(mail.html).not.toMatch(/<[^>]*\son\w+=/);
      expect((mail.subject + mail.text + mail.html).isWellFormed()).toBe(true);
      expect(mail.subject).not.toMatch(/\p{Cc}/u);
      const { parsed, names } = await parsedBack(mail);
      const known =
        /^(from|to|reply-to|subject|message-id|date|mime-version|content-type|content-transfer-encoding|x-helpdesk-(desk|mail|canary)|auto-submitted|x-auto-response-suppress|x-mailer)$/;
      for (const name of names) expect(name).toMatch(known);
      expect([parsed.to].flat().flatMap((to) => to?.value.map(({ address }) => address))).toEqual([
        'ada@customer.example',
      ]);
      expect(mail.envelope).toEqual({ from: 'support@acme.example', to: ['ada@customer.example'] });
      expect(parsed.attachments.length).toBe(content.kind === 'agent_reply' ? 1 : 0);
      expect(mail.attachments[0]?.contentType ?? 'application/octet-stream').toBe('application/octet-stream');
    }
  };
  for (const written of hostile) await check(written.slice(0, 2000));
  await fc.assert(fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 100 }), check), { numRuns: 15 });
}, 30_000);
