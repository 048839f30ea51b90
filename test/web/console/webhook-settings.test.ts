// What the screens about webhooks show of code, commands and addresses.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { worker } from '../../../src/web/console/settings/inbound/worker.ts';
import {
  bodyOf,
  channelCommand,
  newChannel,
  typeOf,
  withEvent,
} from '../../../src/web/console/settings/webhooks/channel-values.ts';
import { receiver, receiverLanguages } from '../../../src/web/console/settings/webhooks/receivers.ts';

const guide = readFileSync(new URL('../../../docs/connect.md', import.meta.url), 'utf8');

test.each(receiverLanguages)('the receiver in %s is that of the guide, which is run by a test', (language) => {
  expect(guide).toContain(`\n${receiver(language)}\`\`\``);
});

test('a receiver reads the header of its channel', () => {
  expect(receiver('TypeScript', 'X-Acme')).toContain("'X-Acme-Signature'");
  expect(receiver('PHP', 'X-Acme')).toContain("$_SERVER['HTTP_X_ACME_SIGNATURE']");
  for (const language of receiverLanguages) expect(receiver(language, 'X-Acme')).not.toMatch(/helpdesk/i);
});

test.each([
  ['https://hooks.slack.com/services/T0/B0/x', 'slack'],
  ['https://discord.com/api/webhooks/1/x', 'discord'],
  ['https://prod-1.westeurope.logic.azure.com:443/workflows/x', 'teams'],
  ['https://slack.com.example.org/', null],
  ['not yet', null],
])('the platform of %s is %p', (url, type) => expect(typeOf(url)).toBe(type as never));

test('events keep their order, and only an application of one’s own has header names', () => {
  const events = withEvent(newChannel, 'mailbox.alarm', true);
  expect(withEvent({ ...newChannel, events }, 'ticket.assigned', true)).toBe(
    'ticket.created,ticket.replied,ticket.assigned,mailbox.alarm',
  );
  expect(withEvent({ ...newChannel, events: 'ticket.created' }, 'ticket.created', false)).toBe('');
  expect(bodyOf(newChannel)).toMatchObject({
    events: ['ticket.created', 'ticket.replied'],
    header_prefix: 'X-Helpdesk',
  });
  expect(bodyOf({ ...newChannel, type: 'slack' })).not.toHaveProperty('header_prefix');
  expect(channelCommand('shop', ['update', '2'], { ...newChannel, name: 'A', include_test: true }).join(' ')).toBe(
    'helpdesk channel update 2 --site shop --name A --type custom --url  --events ticket.created,ticket.replied --include-test',
  );
});

test('the worker for Cloudflare is that of the page for operators', () => {
  const page = readFileSync(new URL('../../../docs/operations/mail.md', import.meta.url), 'utf8');
  expect(page).toContain(`\`\`\`js\n${worker}\`\`\``);
});
