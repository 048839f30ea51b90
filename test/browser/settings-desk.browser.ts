// The settings of the desk itself: people are invited, changed and removed; tokens made, tried and revoked.

import { expect, test } from 'bun:test';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import type { BrowserDesk } from './desk.ts';
import { keys } from './journey.ts';
import { owner, signInAs, startShop } from './owner.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

let desk: BrowserDesk;
let visitor: Visitor;
visitForEachTest({
  async open() {
    desk = await startShop();
    await desk.command('site', 'create', '--name', 'Second shop');
    return desk;
  },
  async come(each) {
    visitor = each;
    await signInAs(visitor, desk, owner.email);
  },
});

const person = async (email: string) =>
  (await desk.command('agent', 'list')).data.find((one: { email: string }) => one.email === email);

test('someone is invited, gets another role, and is removed; the keyboard is enough', async () => {
  await visitor.open(`${desk.url}/settings/people`);
  await visitor.see(owner.email);
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('link', t.invitePerson);
  await visitor.focusOn('name', 'address');
  await visitor.page.keyboard.type('kim@example.org');
  await keys(visitor, 'Tab');
  await visitor.page.keyboard.type('Kim Sato');
  await visitor.see('helpdesk agent invite --email kim@example.org');
  expect(await violations(visitor)).toEqual([]);
  await keys(visitor, 'Enter');
  await visitor.see(t.personWasInvited('Kim Sato'));
  expect((await desk.mail()).text).toContain('/invitation#');
  await visitor.see(t.personInvited);

  await visitor.press('radio', `${t.roleViewer} ${t.viewerMay}`);
  await visitor.press('checkbox', t.everySite);
  await visitor.press('button', t.save);
  await visitor.see(t.chooseSite);
  await visitor.press('checkbox', 'Second shop');
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.save);
  await visitor.see(t.personSaved('Kim Sato'));
  expect(await person('kim@example.org')).toMatchObject({ role: 'viewer', sites: [expect.any(Number)] });
  await visitor.press('button', t.undo);
  await waitUntil('it is taken back', async () => (await person('kim@example.org')).role === 'member');

  await visitor.press('button', t.remove);
  await visitor.see(t.removePersonText);
  expect(await violations(visitor)).toEqual([]);
  await (await visitor.page.waitForSelector('dialog .button.danger'))?.click();
  await visitor.see(t.personGone('Kim Sato'));
  await visitor.at('/settings/people');
  expect(await person('kim@example.org')).toBeUndefined();
});

test('the last owner stays, and the desk says why in words', async () => {
  const { id } = await person(owner.email);
  await visitor.open(`${desk.url}/settings/people/${id}`);
  visitor.expectStatus(409);
  await visitor.press('radio', `${t.roleMember} ${t.memberMay}`);
  await visitor.press('button', t.save);
  await visitor.see(t.lastOwnerStays);
  await visitor.press('button', t.discardChanges);
  await visitor.press('button', t.remove);
  await (await visitor.page.waitForSelector('dialog .button.danger'))?.click();
  await visitor.see(t.lastOwnerStays);
});

test('an admin changes members of their sites only, and two who edit one person lose nothing', async () => {
  const add = async (name: string, role: string, ...sites: string[]) =>
    (
      await desk.command(
        ...['agent', 'add', '--email', `${name.toLowerCase()}@example.org`, '--name', name, '--role', role],
        ...sites.flatMap((site) => ['--site', site]),
      )
    ).data.id as number;
  await add('Ada', 'admin', 'demo-shop');
  const [own, both] = [await add('Max', 'member', 'demo-shop'), await add('Lea', 'owner', 'demo-shop', 'second-shop')];
  await signInAs(visitor, desk, 'ada@example.org');
  await visitor.open(`${desk.url}/settings/people/${both}`);
  await visitor.see(t.beyondYourRole);
  expect(await visitor.isThere('button', t.remove)).toBe(false);
  await visitor.open(`${desk.url}/settings/people/${own}`);
  await visitor.find('button', t.remove);
  expect(await visitor.isThere('radio', `${t.roleOwner} ${t.ownerMay}`)).toBe(false);
  await visitor.fill(t.name, 'Maximilian');
  await visitor.press('radio', `${t.roleViewer} ${t.viewerMay}`);
  await desk.command('agent', 'update', String(own), '--name', 'Maxim');
  await visitor.see(t.theirValue(t.name, 'Maxim', 'Maximilian'));
  await visitor.press('button', t.useTheirValue(t.name));
  await visitor.press('button', t.save);
  await visitor.see(t.personSaved('Maxim'));
  expect(await person('max@example.org')).toMatchObject({ name: 'Maxim', role: 'viewer' });
});

test('a token is shown once with a call that works, changed and revoked', async () => {
  await visitor.open(`${desk.url}/settings/tokens`);
  await visitor.see(t.noTokensText);
  await visitor.press('link', t.newToken);
  await visitor.fill(t.name, 'Reporting');
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.createToken);
  await visitor.see(t.tokenOnce);
  expect(await violations(visitor)).toEqual([]);
  const shown = await visitor.page.$$eval('dialog code', (codes) => codes.map((code) => code.textContent ?? ''));
  const [secret = '', call = ''] = shown;
  const status = Bun.spawnSync(['sh', '-c', `${call} -s -o /dev/null -w '%{http_code}'`]);
  expect(status.stdout.toString()).toBe('200');
  await visitor.press('button', t.secretKept);

  await visitor.see(t.tokenForever);
  await visitor.press('checkbox', `${t.mayManage} ${t.mayManageHint}`);
  await visitor.press('button', t.save);
  await visitor.see(t.personSaved('Reporting'));
  const ask = async (path: string) =>
    (await fetch(`${desk.url}/api/v1/${path}`, { headers: { Authorization: `Bearer ${secret}` } })).status;
  expect(await ask('agents')).toBe(200);
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.revoke);
  await visitor.see(t.revokeText);
  await (await visitor.page.waitForSelector('dialog .button.danger'))?.click();
  await visitor.see(t.tokenRevoked('Reporting'));
  expect(await ask('tickets')).toBe(401);
});

/** What the first form says that its changes are at the command line. */
const shownCommand = () =>
  visitor.page.$eval('form .equal-command code', (code) =>
    [...code.children].map(({ textContent }) => textContent?.replace(/^'(.*)'$/, '$1') ?? ''),
  );

test('the desk gets another name and time zone, with Undo', async () => {
  await visitor.open(`${desk.url}/settings/sign-in`);
  await visitor.see(t.issuerLead);
  await visitor.fill(t.nameOfDesk, 'Front desk');
  const zone = await visitor.find('combobox', t.deskTimeZone);
  await visitor.page.evaluate((select) => {
    (select as HTMLSelectElement).value = 'Asia/Tokyo';
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }, zone);
  expect(await violations(visitor)).toEqual([]);
  await visitor.see('--time-zone Asia/Tokyo');
  const [, ...words] = await shownCommand();
  await visitor.press('button', t.save);
  await visitor.see(t.personSaved('Front desk'));
  await visitor.press('button', t.undo);
  await visitor.see(t.changesTakenBack);
  expect((await desk.command(...words)).data).toMatchObject({ name: 'Front desk', time_zone: 'Asia/Tokyo' });

  // Each change is in the audit log, in words, and can be found by what was done.
  await visitor.open(`${desk.url}/settings/audit`);
  await visitor.see('Asia/Tokyo');
  await visitor.see(`${t.settingsOfDesk}: ${t.auditChanged}`);
  expect(await violations(visitor)).toEqual([]);
  const action = await visitor.find('combobox', t.auditAction);
  await visitor.page.evaluate((select) => {
    (select as HTMLSelectElement).value = 'site.created';
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }, action);
  await visitor.see('helpdesk audit list --action site.created');
  await waitUntil('only sites are left', async () => {
    const shown = await visitor.page.$$eval('.audit > li', (rows) => rows.map((row) => row.textContent ?? ''));
    return shown.length === 2 && shown.every((row) => row.includes('shop'));
  });
  const csv = await visitor.page.$eval('.section-actions a', (link) => (link as HTMLAnchorElement).href);
  expect(new URL(csv).searchParams.getAll('action')).toEqual(['site.created']);
});

test('what agents are told at first is chosen for the desk, and fixed; with Undo, and by what agents then see', async () => {
  const own = () =>
    visitor.page.evaluate(async () => (await (await fetch('/api/v1/me/notification-preferences')).json()).data);
  await visitor.open(`${desk.url}/settings/notifications`);
  await visitor.press('checkbox', t.noticeBy(t.noticeAssigned, t.byMail));
  await visitor.press('button', t.fixForAll(t.noticeBy(t.noticeAssigned, t.byMail)));
  await visitor.press('checkbox', t.quietHours);
  await visitor.see(t.quietFrom);
  expect(await violations(visitor)).toEqual([]);
  // It survives a reload before it is saved.
  await visitor.page.reload();
  await visitor.see(t.unsavedChanges);
  await visitor.see('--switch-off mail.assigned');
  const [, ...words] = await shownCommand();
  await visitor.press('button', t.save);
  await visitor.see(t.deskNoticesSaved);
  const changed = {
    events: { assigned: { mail: false, push: true }, mentioned: { mail: true } },
    quiet_hours: { from: '22:00', until: '07:00', lets_urgent_through: true },
    fixed: ['mail.assigned'],
  };
  expect(await own()).toMatchObject(changed);
  await visitor.press('button', t.undo);
  await visitor.see(t.changesTakenBack);
  const before = { events: { assigned: { mail: true } }, quiet_hours: null, fixed: [] };
  expect(await own()).toMatchObject(before);
  await desk.command(...words);
  expect(await own()).toMatchObject(changed);
  await desk.command('desk', 'update', '--switch-on', 'mail.assigned', '--quiet-hours', 'none', '--fixed', '');
  expect(await own()).toMatchObject(before);

  await visitor.open(`${desk.url}/settings/sign-in`);
  const reports = await visitor.find('combobox', t.agentReports);
  await visitor.page.evaluate((select) => {
    (select as HTMLSelectElement).value = 'own';
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }, reports);
  await visitor.press('button', t.save);
  await visitor.find('button', t.undo);
  const kept = () => visitor.page.evaluate(async () => (await (await fetch('/api/v1/desk')).json()).data.agent_reports);
  expect(await kept()).toBe('own');
});

test('who changed something last is known however much happened since', async () => {
  const { id } = await person(owner.email);
  await desk.command('agent', 'update', owner.email, '--name', 'Noor B.');
  desk.sql(`WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 120)
    INSERT INTO audit_log (at, actor_type, actor_id, actor_name, action, target_type, target_id, target_name)
    SELECT ${Date.now()} + value, 'agent', ${id}, 'Kim', 'agent.updated', 'agent', 1000 + value, 'X' FROM n`);
  await visitor.open(`${desk.url}/settings/people/${id}`);
  await visitor.see(t.atCommandLine);
  await visitor.open(`${desk.url}/settings/people`);
  const said = await visitor.page.waitForSelector('.last-change');
  expect(await said?.evaluate((line) => line.textContent)).toContain('Kim');
});

test('older entries of the audit log come as one scrolls', async () => {
  const { id } = await person(owner.email);
  desk.sql(`WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 120)
    INSERT INTO audit_log (at, actor_type, actor_id, actor_name, action, target_type, target_id, target_name)
    SELECT 1000 + value, 'agent', ${id}, 'Noor', 'macro.created', 'macro', value, 'Macro ' || value FROM n`);
  await visitor.open(`${desk.url}/settings/audit`);
  const rows = () => visitor.page.$$eval('.audit > li', (all) => all.length);
  await waitUntil('the first page is there', async () => (await rows()) >= 50);
  await waitUntil('all have come', async () => {
    await visitor.page.$$eval('.audit > li:last-child', (all) => all.at(-1)?.scrollIntoView());
    return (await rows()) >= 120;
  });
});

test('the data is checked and repaired, and a backup is made and downloaded', async () => {
  const [site] = (await desk.command('site', 'list')).data;
  desk.sql(`INSERT INTO ticket_counts (site_id, status, is_test, is_spam, total) VALUES (${site.id}, 'open', 0, 0, 7)`);
  await visitor.open(`${desk.url}/settings/system`);
  await visitor.see(t.checkNever);
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.systemCheckNow);
  const repair = t.repairOf('The stored totals of tickets are wrong');
  await visitor.find('button', repair);
  expect(await violations(visitor)).toEqual([]);
  // What no repair helps says what to run, and where it is set.
  await visitor.see('helpdesk backup desk.tar.zst');
  await visitor.find('link', t.mailServer);
  desk.sql("INSERT INTO ticket_search (rowid, subject) VALUES (123456, 'gone')");
  await visitor.press('button', t.systemCheckNow);
  const other = t.repairOf('Search finds tickets or authors that no longer exist');
  await visitor.find('button', other);
  await visitor.press('button', repair);
  await visitor.see(t.findingFixed);
  // Only that one.
  await visitor.press('button', other);
  await waitUntil('nothing is left to repair', async () => (await desk.command('doctor')).data.is_sound);

  await visitor.see(t.backupNever);
  await visitor.press('button', t.backUpNow);
  await visitor.find('button', t.backupDownload);
  const got = await visitor.page.evaluate(async () => {
    const answer = await fetch('/api/v1/system/backup/file');
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return { status: answer.status, magic: [...bytes.slice(0, 4)], bytes: bytes.length };
  });
  // The first bytes of a Zstandard file.
  expect(got).toMatchObject({ status: 200, magic: [0x28, 0xb5, 0x2f, 0xfd] });
  expect(got.bytes).toBeGreaterThan(1000);
  const made = (await desk.command('audit', 'list', '--action', 'desk.backed_up')).data;
  expect(made.map(({ actor }: { actor: { type: string } }) => actor.type).sort()).toEqual(['agent', 'command_line']);

  await visitor.open(`${desk.url}/settings/environment`);
  await visitor.see('HELPDESK_SMTP_URL');
  expect(await visitor.page.$eval('.environment', (list) => list.textContent ?? '')).toContain('********');
});
