// helpdesk desk: what owners set in the browser, from the command line.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { presentDesk } from '../../src/http/api/desk.ts';
import { issuerClient, startIssuer } from '../support/issuer.ts';
import { fakeS3 } from '../support/s3.ts';
import { type Ran, terminal } from './terminal.ts';

const desk = terminal();
const { type, pipe } = desk;
beforeAll(async () => {
  process.env.HELPDESK_WEBHOOK_ALLOW = '127.0.0.1';
  process.env.HELPDESK_MAIL_ALLOW = '127.0.0.1';
  await type('site', 'create', '--name', 'Web shop');
});
afterAll(() => {
  delete process.env.HELPDESK_WEBHOOK_ALLOW;
  delete process.env.HELPDESK_MAIL_ALLOW;
  desk.remove();
});

type Desk = ReturnType<typeof presentDesk>;
const update = (...flags: string[]) => type('desk', 'update', ...flags, '--json');
const deskIn = (ran: Ran) => ran.json().data as unknown as Desk;
const shown = async () => deskIn(await type('desk', 'show', '--json'));

function expectRefusal(ran: Ran, code: number, sentence: string) {
  expect(ran.errors).toContain(sentence);
  expect(ran.code).toBe(code);
}

describe('desk update', () => {
  test('changes what is named, and nothing else', async () => {
    const before = await shown();
    const ran = await update(
      ...['--name', 'Example support', '--locale', 'de', '--time-zone', 'Europe/Berlin', '--push-content', 'no'],
      ...['--require-second-factor', 'managers', '--agent-reports', 'own', '--base-url', 'https://desk.example.org'],
    );
    const changed: Partial<Desk> = {
      ...{ name: 'Example support', locale: 'de', time_zone: 'Europe/Berlin', push_content: false },
      ...{ require_second_factor: 'managers', agent_reports: 'own', base_url: 'https://desk.example.org' },
    };
    expect(deskIn(ran)).toEqual({ ...before, ...changed });
    expect(await shown()).toEqual({ ...before, ...changed });
    expect((await update('--base-url', 'none')).json().data.base_url).toBeNull();
  });

  test('is in the audit log, as by the command line', async () => {
    await update('--name', 'Audited');
    const { data } = (await type('audit', 'list', '--action', 'desk.updated', '--json')).json();
    expect(data[0]).toMatchObject({
      ...{ actor: { type: 'command_line' }, target: { type: 'desk' } },
      ...{ before: { name: 'Example support' }, after: { name: 'Audited' } },
    });
  });

  test('changes some of where agents hear of what, and leaves the rest', async () => {
    const { events: before } = (await shown()).notifications.defaults;
    expect([before.assigned.mail, before.assigned.sound]).toEqual([true, false]);
    await update(
      '--switch-on',
      'sound.assigned',
      '--switch-off',
      'mail.assigned,push.assigned',
      '--fixed',
      'mail_mode',
    );
    const { defaults, fixed } = (await shown()).notifications;
    expect(defaults.events).toEqual({
      ...before,
      assigned: { ...before.assigned, sound: true, mail: false, push: false },
    });
    expect(fixed).toEqual(['mail_mode']);
    expect(deskIn(await update('--fixed', '')).notifications.fixed).toEqual([]);
    const other = await update('--mail-mode', 'digest', '--digest-at', '07:30', '--mail-after-minutes', '15');
    expect(deskIn(other).notifications.defaults).toEqual({
      ...defaults,
      ...{ mail_mode: 'digest', digest_at: '07:30', mail_after_minutes: 15 },
    });
  });

  test('sets quiet hours, what comes in them all the same, and ends them', async () => {
    const quiet = async () => (await shown()).notifications.defaults.quiet_hours;
    await update('--quiet-hours', '22:00-07:00');
    expect(await quiet()).toEqual({ from: '22:00', until: '07:00', lets_urgent_through: true });
    await update('--quiet-urgent', 'no');
    await update('--quiet-hours', '21:00-06:30');
    expect(await quiet()).toEqual({ from: '21:00', until: '06:30', lets_urgent_through: false });
    expect((await type('desk', 'show')).output).toMatch(/quiet hours +21:00-06:30\nquiet urgent +no\n/);
    await update('--quiet-hours', 'none');
    expect(await quiet()).toBeNull();
    expectRefusal(await update('--quiet-urgent', 'no'), 2, '--quiet-hours must be such as 22:00-07:00');
  });

  test('refuses what it does not know, and changes nothing', async () => {
    const before = await shown();
    expectRefusal(await update(), 2, 'Nothing to change: see `helpdesk desk update --help`.');
    expectRefusal(await update('--switch-on', 'mail.birthday'), 2, 'not "mail.birthday"');
    expectRefusal(await update('--fixed', 'birthday'), 1, 'notifications.fixed');
    expectRefusal(await update('--time-zone', 'Mars/Olympus'), 1, 'time_zone');
    expectRefusal(await update('--locale', 'xx'), 1, 'locale');
    expect(await shown()).toEqual(before);
  });
});

describe('services of the desk', () => {
  test('a mail server is tried before it is kept, and its password is not shown', async () => {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      onAuth: ({ password }, _session, done) =>
        password === 'for sending' ? done(null, { user: 'desk' }) : done(new Error('Invalid login')),
      onData: (stream, _session, done) => void stream.on('end', () => done()).resume(),
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.server.address() as AddressInfo;
    const words = [
      ...['desk', 'mail-server', '--address', 'help@shop.example', '--host', '127.0.0.1', '--port', String(port)],
      ...['--tls', 'none', '--user', 'desk', '--json'],
    ];
    expectRefusal(await pipe('wrong\n', ...words), 1, 'mail_server.password');
    expect((await shown()).mail_server).toBeNull();
    const ran = await pipe('for sending\n', ...words);
    expect(ran.code).toBe(0);
    expect(ran.output).not.toContain('for sending');
    expect((await shown()).mail_server).toMatchObject({ host: '127.0.0.1', port, user: 'desk' });
    expect((await pipe('', ...words)).code).toBe(0);
    await new Promise<void>((resolve) => server.close(() => resolve()));
    expectRefusal(await pipe('', ...words), 1, 'mail_server.host');
    expect((await type('desk', 'rm-mail-server', '--yes', '--json')).json().data.mail_server).toBeNull();
  });

  test('an issuer is asked before it is kept', async () => {
    const issuer = await startIssuer({ redirectUri: 'http://localhost/api/v1/auth/oidc/callback' });
    const words = ['desk', 'issuer', '--client-id', issuerClient.id, '--json'];
    expectRefusal(await pipe('secret', ...words, '--issuer', `${issuer.url}/nowhere`), 1, 'issuer.issuer');
    expect((await pipe('secret', ...words, '--issuer', issuer.url)).code).toBe(0);
    expect((await shown()).issuer).toMatchObject({ issuer: issuer.url, has_client_secret: true });
    expect((await pipe('', ...words, '--issuer', issuer.url, '--label', 'Example')).json().data.issuer).toMatchObject({
      ...{ has_client_secret: true, label: 'Example' },
    });
    await issuer.stop();
    expect((await type('desk', 'rm-issuer', '--yes', '--json')).json().data.issuer).toBeNull();
  });

  test('a bucket is tried before it is kept, and its folders can be taken over', async () => {
    const store = await fakeS3('files', 'the-key', 'eu-1');
    const words = [
      ...['desk', 'bucket', '--endpoint', store.endpoint, '--bucket', 'files', '--region', 'eu-1', '--access-key'],
    ];
    expectRefusal(await pipe('secret', ...words, 'another'), 1, 'bucket.endpoint');
    expect((await pipe('secret', ...words, 'the-key')).code).toBe(0);
    const folders = (await shown()).bucket?.folders.length ?? 0;
    const taken = await type('desk', 'take-folders', '--yes', '--json');
    expect(deskIn(taken).bucket?.folders.length).toBe(folders + 1);
    store.close();
    expect((await type('desk', 'rm-bucket', '--yes', '--json')).json().data.bucket).toBeNull();
    expectRefusal(await type('desk', 'take-folders', '--yes'), 2, 'No bucket is set here.');
  });

  test('are not removed unasked', async () => {
    expectRefusal(await type('desk', 'rm-bucket'), 2, 'Add --yes to confirm.');
  });
});
