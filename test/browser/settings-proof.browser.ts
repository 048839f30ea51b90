// The settings that prove mail: records in DNS, the trace of a mail, the watch over a mailbox, and the spam filter.

import { afterAll, expect, test } from 'bun:test';
import { type FakeRspamd, fakeRspamd } from '../support/fake-rspamd.ts';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { makeOwner, owner, signInAs } from './owner.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

let desk: BrowserDesk;
let visitor: Visitor;
let rspamd: FakeRspamd;
let inbound: string;
visitForEachTest({
  async open() {
    rspamd = await fakeRspamd();
    desk = await startDesk('localhost', { HELPDESK_RSPAMD_URL: rspamd.url });
    await makeOwner(desk);
    const made = await desk.command('site', 'create', '--name', 'Demo shop');
    inbound = made.data.inbound_webhook_url.replace(/webhooks\/[^/]+\//, 'webhooks/raw/');
    return desk;
  },
  async come(each) {
    visitor = each;
    await signInAs(visitor, desk, owner.email);
  },
});
afterAll(async () => await rspamd.stop());

const open = (path: string) => visitor.open(`${desk.url}/settings/${path}`);
const sound = async () => expect(await violations(visitor)).toEqual([]);

test('of each sender, the console says whether its mail is aligned, and gives the record', async () => {
  await open('mail-dns');
  await visitor.see(t.notChecked);
  await visitor.see(t.defaultSender);
  await visitor.press('button', t.checkSender('helpdesk@localhost'));
  // No name server knows this machine's own name.
  await visitor.see(t.spfMissing);
  await visitor.see(t.dmarcMissing);
  await visitor.see('_dmarc.localhost');
  await visitor.see('v=DMARC1; p=none');
  await sound();
  await visitor.find('button', t.copyPart(t.recordValue, 'v=DMARC1; p=none'));
  await visitor.see(t.lastChangeBy(owner.name, 'now').slice(0, -5));
});

test('a mail is found by its sender, and its steps are shown; the search is in the address', async () => {
  const mail =
    'From: Mia <mia@example.org>\nTo: help@desk.example\nSubject: A broken bell\nMessage-ID: <b1@x>\n\nHelp\n';
  await fetch(inbound, { method: 'POST', body: mail.replaceAll('\n', '\r\n') });
  await open('mail-trace');
  await visitor.fill(t.traceWhat, 'mi');
  await visitor.press('button', t.traceFind);
  await visitor.see(t.traceTooShort);
  await visitor.fill(t.traceWhat, 'mia@example.org');
  await visitor.press('button', t.traceFind);
  await visitor.at('/settings/mail-trace');
  await visitor.see('A broken bell');
  await visitor.see(t.stepFiled);
  await visitor.see('helpdesk mail trace mia@example.org');
  await sound();
  await open('mail-trace?q=no-such-mail');
  await visitor.see(t.traceNothing);
  await open(`mail-trace?q=${encodeURIComponent('<b1@x>')}`);
  await visitor.press('link', t.toTicket);
  await visitor.see('A broken bell');
});

test('a mailbox shows its alarms, canary, count and what expires; canary and second way are set and taken back', async () => {
  const day = 86_400_000;
  const server = '"host":"localhost","port":1,"tls":"implicit","user":"help","certificate_sha256":null';
  desk.sql(`INSERT INTO mailboxes (site_id, name, address, provider, authentication, incoming, outgoing, secret_sealed,
    first_days, save_sent, is_paused, created_at, version) VALUES (1, 'Support', 'help@shop.example', 'other', 'password',
    '{"type":"imap",${server},"folder":"INBOX","after_filing":"leave","move_to":null}', '{"type":"smtp",${server}}', 'x',
    NULL, 0, 1, 0, 1)`);
  const [{ id }] = (await desk.command('mailbox', 'list', '--site', 'demo-shop')).data;
  const ends = JSON.stringify([
    {
      of: 'incoming_certificate',
      server: 'localhost:1',
      from: Date.now() - 300 * day,
      until: Date.now() + 6 * day - 1000,
    },
  ]);
  desk.sql(`INSERT INTO mailbox_checks (mailbox_id, certificates, certificates_at, counted_at, counted, missing)
    VALUES (${id}, '${ends}', 0, ${Date.now()}, 312, 2)`);
  desk.sql(
    `INSERT INTO mailbox_alarms VALUES (${id}, 'quiet', 'Nothing has come for 9 hours.', ${Date.now()}, ${Date.now()})`,
  );
  for (const [at, seconds] of [3, 4, 40].entries())
    desk.sql(`INSERT INTO mailbox_canaries (mailbox_id, ulid, sent_at, seen_at, is_told)
      VALUES (${id}, 'c${at}', ${Date.now() - (9 - at) * 600_000}, ${Date.now() - (9 - at) * 600_000 + seconds * 1000}, 0)`);
  await desk.command(
    ...['channel', 'add', '--site', 'demo-shop', '--name', 'Operations', '--type', 'custom'],
    ...['--url', 'https://hooks.example.org/x', '--events', 'ticket.created'],
  );

  await open(`mailboxes/${id}`);
  await visitor.see(t.alarmQuiet);
  await visitor.see('Nothing has come for 9 hours.');
  await visitor.see(t.countedMissing('312', '2', '').slice(0, 60));
  await visitor.see(t.endsInDays('6', '', 6).trimEnd());
  await visitor.see(t.canaryGraph('3', '40 seconds', '0'));
  await sound();

  const mailbox = async () => (await desk.command('mailbox', 'list', '--site', 'demo-shop')).data[0];
  await visitor.press('checkbox', t.canary);
  await visitor.see(t.canaryOn);
  expect((await mailbox()).has_canary).toBe(true);
  await visitor.press('button', t.undo);
  await waitUntil('the canary is off again', async () => !(await mailbox()).has_canary);
  const channel = async () => (await desk.command('channel', 'list', '--site', 'demo-shop')).data[0];
  await visitor.press('checkbox', t.alarmsTo('Operations'));
  await visitor.see(t.alarmsGoTo('Operations'));
  expect((await channel()).events).toEqual(['ticket.created', 'mailbox.alarm']);
  await visitor.press('button', t.undo);
  await waitUntil('the channel hears no alarms', async () => (await channel()).events.length === 1);
});

async function score(label: string, text: string): Promise<void> {
  const field = await visitor.find('spinbutton', label);
  await field.click({ count: 3 });
  await visitor.page.keyboard.press('Backspace');
  await visitor.page.keyboard.type(text);
}

test('the spam filter is tried, in words, and the scores of the site are set and taken back', async () => {
  await open('spam');
  await visitor.see(t.filterAnswers('', '').slice(0, 15));
  await visitor.see(t.heldAndMarkedFrom('6', '15'));
  await score(t.holdFrom, '8.5');
  await score(t.markFrom, '');
  await visitor.see(t.heldFrom('8.5'));
  await sound();
  await visitor.press('button', t.save);
  await visitor.see(t.spamSaved);
  const settings = async () => (await desk.command('site', 'list')).data[0].settings;
  expect(await settings()).toMatchObject({ spam_hold_score: 8.5, spam_mark_score: null });
  await visitor.see('--spam-hold-score 8.5 --spam-mark-score none');
  await visitor.press('button', t.undo);
  await waitUntil('the scores are as before', async () => (await settings()).spam_hold_score === 6);
  rspamd.isUp = false;
  rspamd.manner = 'refuses';
  await visitor.press('button', t.testFilter);
  await visitor.see(t.filterDown);
});
