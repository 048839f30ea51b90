// Notifications of every kind, with any text that a customer may have written.

import type { Notification, NotifiedTicket } from '../../src/outbox/notification.ts';

export const at = Date.UTC(2026, 8, 11, 9, 30);
const url = 'https://desk.example.com/tickets/01J8ZQ4T5M7N8P9Q0R1S2T3V4W?a=1&b=2';

/** One of each kind; `written` is in every place where a customer can write, and in agents' names. */
export function notificationsWith(written: { subject?: string; body?: string; name?: string }): Notification[] {
  const { subject = 'Cannot save my settings', body = 'It says "no".', name = 'Ada' } = written;
  const person = { email: 'bo@example.org', name: written.name ?? 'Bo Berg' };
  const ticket: NotifiedTicket = {
    ulid: '01J8ZQ4T5M7N8P9Q0R1S2T3V4W',
    id: 7,
    reference: '#41',
    subject,
    status: 'open',
    priority: name,
    authorName: name,
    participants: [person],
  };
  const message = { ulid: '01J8ZQ5AAAAAAAAAAAAAAAAAAA', body, authorName: name, authorExternalId: 'u-1' };
  const envelope = { deliveryId: '01J8ZQ6DDDDDDDDDDDDDDDDDDD', at, url, site: { id: 3, slug: 'acme', name } };
  const deadline = { type: 'first_response' as const, dueAt: at + 24 * 60_000 };
  return [
    { ...envelope, event: 'ticket.created', ticket, message: { ...message, isAgent: false, agentName: null } },
    { ...envelope, event: 'ticket.replied', ticket, message: { ...message, isAgent: false, agentName: null } },
    { ...envelope, event: 'ticket.replied', ticket, message: { ...message, isAgent: true, agentName: name } },
    { ...envelope, event: 'ticket.status_changed', ticket, oldStatus: 'pending', newStatus: 'open' },
    { ...envelope, event: 'ticket.assigned', ticket, assignee: { id: 5, name }, team: { id: 2, name } },
    { ...envelope, event: 'ticket.assigned', ticket, assignee: null, team: null },
    {
      ...{ ...envelope, event: 'ticket.participants_changed', ticket, leftOut: 2 },
      changes: { added: [person], back: [person, { ...person, name: null }], removed: [person], paused: [person] },
    },
    { ...envelope, event: 'ticket.sla_warning', ticket, deadline: { ...deadline, minutesRemaining: 24 } },
    { ...envelope, event: 'ticket.sla_breached', ticket, deadline: { ...deadline, minutesRemaining: -1 } },
    {
      ...{ ...envelope, event: 'mailbox.alarm', ticket: null, mailboxId: 3 },
      ...{ address: name, alarm: 'failing', reason: body },
    },
    { ...envelope, event: 'inbound.held', ticket: null },
    { ...envelope, event: 'backup.failed', ticket: null },
    { ...envelope, event: 'disk.low', ticket: null },
    { ...envelope, event: 'channel.disabled', ticket: null, channelId: 4, channelName: name, reason: body },
    { ...envelope, event: 'channel.test', ticket: null, channelName: name },
    { ...envelope, event: 'ticket.rated', ticket, rating: 'good', comment: body },
    { ...envelope, event: 'ticket.rated', ticket, rating: 'bad', comment: null },
  ];
}

export const hostileTexts = [
  '<!channel> <!here> <!everyone> <@U012AB3CD> <#C012AB3CD> <!subteam^S012AB3CD>',
  '<https://evil.example|Your bank> https://evil.example/login mailto:a@evil.example www.evil.example',
  '@everyone @here <@123456789012345678> <@&123456789012345678> <#123456789012345678> <id:home>',
  '[Your bank](https://evil.example) discord.gg/abcdef https://discord.gg/abcdef <t:0:R> <:a:123456789012345678>',
  '**bold** __under__ *it* _it_ ~~gone~~ ||spoiler|| `code` ```block``` # head -# small > quote - list 1. one \\',
  '<at>Everyone</at> {{DATE(2026-09-11T09:30:00Z)}} @{triggerBody()}',
  '&lt;!channel&gt; &amp;lt; &#60;!channel&#62;',
  'line one\r\nline two\rline three\u2028line four\u0000\u0007\u001b[31m',
  '\u202eright to left override\u2066 isolate',
  'مرحبا، لا أستطيع حفظ الإعدادات שלום',
  '👩‍👩‍👧‍👦'.repeat(2000),
  `e${'\u0301'.repeat(10_000)}`,
  '\ud83d lone \udc4b surrogates \ud800',
  'a\n'.repeat(5000),
  '<'.repeat(10_000),
  '*'.repeat(10_000),
  '{'.repeat(10_000),
  'x'.repeat(10_000),
  '漢字'.repeat(5000),
  ' \n\t ',
  '',
];
