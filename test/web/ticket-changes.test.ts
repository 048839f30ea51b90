// What a change shows before the desk answers, what takes it back, and what stays when a ticket is loaded again.

import { describe, expect, test } from 'bun:test';
import { keepUnchanged } from '../../src/web/console/tickets/cache.ts';
import { reasonOf } from '../../src/web/console/tickets/change.ts';
import { effectOf, type Known, leaves, type TicketChange, wayBack } from '../../src/web/console/tickets/effects.ts';
import '../../src/web/console/tickets/on-demand-refusals.ts';
import type { Message, Team, Ticket, TicketDetail } from '../../src/web/console/wire.ts';
import { messages } from '../../src/web/messages/console/de/on-demand.ts';
import { loadMessages } from '../../src/web/shared/messages.ts';

const normal = { id: 2, name: 'Normal' } as NonNullable<Ticket['priority']>;
const high = { id: 3, name: 'High' } as NonNullable<Ticket['priority']>;
const present = { is_available: true, away_until: null, away_note: null } as const;
const ben = { id: 7, name: 'Ben', email: 'ben@example.org', role: 'member', is_active: true, ...present } as const;
const known: Known = {
  agent: (id) => (id === 7 ? ben : undefined),
  team: (id) => (id === 4 ? ({ id: 4, name: 'Second level' } as Team) : undefined),
  category: () => undefined,
  priority: (id) => (id === 3 ? high : undefined),
};
const ticket = (change: Partial<Ticket> = {}) =>
  ({
    ulid: 'T1',
    subject: 'Before',
    status: 'open',
    tags: ['vip'],
    priority: normal,
    category: null,
    assignee: null,
    team: null,
    custom_fields: { order: '1' },
    snoozed_until: null,
    is_spam: false,
    ...change,
  }) as Ticket;
const later = '2030-01-01T09:00:00Z';

test.each<[TicketChange, Partial<Ticket>]>([
  [{ subject: 'After' }, { subject: 'After' }],
  [{ status: 'resolved' }, { status: 'resolved', snoozed_until: null }],
  [{ team_id: 4 }, { team: { id: 4, name: 'Second level' } }],
  [{ team_id: null }, { team: null }],
  [{ assigned_to: 7 }, { assignee: { id: 7, name: 'Ben', email: 'ben@example.org' } }],
  // Whom this page does not know, the desk shows.
  [{ assigned_to: 8 }, {}],
  [{ assigned_to: null }, { assignee: null }],
  [{ priority_id: 3 }, { priority: high }],
  [{ add_tags: ['vip', 'eu'] }, { tags: ['vip', 'eu'] }],
  [{ remove_tags: ['vip'] }, { tags: [] }],
  [{ tags: ['a'] }, { tags: ['a'] }],
  [{ custom_fields: { order: null, size: 'L' } }, { custom_fields: { size: 'L' } }],
  [{ snoozed_until: later }, { snoozed_until: later, status: 'pending' }],
  [{ snoozed_until: null }, { snoozed_until: null }],
  [{ is_spam: true }, { is_spam: true }],
])('%j shows %j at once', (change, effect) => {
  expect(effectOf(change, ticket(), known)).toEqual(effect);
});

test('waking up a ticket shows it as open', () => {
  const asleep = ticket({ status: 'pending', snoozed_until: later });
  expect(effectOf({ snoozed_until: null }, asleep, known)).toEqual({ snoozed_until: null, status: 'open' });
});

describe('the way back', () => {
  test.each<[TicketChange, Partial<Ticket>, TicketChange[] | null]>([
    [{ subject: 'After', assigned_to: 7 }, {}, [{ subject: 'Before', assigned_to: null }]],
    [{ priority_id: 3 }, {}, [{ priority_id: 2 }]],
    [{ add_tags: ['eu'] }, {}, [{ tags: ['vip'] }]],
    [{ custom_fields: { order: '2', size: 'L' } }, {}, [{ custom_fields: { order: '1', size: null } }]],
    [{ status: 'resolved' }, {}, [{ status: 'open' }]],
    // Nothing leads from resolved to pending.
    [
      { status: 'resolved', assigned_to: 7 },
      { status: 'pending' },
      [{ status: 'open' }, { assigned_to: null, status: 'pending' }],
    ],
    [{ status: 'open' }, { status: 'closed' }, [{ status: 'closed' }]],
    [{ snoozed_until: later }, {}, [{ status: 'open' }]],
    [{ snoozed_until: later }, { status: 'pending' }, [{ snoozed_until: null }, { status: 'pending' }]],
    [{ snoozed_until: null }, { status: 'pending', snoozed_until: later }, [{ snoozed_until: later }]],
    [{ status: 'open' }, { status: 'pending', snoozed_until: later }, [{ snoozed_until: later }]],
    [{ is_spam: true }, {}, [{ is_spam: false }]],
    [{ merge_into: 'T2' }, {}, [{ unmerge: true }]],
    [{ macro_id: 4 }, {}, null],
  ])('of %j on %j is %j', (change, before, steps) => {
    expect(wayBack(change, ticket(before))).toEqual(steps);
  });
});

test.each<[TicketChange, Partial<Ticket>, boolean]>([
  [{ status: 'resolved' }, { status: 'resolved' }, true],
  [{ status: 'resolved' }, { status: 'open' }, false],
  [{ assigned_to: 7 }, { assignee: ben, subject: 'Another one' }, true],
  [{ assigned_to: 7 }, { assignee: null }, false],
  [{ assigned_to: null, priority_id: 2 }, {}, true],
  [{ add_tags: ['eu'] }, { tags: ['eu', 'vip'] }, true],
  [{ add_tags: ['eu'] }, {}, false],
  [{ remove_tags: ['vip'] }, {}, false],
  [{ custom_fields: { order: '2' } }, { custom_fields: { order: 2, size: 'L' } }, true],
  [{ custom_fields: { order: '2' } }, {}, false],
  [{ snoozed_until: later }, { status: 'open' }, false],
])('after %j, a ticket with %j is as the change left it: %p', (change, now, isSo) => {
  expect(leaves(change, ticket(now))).toBe(isSo);
});

describe('a ticket that is loaded again', () => {
  const nowMs = Date.UTC(2030, 0, 1);
  const message = (change: Partial<Message> = {}) =>
    ({ ulid: 'M1', body: 'Hello', html: null, attachments: [], ...change }) as unknown as Message;
  const detail = (...messages: Message[]) => ({ messages, events: [] }) as unknown as TicketDetail;
  const file = (url: string, untilMs: number) =>
    ({ ulid: 'F1', url, url_expires_at: new Date(untilMs).toISOString() }) as Message['attachments'][number];

  test('keeps the messages that say the same', () => {
    const [same, other] = [message(), message({ ulid: 'M2' })];
    const kept = keepUnchanged(detail(same, other), detail(message(), message({ ulid: 'M2', body: 'New' })), nowMs);
    expect(kept.messages[0]).toBe(same);
    expect(kept.messages[1]).not.toBe(other);
    expect(kept.messages[1]?.body).toBe('New');
  });

  test('ignores new signatures, until the old links are about to end', () => {
    const html = (sign: string) => `<img src="/a?expires=1&signature=${sign}">`;
    const old = message({ html: html('a'), attachments: [file('/a?signature=a', nowMs + 600_000)] });
    const fresh = message({ html: html('b'), attachments: [file('/a?signature=b', nowMs + 900_000)] });
    expect(keepUnchanged(detail(old), detail(fresh), nowMs).messages[0]).toBe(old);
    expect(keepUnchanged(detail(old), detail(fresh), nowMs + 595_000).messages[0]).toBe(fresh);
  });
});

test('why a merge stays is said in the language of the reader, also of several together', async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await loadMessages('de');
  const said = (code: string) =>
    reasonOf({ code, message: 'In English.', fields: {}, status: 409, requestId: null, retryAfterSeconds: null });
  for (const code of ['not_merged', 'merge_final', 'author_erased']) expect(said(code)).toBe(messages.mergeFinal);
  expect(said('target_merged')).toBe(messages.targetMerged);
  expect(said('messages_split')).toBe(messages.messagesSplit);
});
