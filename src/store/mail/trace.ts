// Finding the mails of someone, or with a subject or Message-ID, among those that came and those that left.

import type { Instant } from '../../base/clock.ts';
import type { Scope } from '../../domain/actor.ts';
import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';
import { isOfSites, sitesIn } from '../scope.ts';
import { sentMail } from './threads.ts';

/** So many of the newest rows are read for words in them: no index has these. */
const mostSearched = 5_000;

interface Wanted {
  sites: Scope;
  text: string;
  /** With angle brackets. Null: it cannot be one. */
  messageId: string | null;
  address: string | null;
}

/** Letters beyond ASCII are found as they are written. */
const pattern = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

function withWords(tx: Tx, from: string, columns: string[], { sites, text }: Wanted, limit: number): number[] {
  const ofSites = isOfSites(sites);
  const scope = ofSites === null ? '' : `AND site_id IN (${ofSites.values.join(', ') || 'NULL'})`;
  return query<{ id: number }>(
    tx,
    `SELECT id FROM (${from} ORDER BY id DESC LIMIT ${mostSearched}) WHERE concat_ws(char(10), ${columns}) LIKE ?1 ESCAPE '\\' ${scope} ORDER BY id DESC LIMIT ?2`,
  )
    .all(pattern(text), limit)
    .map(({ id }) => id);
}

const bySender = statement(
  `SELECT id FROM inbound_mail INDEXED BY inbound_mail_by_sender WHERE site_id = ? AND sender = ?
   ORDER BY received_at DESC LIMIT ?`,
).column<number, [siteId: number, sender: string, limit: number]>;

const byMessageId = statement(
  `SELECT id FROM inbound_mail INDEXED BY inbound_mail_by_message_id WHERE site_id = ? AND mail_message_id = ?
   ORDER BY id DESC LIMIT ?`,
).column<number, [siteId: number, messageId: string, limit: number]>;

/** Newest first. */
export function arrivedMails(tx: Tx, wanted: Wanted, limit: number): number[] {
  const { sites, messageId, address } = wanted;
  const exact = sitesIn(tx, sites).flatMap((site) => [
    ...(messageId === null ? [] : byMessageId(tx, site, messageId, limit)),
    ...(address === null ? [] : bySender(tx, site, address, limit)),
  ]);
  const columns = ['sender', 'recipient', 'subject', 'mail_message_id'];
  const words = withWords(tx, `SELECT id, site_id, ${columns} FROM inbound_mail`, columns, wanted, limit);
  return [...new Set([...exact, ...words])].sort((one, other) => other - one).slice(0, limit);
}

/** Newest first. */
export function leftMails(tx: Tx, wanted: Wanted, limit: number): number[] {
  const { sites, messageId } = wanted;
  const sent = messageId === null ? undefined : sentMail(tx, messageId);
  const isSeen = sent !== undefined && (sites === 'all' || sites.includes(sent.siteId));
  const from = `SELECT deliveries.id AS id, deliveries.site_id AS site_id, recipient, deliveries.mail_message_id AS mail_message_id,
      coalesce(tickets.subject, payload ->> 'subject') AS subject
    FROM deliveries LEFT JOIN tickets ON tickets.id = ticket_id WHERE channel_id IS NULL AND push_subscription_id IS NULL`;
  const words = withWords(tx, from, ['recipient', 'mail_message_id', 'subject'], wanted, limit);
  return [...new Set([...(isSeen ? [sent.id] : []), ...words])].sort((one, other) => other - one).slice(0, limit);
}

/** Where the desk saw a mail of a mailbox. */
export const seenAs = statement(
  `SELECT folder, uid, is_pending AS isPending, seen_at AS seenAt FROM mailbox_messages
   INDEXED BY mailbox_messages_by_inbound WHERE inbound_id = ? LIMIT 1`,
).get<{ folder: string; uid: number; isPending: number; seenAt: Instant }, [inboundId: number]>;
