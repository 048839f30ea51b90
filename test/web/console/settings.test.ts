// The settings: addresses of their sections, and the commands that they show.

import { describe, expect, test } from 'bun:test';
import { isReachableAddress } from '../../../src/domain/mail/mailbox.ts';
import { merged } from '../../../src/web/console/settings/edited.ts';
import { shellLine } from '../../../src/web/console/settings/equal-command.tsx';
import { saidAfter } from '../../../src/web/console/settings/mailboxes/trial.tsx';
import {
  addCommand,
  bodyOf,
  completed,
  fieldOf,
  isElsewhere,
  newMailbox,
  readdressed,
} from '../../../src/web/console/settings/mailboxes/values.ts';

test.each([
  [['helpdesk', 'mailbox', 'list', '--site', 'web-shop'], 'helpdesk mailbox list --site web-shop'],
  [['--name', 'Spare parts', '<', 'password'], "--name 'Spare parts' < password"],
  [['--name', "It's $HOME"], "--name 'It'\\''s $HOME'"],
  [['--sender', '$SENDER', '<', 'message.eml'], '--sender "$SENDER" < message.eml'],
  [['--imap', '[::1]:993', '--move-to', ''], "--imap '[::1]:993' --move-to ''"],
])('a shell reads the words of %j back', (words, line) => {
  expect(shellLine(words)).toBe(line);
});

test('what only one of two people changed is as they left it, and of what both changed both values are known', () => {
  const base = { name: 'Help', folder: 'INBOX', port: '993', saves: false };
  expect(merged(base, { ...base, name: 'Desk', folder: 'Sales' }, { ...base, name: 'Support', port: '143' })).toEqual({
    values: { name: 'Desk', folder: 'Sales', port: '143', saves: false },
    theirs: { name: 'Support' },
  });
  expect(merged(base, { ...base, saves: true }, { ...base, saves: true }).theirs).toEqual({});
});

test.each([
  ['web-shop@support.example.org', true],
  ['web-shop@desk.lan', true],
  ['web-shop@localhost', false],
  ['web-shop@127.0.0.1', false],
  ['web-shop@192.168.1.20', false],
  ['web-shop@[fd00::1]', false],
])('a mail from elsewhere reaches %s: %p', (address, is) => {
  expect(isReachableAddress(address)).toBe(is);
});

test.each([
  ['password', 'The server refuses the user or password: 535 5.7.8 Bad: login', '535 5.7.8 Bad: login'],
  ['busy', 'The server is busy or limits this mailbox: Try later', 'Try later'],
  ['other', 'The server cannot be reached: timeout', 'The server cannot be reached: timeout'],
] as const)('a reason of %s is not said a second time in English', (reason, message, said) => {
  expect(saidAfter(reason, message)).toBe(said);
});

const typed = (address: string, from = newMailbox) => ({ ...from, ...readdressed(from, address) });

describe('the address of a new mailbox', () => {
  test('says where it usually is, until that is changed by hand', () => {
    const first = typed('help@shop.example');
    expect(first).toMatchObject({ name: 'help', imap_host: 'imap.shop.example', smtp_user: 'help@shop.example' });
    const second = typed('sales@shop.test', { ...first, imap_host: 'mail.shop.test' });
    expect(second).toMatchObject({ name: 'sales', imap_host: 'mail.shop.test', smtp_host: 'smtp.shop.test' });
  });

  test.each([
    ['mia@gmail.com', 'google', 'imap.gmail.com'],
    ['mia@Outlook.com', 'microsoft', 'outlook.office365.com'],
  ] as const)('%s is at %s', (address, provider, imap) => {
    expect(typed(address)).toMatchObject({ provider, authentication: 'oauth', imap_host: imap });
  });
});

const own = { ...typed('help@shop.example'), password: ' secret ' };

test('the desk is told what the form holds, and a password as it was typed', () => {
  expect(bodyOf(completed({ ...own, imap_user: ' ', sends: false, first_days: '14' }), true)).toEqual({
    name: 'help',
    address: 'help@shop.example',
    provider: 'other',
    authentication: 'password',
    incoming: {
      host: 'imap.shop.example',
      port: 993,
      tls: 'implicit',
      user: 'help@shop.example',
      certificate_sha256: null,
      folder: 'INBOX',
      after_filing: 'leave',
      move_to: null,
    },
    outgoing: null,
    save_sent: false,
    password: ' secret ',
    first_days: 14,
  });
});

test.each([
  [{}, '--imap imap.shop.example --smtp smtp.shop.example < password'],
  [
    { sends: false, imap_port: '1143', imap_tls: 'none' as const },
    '--imap imap.shop.example:1143 --imap-tls none < password',
  ],
  [{ reads: false, smtp_port: '465', smtp_tls: 'implicit' as const }, '--smtp smtp.shop.example:465 < password'],
  [
    { sends: false, after_filing: 'move' as const, move_to: 'Old mail', first_days: '7' },
    "--imap imap.shop.example --move-to 'Old mail' --first-days 7 < password",
  ],
])('the command that adds %j', (change, flags) => {
  const line = shellLine(addCommand('web-shop', { ...own, ...change }));
  expect(line).toBe(`helpdesk mailbox add --site web-shop --name help --address help@shop.example ${flags}`);
});

test('the command for a known provider names no server', () => {
  expect(shellLine(addCommand('web-shop', typed('mia@gmail.com')))).toBe(
    'helpdesk mailbox add --site web-shop --name mia --address mia@gmail.com --provider google --authentication oauth',
  );
});

test.each([
  ['incoming.host', 'imap_host'],
  ['outgoing.certificate_sha256', 'smtp_sha256'],
  ['incoming.move_to', 'move_to'],
  ['incoming', 'imap_host'],
  ['password', 'password'],
])('what the desk says about %s stands at %s', (said, field) => {
  expect(fieldOf(said)).toBe(field);
});

test('a stored password is asked for again when it would go elsewhere', () => {
  expect(isElsewhere(own, { ...own, folder: 'Sales' })).toBe(false);
  expect(isElsewhere(own, { ...own, smtp_host: 'mail.shop.example' })).toBe(true);
  expect(isElsewhere(own, { ...own, sends: false, smtp_host: 'mail.shop.example' })).toBe(false);
});
