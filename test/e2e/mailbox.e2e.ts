// The README's mailbox, with its own commands, from an empty directory to the first answer.

import { afterAll, expect, test } from 'bun:test';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { waitUntil } from '../browser/wait.ts';
import { mail } from '../desk/mail/mail-desk.ts';
import { selfSigned } from '../support/certificates.ts';
import { startDovecot } from '../support/dovecot.ts';
import { bareEnvironment, executable, helpdesk, newDirectory, serve } from './executable.ts';

const readme = readFileSync(join(import.meta.dir, '../../README.md'), 'utf8');
const block = (name: string) =>
  new RegExp(`<!-- quick-start:${name} -->\\n\`\`\`sh\\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1] ?? '';
const { path, remove } = newDirectory();
const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
  remove();
});

async function mailServer(password: string) {
  const taken: ParsedMail[] = [];
  const { key, certificate, sha256 } = selfSigned('smtp.shop.example');
  const server = new SMTPServer({
    key,
    cert: certificate,
    onAuth: (auth, _session, done) =>
      auth.password === password ? done(null, { user: 'help' }) : done(new Error('Invalid login')),
    onData(stream, _session, done) {
      simpleParser(stream).then((one) => {
        taken.push(one);
        done();
      }, done);
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.server.address() as AddressInfo).port, taken, sha256 };
}

test('the mailbox of the README is connected, and the first mail answered', async () => {
  const dovecot = await startDovecot();
  ends.push(dovecot.stop);
  const { port, taken, sha256 } = await mailServer(dovecot.password);
  const environment = { HELPDESK_MAIL_ALLOW: '127.0.0.1' };
  const running = await serve(path, environment);
  ends.push(async () => {
    running.signal('SIGTERM');
    await running.exited;
  });
  await helpdesk(path, ['site', 'create', '--name', 'Web shop']);
  symlinkSync(executable, join(path, 'helpdesk'));
  writeFileSync(join(path, 'password'), `${dovecot.password}\n`);
  // The first ticket of the quick start.
  await helpdesk(path, [
    'ticket',
    'open',
    '--site',
    'web-shop',
    '--email',
    'leo@example.org',
    '--subject',
    'First',
    '--body',
    'x',
  ]);

  const run = async (script: string) => {
    writeFileSync(join(path, 'step.sh'), script);
    const shell = Bun.spawn(['sh', '-eu', 'step.sh'], {
      cwd: path,
      env: { ...bareEnvironment, ...environment, PATH: `${path}:${bareEnvironment.PATH}` },
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [output, errors, code] = await Promise.all([
      new Response(shell.stdout).text(),
      new Response(shell.stderr).text(),
      shell.exited,
    ]);
    expect([errors, code], output).toEqual(['', 0]);
    return output;
  };
  // The servers of this test are on this machine, with certificates that they signed themselves.
  const here = block('mailbox')
    .replace(
      '--imap imap.shop.example',
      `--imap 127.0.0.1:${dovecot.ports.tls} --imap-user help --imap-fingerprint ${dovecot.sha256}`,
    )
    .replace('--smtp smtp.shop.example', `--smtp 127.0.0.1:${port} --smtp-user help --smtp-fingerprint ${sha256}`);
  expect(here).toContain('127.0.0.1');
  const output = await run(here);
  expect(output).toContain('Reading: works. Signed in as help and opened INBOX.');
  expect(output).toContain('Sending: works. Sent a test mail to help@shop.example.');
  expect(output).not.toContain(dovecot.password);

  const list = async () => (await helpdesk(path, ['mailbox', 'list', '--site', 'web-shop', '--json'])).json().data;
  await waitUntil('it is connected', list, ([mailbox]) => mailbox.state === 'connected');
  dovecot.deliver(mail({ from: 'Mia <mia@customer.example>', to: 'help@shop.example', subject: 'Where is my order' }));
  const tickets = async () => (await helpdesk(path, ['ticket', 'list'])).output;
  await waitUntil('the mail is a ticket', tickets, (shown) => shown.includes('Where is my order'));
  expect(await run(block('answer'))).toContain('#2');
  const answer = await waitUntil('the answer has come', () =>
    taken.find(({ text }) => text?.includes('It is on its way.')),
  );
  expect(answer?.from?.value[0]?.address).toBe('help@shop.example');
  expect(answer?.replyTo?.value[0]?.address).toBe('help@shop.example');

  const traced = (await helpdesk(path, ['mail', 'trace', 'mia@customer.example'])).output;
  for (const line of [
    /in \(imap\) from mia@customer\.example: Where is my order/,
    /seen +UID \d+ in the folder INBOX of help@shop\.example/,
    /filed +ticket_created/,
    /out \(mail\.agent_reply\) to mia@customer\.example/,
    /accepted +250/,
  ])
    expect(traced).toMatch(line);

  const google = ['--name', 'Team', '--address', 'team@shop.example', '--provider', 'google', '--first-days', '14'];
  await helpdesk(
    path,
    ['mailbox', 'add', '--site', 'web-shop', ...google, '--save-sent', 'yes'],
    'secret\nfor sending\n',
  );
  const { output: shown } = await helpdesk(path, ['mailbox', 'show', '2', '--site', 'web-shop']);
  for (const line of [/incoming\.host +imap\.gmail\.com/, /outgoing\.port +587/, /first_days +14/, /save_sent +yes/])
    expect(shown).toMatch(line);
});
