// A site's own words in the mails of the desk.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { putMailTemplate, resetMailTemplate, testMailTemplate } from '../../../src/desk/sites/mail-templates.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { suppressAddress } from '../../../src/store/mail/suppressions.ts';
import { type MailDesk, mail, mailDesk } from '../mail/mail-desk.ts';

let bench: MailDesk;
beforeEach(async () => {
  bench = await mailDesk();
});
afterEach(() => bench.close());

const nl = { name: 'acknowledgement', locale: 'nl' };
const put = (body: string, named = nl, subject: string | null = null) =>
  bench.do((tx, ctx) => putMailTemplate(tx, ctx, bench.site.slug, named, { subject, body }));
const speak = (locale: 'nl' | 'de') =>
  bench.do((tx, ctx) => changeSite(tx, ctx, bench.site.slug, { settings: { locale } }, null));
async function acknowledged(from: string) {
  await bench.post(mail({ from: `Mia <${from}>` }));
  return (await bench.leave()).map(({ raw }) => raw.replace(/=\r\n/g, ''))[0] ?? '';
}

test('mail in the language of a template has its words and its subject; other languages have the desk’s', async () => {
  await put('Wij hebben {{ticket.reference}}.\n\n{{link}}', nl, 'Post voor {{site.name}}');
  await speak('nl');
  const own = await acknowledged('a@example.org');
  expect(own).toContain('Wij hebben #1.');
  expect(own).toMatch(/^Subject: \[#1\] Post voor Web shop\r$/m);
  expect(own).toContain('https://desk.example/t/');
  await speak('de');
  expect(await acknowledged('b@example.org')).toContain('Vielen Dank');
  await speak('nl');
  await bench.do((tx, ctx) => resetMailTemplate(tx, ctx, bench.site.slug, nl));
  expect(await acknowledged('c@example.org')).toContain('Bedankt voor je bericht');
});

test('a template is replaced as a whole, and one that does not exist cannot be removed', async () => {
  await put('One', nl, 'Subject');
  expect((await put('Two')).row).toMatchObject({ subject: null, body: 'Two' });
  await expect(put('One', { name: 'welcome', locale: 'nl' })).rejects.toThrow('mail template');
  await expect(put('One', { name: 'code', locale: 'nl' })).rejects.toThrow('must name {{code}}');
  const none = { name: 'code', locale: 'fr' };
  await expect(bench.do((tx, ctx) => resetMailTemplate(tx, ctx, bench.site.slug, none))).rejects.toThrow();
});

test('an example goes only to an agent of the site, through the outbox, and an answer to it to no ticket', async () => {
  const eve = await bench.do((tx, ctx) =>
    addAgent(tx, ctx, { email: 'eve@desk.example', name: 'Eve', role: 'member' }),
  );
  await put('Uw code:\n\n{{code}}', { name: 'code', locale: 'nl' });
  const ask = (agentId: number | null) =>
    bench.do((tx, ctx) => testMailTemplate(tx, ctx, bench.site.slug, { name: 'code', locale: 'nl' }, agentId));
  expect(await ask(eve.id)).toEqual({ recipient: 'eve@desk.example', hasServer: false });
  const [sent, ...others] = await bench.leave();
  expect(others).toEqual([]);
  expect(sent).toMatchObject({ event: 'mail.template_test', recipient: 'eve@desk.example' });
  expect(sent?.raw).toContain('123456');
  expect(sent?.raw).toContain('Uw code:');
  expect(sent?.raw).not.toMatch(/^Reply-To:/m);
  await expect(ask(null)).rejects.toThrow('agent id');
  await expect(ask(999)).rejects.toThrow('agent id');
  await bench.do((tx, ctx) => {
    suppressAddress(tx, bench.site.id, 'eve@desk.example', 'gone', ctx.now);
    return null;
  });
  await expect(ask(eve.id)).rejects.toMatchObject({ reason: 'address_bounces' });
});
