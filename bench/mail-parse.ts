// Inbound mail on one core: messages a second through parsing, classifying, folding and rules, and what 1000 rules cost.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluateRules, type Rule, type RuleCondition, type RuleSurroundings } from '../src/domain/rule.ts';
import { bodyOf } from '../src/mail/body.ts';
import { classifyMail } from '../src/mail/classify.ts';
import { parseMail } from '../src/mail/parse.ts';
import { ruleMessageOf } from '../src/mail/rule-message.ts';
import { sanitiseHtml } from '../src/mail/sanitise.ts';

const own = { header: 'x-helpdesk-desk', headerValue: 'bench', isOwnMessageId: () => false };
const surroundings: RuleSurroundings = { categories: [], priorities: [], agents: [], hasMembers: true };

function rulesWith(condition: (at: number) => RuleCondition, count: number): Rule[] {
  return Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    position: at,
    name: `Rule ${at}`,
    isActive: true,
    match: 'all',
    conditions: [condition(at)],
    actions: [{ type: 'add_tags', value: ['bench'] }],
    stopProcessing: false,
  }));
}

/** A reply as most replies are: two sentences, a quotation of thirty lines, text and HTML, two headers pages long. */
function typicalReply(at: number): Buffer {
  const quoted = Array.from({ length: 30 }, (_, line) => `line ${line} of what the desk wrote before, quoted again`);
  const text = `It works now, thank you.\r\nOnly tray ${at} is empty.\r\n\r\nOn Tue, Sep 8, 2026 at 3:14 PM Desk <help@desk.example> wrote:\r\n\r\n${quoted.map((each) => `> ${each}`).join('\r\n')}\r\n`;
  const html = `<div>It works now, thank you.<br>Only tray ${at} is empty.</div><div class="gmail_quote">On Tue wrote:<blockquote>${quoted.map((each) => `<p style="margin:0">${each}</p>`).join('')}</blockquote></div>`;
  const received = Array.from(
    { length: 6 },
    (_, hop) =>
      `Received: from mx${hop}.example.com (mx${hop}.example.com [192.0.2.${hop}]) by mx.provider.example with ESMTPS id ${hop}; Tue, 8 Sep 2026 13:14:0${hop} +0000`,
  );
  return Buffer.from(
    [
      ...received,
      'From: Jo Doe <jo@example.com>',
      `To: ticket+${at}@in.desk.example`,
      'Subject: Re: =?utf-8?q?Printer_=E2=9C=93?=',
      'Date: Tue, 8 Sep 2026 15:14:00 +0200',
      `Message-ID: <${at}@example.com>`,
      'In-Reply-To: <d1@desk.example>',
      'References: <d0@desk.example> <d1@desk.example>',
      `DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=x; b=${'A'.repeat(300)}`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/alternative; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      '',
      text,
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      html,
      '--b--',
      '',
    ].join('\r\n'),
  );
}

function corpus(): Buffer[] {
  const root = join(import.meta.dir, '../../shared/mail');
  if (!existsSync(root)) return [];
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.eml')).map((file) => readFileSync(join(root, file)));
}

async function handle(raw: Buffer, rules: readonly Rule[]): Promise<void> {
  const message = await parseMail(raw);
  classifyMail(message, own);
  const body = bodyOf(message);
  if (message.html !== null) sanitiseHtml(message.html, { cidUrl: () => null });
  evaluateRules(rules, ruleMessageOf(message, body, { isReply: false, category: null }), surroundings);
}

async function perSecond(messages: readonly Buffer[], rules: readonly Rule[], seconds: number): Promise<number> {
  for (const raw of messages) await handle(raw, rules);
  const began = performance.now();
  let count = 0;
  while (performance.now() - began < seconds * 1000) await handle(messages[count++ % messages.length]!, rules);
  return count / ((performance.now() - began) / 1000);
}

async function rulesCost(rules: readonly Rule[]): Promise<number> {
  const message = await parseMail(typicalReply(0));
  const input = ruleMessageOf(
    message,
    { body: 'My order has not arrived and I want to know where it is. '.repeat(35) },
    { isReply: true, category: null },
  );
  for (let warm = 0; warm < 20; warm++) evaluateRules(rules, input, surroundings);
  const began = performance.now();
  for (let round = 0; round < 100; round++) evaluateRules(rules, input, surroundings);
  return (performance.now() - began) / 100;
}

const twenty = rulesWith((at) => ({ field: 'subject', operator: 'contains', value: `word ${at}`, negate: false }), 20);
const replies = Array.from({ length: 50 }, (_, at) => typicalReply(at));
const real = corpus();
const results: Record<string, number> = {
  'typical replies, messages a second': Math.round(await perSecond(replies, twenty, 3)),
};
if (real.length > 0) results['corpus of real mail, messages a second'] = Math.round(await perSecond(real, twenty, 3));
const kinds: [string, (at: number) => RuleCondition][] = [
  ['subject contains', (at) => ({ field: 'subject', operator: 'contains', value: `word ${at}`, negate: false })],
  ['body contains', (at) => ({ field: 'body', operator: 'contains', value: `refund ${at}`, negate: false })],
  [
    'body matches',
    (at) => ({ field: 'body', operator: 'matches', value: `(invoice|order) ${at}[0-9]{2,6}`, negate: false }),
  ],
  ['all matching', () => ({ field: 'from_domain', operator: 'equals', value: 'example.com', negate: false })],
];
for (const [name, condition] of kinds)
  results[`1000 rules, ${name}, ms a message`] = Number((await rulesCost(rulesWith(condition, 1000))).toFixed(2));
console.log(JSON.stringify(results, null, 2));
