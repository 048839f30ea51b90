// What events say in a conversation.

import { beforeAll, expect, test } from 'bun:test';
import { type EventNames, eventText } from '../../src/web/console/ticket/event-text.ts';
import type { WireEvent } from '../../src/web/console/wire.ts';
import { loadMessages } from '../../src/web/shared/messages.ts';

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await loadMessages('en');
});

const names: EventNames = {
  agent: (id) => (id === 7 ? 'Ben' : undefined),
  category: (id) => (id === 1 ? 'Billing' : undefined),
  priority: (id) => (id === 3 ? 'High' : undefined),
  status: (status) => `‹${status}›`,
  when: (iso) => iso.slice(0, 10),
  list: (words) => words.join(' and '),
};
const ana = { type: 'agent', id: 5, name: 'Ana' };

function said(event: string, data: object, actor: object = ana): string {
  const { text } = eventText({ event, data, actor } as unknown as WireEvent, { ulid: 'T1' }, names);
  return text.replace(/[\u2068\u2069]/g, '');
}

const updated = (changes: Record<string, unknown[]>) =>
  said('ticket.updated', {
    changes: Object.fromEntries(Object.entries(changes).map(([field, [from, to]]) => [field, { from, to }])),
  });
const assigned = (to: number | null, actor?: object) =>
  said('ticket.assigned', { changes: { assigned_to: { from: null, to } } }, actor);

test.each([
  [() => said('ticket.status_changed', { new_status: 'resolved' }), 'Ana set status to ‹resolved›'],
  [() => assigned(7), 'Ana assigned this to Ben'],
  [() => assigned(7, { type: 'agent', id: 7, name: 'Ben' }), 'Ben took this ticket'],
  [() => assigned(null), 'Ana removed the assignee'],
  // An agent who no longer exists.
  [() => assigned(99), 'Ana assigned this to Agent'],
  [() => updated({ priority_id: [2, 3] }), 'Ana set priority to High'],
  [() => updated({ priority_id: [2, 99] }), 'Ana changed the ticket'],
  [() => updated({ category_id: [1, null] }), 'Ana removed the category'],
  [() => updated({ category_id: [null, 1] }), 'Ana set category to Billing'],
  [() => updated({ subject: ['Before', 'After'] }), 'Ana changed the subject to “After”'],
  [
    () =>
      updated({
        tags: [
          ['a', 'b'],
          ['b', 'c', 'd'],
        ],
      }),
    'Ana added the tags c and d · Ana removed the tag a',
  ],
  [() => updated({ snoozed_until: [null, '2030-01-01T09:00:00Z'] }), 'Ana snoozed this until 2030-01-01'],
  [() => updated({ snoozed_until: ['2030-01-01T09:00:00Z', null] }), 'Ana ended the snooze'],
  [() => said('ticket.links_revoked', { revoked: 2 }), 'Ana revoked the customer’s links'],
  [() => said('ticket.access_token_replaced', {}), 'Ana replaced the customer’s access token'],
  [() => updated({ is_spam: [false, true] }), 'Ana marked this as spam'],
  [() => updated({ first_response_due_at: [1, 2], resolution_due_at: [1, 2] }), 'Ana moved the deadlines'],
  [() => updated({ something_new: [1, 2] }), 'Ana changed the ticket'],
  [() => said('ticket.something_new', {}), 'Ana changed the ticket'],
  [() => said('ticket.sla_breached', { sla_type: 'resolution' }, { type: 'scan' }), 'The resolution is overdue'],
  [
    () => said('ticket.sla_warning', { sla_type: 'first_response' }, { type: 'scan' }),
    'The first response is due soon',
  ],
  [() => said('ticket.attachment_added', {}, { type: 'author', id: 1, name: null }), 'The customer added a file'],
  [
    () => said('ticket.updated', { rule_skipped: 'why' }, { type: 'rule', name: 'VIP' }),
    'The rule “VIP” skipped inbound rules that were too slow or failed',
  ],
  [() => said('ticket.status_changed', { new_status: 'closed' }, { type: 'scan' }), 'The desk set status to ‹closed›'],
])('%p says "%s"', (say, text) => {
  expect(say()).toBe(text);
});

test('a merge leads to the other ticket, from either side', () => {
  const data = { source_ulid: 'T1', source_reference: '#1', into_ulid: 'T2', into_reference: '#2' };
  const event = { event: 'ticket.merged', actor: ana, data } as unknown as WireEvent;
  const from = (ulid: string) => eventText(event, { ulid }, names);
  expect(from('T1').href).toBe('/tickets/T2');
  expect(from('T1').text).toContain('merged this into #2');
  expect(from('T2').href).toBe('/tickets/T1');
  expect(from('T2').text).toContain('merged #1 into this ticket');
});

test('names of other people do not turn the line around', () => {
  const actor = { type: 'author', id: 1, name: 'Eve\u202e' };
  const { text } = eventText(
    { event: 'ticket.status_changed', actor, data: { new_status: 'open' } } as unknown as WireEvent,
    { ulid: 'T1' },
    names,
  );
  expect(text).toBe('\u2068Eve\u2069 set status to ‹open›');
});
