// What reports count, and saved reports.

import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ViewFilter } from '../../domain/lists/view.ts';
import type { FactKind } from '../../domain/reports/facts.ts';
import type { ReportName } from '../../domain/reports/metrics.ts';
import type { ReportSchedule } from '../../domain/reports/schedule.ts';
import { agentId, createdAt, flag, id, json, siteId } from './columns.ts';

export const reportFacts = sqliteTable(
  'report_facts',
  {
    ticketId: integer('ticket_id').notNull(),
    kind: text('kind').$type<FactKind>().notNull(),
    number: integer('number').notNull(),
    siteId: siteId(),
    at: integer('at').notNull(),
    untilAt: integer('until_at'),
    ticketCreatedAt: integer('ticket_created_at').notNull(),
    agentId: integer('agent_id'),
    calendarMs: integer('calendar_ms'),
    workingMs: integer('working_ms'),
    amount: integer('amount'),
    isLast: flag('is_last').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ticketId, table.kind, table.number] })],
);

export const savedReports = sqliteTable('saved_reports', {
  id: id(),
  agentId: integer('agent_id'),
  name: text('name').notNull(),
  report: text('report').$type<ReportName>().notNull(),
  query: json('query').$type<ViewFilter>().notNull(),
  isShared: flag('is_shared').notNull(),
  siteIds: json('site_ids').$type<readonly number[]>(),
  schedule: json('schedule').$type<ReportSchedule>(),
  nextAt: integer('next_at'),
  createdAt: createdAt(),
});

export const reportReaders = sqliteTable(
  'report_readers',
  { reportId: integer('report_id').notNull(), agentId: agentId() },
  (table) => [primaryKey({ columns: [table.reportId, table.agentId] })],
);

export const boardLinks = sqliteTable('board_links', {
  id: id(),
  name: text('name').notNull(),
  agentId: integer('agent_id'),
  siteIds: json('site_ids').$type<readonly number[]>(),
  secretHash: text('secret_hash').notNull(),
  createdAt: createdAt(),
});
