// Customers' links to tickets, the visits that they open, and proofs of addresses.

import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { StoredActor } from '../../domain/actor.ts';
import type { CustomerLinkKind } from '../../domain/customers/link.ts';
import { createdAt, flag, id, json, siteId } from './columns.ts';

export const customerLinks = sqliteTable('customer_links', {
  id: id(),
  ulid: text('ulid').notNull(),
  siteId: siteId(),
  ticketId: integer('ticket_id').notNull(),
  address: text('address').notNull(),
  kind: text('kind').$type<CustomerLinkKind>().notNull(),
  deliveryId: integer('delivery_id'),
  messageId: integer('message_id'),
  tokenHash: text('token_hash').notNull(),
  createdAt: createdAt(),
  lastUsedAt: integer('last_used_at'),
  uses: integer('uses').notNull(),
  revokedAt: integer('revoked_at'),
  revokedBy: json('revoked_by').$type<StoredActor | null>(),
});

export const customerVisits = sqliteTable('customer_visits', {
  id: id(),
  siteId: siteId(),
  linkId: integer('link_id').notNull(),
  tokenHash: text('token_hash').notNull(),
  createdAt: createdAt(),
  expiresAt: integer('expires_at').notNull(),
});

export const customerProofs = sqliteTable('customer_proofs', {
  id: id(),
  siteId: siteId(),
  address: text('address').notNull(),
  browserHash: text('browser_hash').notNull(),
  provenAt: integer('proven_at').notNull(),
});

export const customerLists = sqliteTable('customer_lists', {
  id: id(),
  siteId: siteId(),
  address: text('address').notNull(),
  tokenHash: text('token_hash').notNull(),
  createdAt: createdAt(),
  provenAt: integer('proven_at'),
  expiresAt: integer('expires_at').notNull(),
});

export const customerCodes = sqliteTable('customer_codes', {
  id: id(),
  ulid: text('ulid').notNull(),
  siteId: siteId(),
  address: text('address').notNull(),
  askerHash: text('asker_hash').notNull(),
  attempts: integer('attempts').notNull(),
  createdAt: createdAt(),
  expiresAt: integer('expires_at').notNull(),
  isByLink: flag('is_by_link').notNull(),
  digits: integer('digits').notNull(),
  networkHash: text('network_hash').notNull(),
});
