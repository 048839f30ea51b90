// Macros of agents.

import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { MacroChanges } from '../../domain/input/macros.ts';
import type { MacroFormat } from '../../domain/tickets/macro.ts';
import { createdAt, flag, id, json, version } from './columns.ts';

export const macros = sqliteTable('macros', {
  id: id(),
  siteId: integer('site_id'),
  agentId: integer('agent_id'),
  name: text('name').notNull(),
  body: text('body').notNull(),
  bodyFormat: text('body_format').$type<MacroFormat>().notNull(),
  changes: json('changes').$type<MacroChanges>().notNull(),
  isShared: flag('is_shared').notNull(),
  position: integer('position').notNull(),
  version: version(),
  createdAt: createdAt(),
  updatedAt: integer('updated_at').notNull(),
});
