// For every column of a ticket: whether exports and imports carry it and the API shows it, or why not.

import { expect, test } from 'bun:test';
import { ticket as line } from '../../../src/domain/input/transfer-tickets.ts';
import { presentTicket } from '../../../src/http/wire/tickets/ticket.ts';
import { tickets } from '../../../src/store/schema/tickets.ts';
import type { Ticket } from '../../../src/store/tickets/tickets.ts';

// A new column needs an entry in one of these lists, or its name in the export and the API.
const notTransferred: Record<string, string> = {
  site_id: 'the import makes the site',
  priority_level: 'derived from the priority',
  sla_next_at: 'computed by the import',
  merged_into_id: 'has lines of its own, after all tickets',
  split_from_id: 'has lines of its own, after all tickets',
  message_count: 'counted by the import',
};
const notShown: Record<string, string> = {
  context: 'read on its own with a single ticket',
  access_token_hash: 'secret',
  first_response_target_minutes: 'shown by the SLA ledger',
  resolution_target_minutes: 'shown by the SLA ledger',
  first_response_paused_ms: 'shown by the SLA ledger',
  sla_next_at: 'internal to the scan',
  sla_policy_id: 'internal to the clocks',
  priority_level: 'part of the priority',
  version: 'the ETag',
};
const shownAs: Record<string, string> = {
  author_id: 'author',
  category_id: 'category',
  priority_id: 'priority',
  assignee_id: 'assignee',
  team_id: 'team',
  satisfaction_at: 'satisfaction',
  satisfaction_comment: 'satisfaction',
  merged_into_id: 'merged_into',
  split_from_id: 'split_from',
  resolution_paused_ms: 'sla_paused_minutes',
  first_response_from: 'awaits_author',
};

const columns = Object.values(tickets)
  .flatMap((column) => (typeof column === 'object' && column !== null && 'name' in column ? [String(column.name)] : []))
  .sort();

test('every column is exported and imported, or there is a reason why not', () => {
  const lines = Object.keys(line.shape).filter((key) => key !== 'type' && key !== 'followers');
  expect([...lines, ...Object.keys(notTransferred)].sort()).toEqual(columns);
});

test('every column is shown by the API, or there is a reason why not', () => {
  const nothing = () => undefined;
  const look = {
    extra: nothing,
    author: nothing,
    agent: nothing,
    team: nothing,
    category: nothing,
    priority: nothing,
    mergedInto: nothing,
    splitFrom: nothing,
    snippet: nothing,
    isUnread: nothing,
    hasDraft: nothing,
    following: nothing,
  };
  const row = Object.fromEntries(
    Object.keys(tickets).map((key) => [key, key === 'metadata' ? {} : 0]),
  ) as never as Ticket;
  const shown = Object.keys(presentTicket(row, look as never));
  const hidden = columns.filter((column) => !shown.includes(shownAs[column] ?? column));
  expect(hidden).toEqual(Object.keys(notShown).sort());
});
