// The kinds of columns that several tables have.

import { customType, integer } from 'drizzle-orm/sqlite-core';

// With placeholders, drizzle's own JSON and boolean columns write null as 'null' and 0.
export const json = customType<{ data: unknown; driverData: string | null }>({
  dataType: () => 'text',
  toDriver: (value) => (value === null || value === undefined ? null : JSON.stringify(value)),
  fromDriver: (value) => (value === null ? null : JSON.parse(value)),
});

export const flag = customType<{ data: boolean; driverData: number | null }>({
  dataType: () => 'integer',
  toDriver: (value) => (value === null || value === undefined ? null : value ? 1 : 0),
  fromDriver: (value) => value === 1,
});

export const nullableFlag = customType<{ data: boolean | null; driverData: number | null }>({
  dataType: () => 'integer',
  toDriver: (value) => (value === null ? null : value ? 1 : 0),
  fromDriver: (value) => (value === null ? null : value === 1),
});

export const id = () => integer('id').primaryKey({ autoIncrement: true });

export const siteId = () => integer('site_id').notNull();

export const agentId = () => integer('agent_id').notNull();

export const version = () => integer('version').notNull();

export const createdAt = () => integer('created_at').notNull();
