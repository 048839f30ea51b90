// Saved views of the ticket list.

import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ViewFilter } from '../../domain/lists/view.ts';
import type { Direction, TicketSort } from '../../domain/tickets/ticket.ts';
import { createdAt, flag, id, json } from './columns.ts';

export const views = sqliteTable('views', {
  id: id(),
  agentId: integer('agent_id'),
  name: text('name').notNull(),
  filter: json('filter').$type<ViewFilter>().notNull(),
  sort: text('sort').$type<TicketSort>().notNull(),
  direction: text('direction').$type<Direction>().notNull(),
  isShared: flag('is_shared').notNull(),
  siteIds: json('site_ids').$type<readonly number[]>(),
  createdAt: createdAt(),
});
