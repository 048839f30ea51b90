// What events say in a conversation.

import { beforeAll, expect, test } from 'bun:test';
import { type EventNames, eventText } from '../../src/web/console/ticket/conversation/event-text.ts';
import type { WireEvent } from '../../src/web/console/wire.ts';
import { loadMessages } from '../../src/web/shared/messages.ts';

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await loadMessages('en');
});

const names: EventNames = {
  agent: (id) => (id === 7 ? 'Ben' : undefined),
  team: (id) => (id === 4 ? 'Second level' : undefined),
  category: (id) => (id === 1 ? 'Billing' : undefined),
  priority: (id) => (id === 3 ? 'High' : undefined),
  status: (status) => `‹${status}›`,
  when: (iso) => iso.slice(0, 10),
  list: (words) => words.join(' and '),
  file: (ulid) => (ulid === 'F1' ? 'photo.png' : undefined),
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
const scanned = (status: string, found: string | null = null, ulid = 'F1') =>
  said('ticket.attachment_checked', { attachment_ulid: ulid, scan: { status, found } });
const assigned = (to: number | null, actor?: object) =>
  said('ticket.assigned', { changes: { assigned_to: { from: null, to } } }, actor);

const handed = (to: Record<string, number | null>, more: object = {}) =>
  said('ticket.assigned', {
    changes: Object.fromEntries(Object.entries(to).map(([field, value]) => [field, { from: null, to: value }])),
    ...more,
  });

test.each([
  [() => said('ticket.created', { source: 'phone' }), 'Ana opened the ticket by phone'],
  [() => said('ticket.created', { source: 'email' }), 'Ana opened the ticket by mail'],
  [() => said('ticket.created', { source: 'agent' }), 'Ana opened the ticket'],
  [() => said('ticket.status_changed', { new_status: 'resolved' }), 'Ana set status to ‹resolved›'],
  [() => assigned(7), 'Ana assigned this to Ben'],
  [() => assigned(7, { type: 'agent', id: 7, name: 'Ben' }), 'Ben took this ticket'],
  [() => assigned(null), 'Ana removed the assignee'],
  // An agent who no longer exists.
  [() => assigned(99), 'Ana assigned this to Agent'],
  [() => handed({ team_id: 4 }), 'Ana gave this to the team Second level'],
  [
    () => said('ticket.assigned', { changes: { assigned_to: { from: 7, to: null } }, is_away: true }, { type: 'desk' }),
    'Ben is away: this is back with the team',
  ],
  [() => handed({ team_id: null }), 'Ana took this from its team'],
  [() => handed({ team_id: 4, assigned_to: 7 }), 'Ana gave this to the team Second level and assigned it to Ben'],
  [
    () => handed({ team_id: 4, assigned_to: null }),
    'Ana gave this to the team Second level · Ana removed the assignee',
  ],
  [
    () => handed({ team_id: 4 }, { not_assigned: 'all_away' }),
    'Ana gave this to the team Second level · Everyone in the team is away',
  ],
  [() => said('ticket.updated', { team: 4, not_assigned: 'all_busy' }), 'Everyone in the team has enough open tickets'],
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
  [
    () => said('ticket.rated', { changes: { satisfaction: { from: null, to: 'bad' } } }),
    'Ana rated the help as not good',
  ],
  [
    () => said('ticket.rated', { changes: { satisfaction: { from: 'bad', to: 'good' } } }),
    'Ana rated the help as good',
  ],
  [() => said('ticket.access_token_replaced', {}), 'Ana replaced the customer’s access token'],
  [() => said('ticket.participants_changed', { back: [{ email: 'bo@x.example', name: 'Bo' }] }), 'Ana brought Bo back'],
  [
    () => said('ticket.participants_changed', { paused: [{ email: 'bo@x.example', name: null }] }, { type: 'mail' }),
    'Mail to bo@x.example came back: paused',
  ],
  [() => said('ticket.participants_changed', { left_out: 470 }), 'There was no room for 470 more people'],
  [
    () => said('ticket.participants_changed', { added: [{ email: 'bo@x.example', name: null }], left_out: 1 }),
    'Ana added bo@x.example · There was no room for 1 more person',
  ],
  [() => updated({ is_spam: [false, true] }), 'Ana marked this as spam'],
  [() => updated({ first_response_due_at: [1, 2], resolution_due_at: [1, 2] }), 'Ana moved the deadlines'],
  [() => updated({ something_new: [1, 2] }), 'Ana changed the ticket'],
  [() => said('ticket.something_new', {}), 'Ana changed the ticket'],
  [() => said('ticket.sla_breached', { sla_type: 'resolution' }, { type: 'scan' }), 'The resolution is overdue'],
  [
    () => said('ticket.sla_warning', { sla_type: 'first_response' }, { type: 'scan' }),
    'The first response is due soon',
  ],
  [() => scanned('infected', 'Test.Virus'), 'photo.png is infected (Test.Virus) and blocked'],
  [() => scanned('infected', 'Test.Virus', 'removed'), 'A file is infected (Test.Virus) and blocked'],
  [() => scanned('clean'), 'photo.png was checked: no virus'],
  [() => scanned('unchecked'), 'photo.png was not checked for viruses'],
  [() => scanned('waiting'), 'photo.png waits to be checked for viruses'],
  [() => said('ticket.attachment_added', {}, { type: 'author', id: 1, name: null }), 'The customer added a file'],
  [
    () => said('ticket.updated', { rule_skipped: 'why' }, { type: 'rule', name: 'VIP' }),
    'The rule “VIP” skipped rules that were too slow, failed or reached a limit',
  ],
  [
    () =>
      said(
        'ticket.status_changed',
        {
          new_status: 'closed',
          rule: { because: [{ field: 'subject', operator: 'contains', value: 'save', negate: false }] },
        },
        { type: 'rule', name: 'VIP' },
      ),
    'The rule “VIP” set status to ‹closed› because subject contains “save”',
  ],
  [
    () => said('ticket.updated', { did: { type: 'mail', to: ['ada@example.com'] } }, { type: 'rule', name: 'VIP' }),
    'The rule “VIP” mailed ada@example.com',
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
