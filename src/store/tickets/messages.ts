// Messages and attachments of tickets.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../domain/instant.ts';
import { truncate } from '../../domain/text.ts';
import type { BodyFormat } from '../../domain/tickets/ticket.ts';
import { query, type Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement, updateById } from '../../engine/statements.ts';
import { attachments, messages } from '../schema/tickets.ts';

export type Message = InferSelectModel<typeof messages>;
export type Attachment = InferSelectModel<typeof attachments>;

const insertMessageRow = insertInto(messages);
const insertAttachmentRow = insertInto(attachments);
export const updateMessage = updateById(messages);
export const updateAttachment = updateById(attachments);

type Later = 'linkId' | 'isConfirmed' | 'editedAt' | 'recipients' | 'senderId' | 'inboundId';
type NewMessage = Omit<Message, 'id' | Later> & Partial<Pick<Message, Later>>;

const withoutLater = {
  linkId: null,
  isConfirmed: null,
  editedAt: null,
  recipients: null,
  senderId: null,
  inboundId: null,
};

export function insertMessage(tx: Tx, given: NewMessage): Message {
  const row = { ...withoutLater, ...given };
  return { ...row, id: insertMessageRow(tx, row) };
}

export const messageById = selectFrom(messages, 'WHERE id = ?').get<[id: number]>;

export const messagesOfTicket = selectFrom(messages, 'WHERE ticket_id = ? ORDER BY id').all<[ticketId: number]>;

const mostInSlice = 200;
const within = selectFrom(messages, 'WHERE ticket_id = ? AND id > ? AND id <= ? AND is_internal <= ? ORDER BY id');

/** The next ones, of about so many bytes: at least one if there are any. */
export function nextMessages(
  tx: Tx,
  ticketId: number,
  { after, upTo, isPublic }: { after: number; upTo: number; isPublic: boolean },
  bytes: number,
): { messages: Message[]; isLast: boolean } {
  const mostInternal = isPublic ? 0 : 1;
  const sizes = query<{ id: number; bytes: number }>(
    tx,
    `SELECT id, octet_length(body) + coalesce(octet_length(html), 0) + coalesce(octet_length(whole_body), 0) AS bytes
     FROM messages WHERE ticket_id = ? AND id > ? AND id <= ? AND is_internal <= ? ORDER BY id LIMIT ${mostInSlice}`,
  ).all(ticketId, after, upTo, mostInternal);
  let total = 0;
  const fitting = sizes.filter((one, at) => {
    total += one.bytes;
    return at === 0 || total <= bytes;
  });
  const last = fitting.at(-1);
  if (last === undefined) return { messages: [], isLast: true };
  return {
    messages: within.all(tx, ticketId, after, last.id, mostInternal),
    isLast: fitting.length === sizes.length && sizes.length < mostInSlice,
  };
}

export function publicMessagesBefore(
  tx: Tx,
  ticketId: number,
  before: number,
  most: { messages: number; characters: number },
): { messages: Message[]; hasEarlier: boolean } {
  const sizes = query<{ id: number; characters: number }>(
    tx,
    `SELECT id, length(iif(body_format = 'markdown', coalesce(html, body), body)) AS characters
     FROM messages WHERE ticket_id = ? AND id < ? AND is_internal = 0 ORDER BY id DESC LIMIT ?`,
  ).all(ticketId, before, most.messages + 1);
  let total = 0;
  const shown = sizes.slice(0, most.messages).filter((one, at) => {
    total += one.characters;
    return at === 0 || total <= most.characters;
  });
  const [newest, oldest] = [shown[0], shown.at(-1)];
  if (newest === undefined || oldest === undefined) return { messages: [], hasEarlier: false };
  return {
    messages: within.all(tx, ticketId, oldest.id - 1, newest.id, 0),
    hasEarlier: sizes.length > shown.length,
  };
}

const customersBefore = selectFrom(
  messages,
  `WHERE ticket_id = ? AND id < ? AND is_internal = 0 AND is_agent = 0 AND EXISTS (SELECT 1 FROM authors
     WHERE authors.id = author_id AND lower(email) IN (SELECT value FROM json_each(?))) ORDER BY id DESC LIMIT 1`,
);

/** The newest of one of these addresses. */
export function customerMessageBefore(
  tx: Tx,
  { ticketId, id }: Message,
  addresses: readonly string[],
): Message | undefined {
  return customersBefore.get(tx, ticketId, id, addresses);
}

export const newestMessageId = statement('SELECT max(id) AS id FROM messages WHERE ticket_id = ?').number<
  [ticketId: number]
>;

export type MessageOutline = Pick<
  Message,
  'id' | 'ulid' | 'authorId' | 'isAgent' | 'isInternal' | 'source' | 'createdAt'
>;

export function outlineOfTicket(tx: Tx, ticketId: number): MessageOutline[] {
  type Row = Omit<MessageOutline, 'isAgent' | 'isInternal'> & { isAgent: number; isInternal: number };
  return query<Row>(
    tx,
    `SELECT id, ulid, author_id AS authorId, is_agent AS isAgent, is_internal AS isInternal, source, created_at AS createdAt
     FROM messages WHERE ticket_id = ? ORDER BY id`,
  )
    .all(ticketId)
    .map((row) => ({ ...row, isAgent: row.isAgent === 1, isInternal: row.isInternal === 1 }));
}

const mostBytesPerCharacter = 3;

/** The newest ones, with at least so many characters if there are as many. Without HTML and folded history, which can be far longer. */
export function bodiesOfTicket(tx: Tx, ticketId: number, characters: number): string[] {
  return query<{ body: string }>(
    tx,
    `SELECT body FROM messages WHERE ticket_id = ?1 AND id >= (
       SELECT min(id) FROM (
         SELECT id, sum(octet_length(body)) OVER (ORDER BY id DESC) - octet_length(body) AS newer
         FROM messages WHERE ticket_id = ?1
       ) WHERE newer < ?2
     ) ORDER BY id`,
  )
    .all(ticketId, characters * mostBytesPerCharacter)
    .map(({ body }) => body);
}

// More than a line of a list shows, and little of a long message.
const beginning = 400;

export interface BodyText {
  text: string;
  format: BodyFormat;
}

/** Of all messages of a ticket, as `newestPublicTexts` finds it. */
export function newestPublicText(messages: readonly Message[]): BodyText | undefined {
  const newest = messages.findLast(({ isInternal }) => !isInternal);
  return newest && { text: truncate(newest.body, beginning), format: newest.bodyFormat };
}

export function newestPublicTexts(tx: Tx, ticketIds: readonly number[]): Map<number, BodyText> {
  const rows = query<{ ticketId: number; text: string; format: BodyFormat }>(
    tx,
    `SELECT ticket_id AS ticketId, substr(body, 1, ${beginning}) AS text, body_format AS format FROM messages WHERE id IN (
       SELECT (SELECT id FROM messages INDEXED BY messages_by_ticket
               WHERE ticket_id = value AND is_internal = 0 ORDER BY id DESC LIMIT 1)
       FROM json_each(?))`,
  ).all(JSON.stringify(ticketIds));
  return new Map(rows.map(({ ticketId, ...found }) => [ticketId, found]));
}

interface Searched {
  characters: number;
  isPublic: boolean;
}

// Of most tickets these are all.
const fewMessages = 4;

/** Of each ticket the newest messages first, each from its beginning, until there are so many characters: at least one if there is any. */
export function newestTexts(tx: Tx, ticketIds: readonly number[], searched: Searched): Map<number, BodyText[]> {
  const { characters, isPublic } = searched;
  const rows = query<BodyText & { ticketId: number; bytes: number }>(
    tx,
    `SELECT ticket_id AS ticketId, substr(body, 1, ?2) AS text, min(octet_length(body), ?2) AS bytes, body_format AS format
     FROM json_each(?1) AS asked CROSS JOIN messages ON messages.id IN (
       SELECT own.id FROM messages AS own INDEXED BY messages_by_ticket
       WHERE own.ticket_id = asked.value AND own.is_internal <= ?3 ORDER BY own.id DESC LIMIT ${fewMessages})
     ORDER BY messages.id DESC`,
  ).all(JSON.stringify(ticketIds), characters, isPublic ? 0 : 1);
  const known = Map.groupBy(rows, ({ ticketId }) => ticketId);
  return new Map(
    ticketIds.map((id) => {
      const newest = known.get(id) ?? [];
      let total = 0;
      const within = newest.filter(({ bytes }) => {
        total += bytes;
        return total - bytes < characters;
      });
      const mayHaveMore = newest.length === fewMessages && total < characters;
      return [id, mayHaveMore ? newestTextsOf(tx, id, searched) : within];
    }),
  );
}

function newestTextsOf(tx: Tx, ticketId: number, { characters, isPublic }: Searched): BodyText[] {
  return query<BodyText>(
    tx,
    `SELECT substr(body, 1, ?1) AS text, body_format AS format FROM messages WHERE id IN (
       SELECT id FROM (
         SELECT id, sum(bytes) OVER (ORDER BY id DESC) - bytes AS newer FROM (
           SELECT id, min(octet_length(body), ?1) AS bytes FROM messages INDEXED BY messages_by_ticket
           WHERE ticket_id = ?2 AND is_internal <= ?3 ORDER BY id DESC LIMIT ${mostInSlice}
         )
       ) WHERE newer < ?1
     ) ORDER BY id DESC`,
  ).all(characters, ticketId, isPublic ? 0 : 1);
}

export const mailBytesOfTicket = statement(
  'SELECT sum(coalesce(octet_length(html), 0) + coalesce(octet_length(whole_body), 0)) AS bytes FROM messages WHERE ticket_id = ?',
).number<[ticketId: number]>;

export function firstCustomerMessageAt(tx: Tx, ticketId: number): number | null {
  return firstOfCustomer(tx, ticketId)?.at ?? null;
}

const firstOfCustomer = statement(
  'SELECT min(created_at) AS at FROM messages WHERE ticket_id = ? AND is_internal = 0 AND is_agent = 0',
).get<{ at: number | null }, [ticketId: number]>;

/** What a ticket's columns say of its messages. */
export function countsOfMessages(
  tx: Tx,
  ticketId: number,
): { messageCount: number; lastCustomerMessageAt: number | null; lastAgentMessageAt: number | null } {
  const row = counts(tx, ticketId);
  return row ?? { messageCount: 0, lastCustomerMessageAt: null, lastAgentMessageAt: null };
}

const counts = statement(`SELECT count(*) AS messageCount,
    max(created_at) FILTER (WHERE is_agent = 0 AND is_internal = 0) AS lastCustomerMessageAt,
    max(created_at) FILTER (WHERE is_agent = 1 AND is_internal = 0) AS lastAgentMessageAt
  FROM messages WHERE ticket_id = ?`).get<ReturnType<typeof countsOfMessages>, [ticketId: number]>;

/** With their attachments. */
export function moveMessagesTo(tx: Tx, ids: readonly number[], toTicketId: number): void {
  const wanted = JSON.stringify(ids);
  query(tx, 'UPDATE messages SET ticket_id = ? WHERE id IN (SELECT value FROM json_each(?))').run(toTicketId, wanted);
  query(tx, 'UPDATE attachments SET ticket_id = ? WHERE message_id IN (SELECT value FROM json_each(?))').run(
    toTicketId,
    wanted,
  );
}

const uploads = selectFrom(
  attachments,
  `WHERE ticket_id = ? AND message_id IS ? AND scheduled_reply_id IS NULL AND is_agent = ? AND agent_id IS ?
   AND sha256 = ? AND filename = ? AND created_at > ? ORDER BY id`,
);

type Upload = Pick<Attachment, 'ticketId' | 'messageId' | 'isAgent' | 'agentId' | 'sha256' | 'filename'>;

export function sameUpload(tx: Tx, upload: Upload, since: number): Attachment | undefined {
  const { ticketId, messageId, isAgent, agentId, sha256, filename } = upload;
  return uploads.get(tx, ticketId, messageId, Number(isAgent), agentId, sha256, filename, since);
}

type Unset = 'scheduledReplyId' | 'agentId' | 'scanStatus' | 'scanFound' | 'scanNextAt';
type NewAttachment = Omit<Attachment, 'id' | Unset> & Partial<Pick<Attachment, Unset>>;

export function insertAttachment(tx: Tx, given: NewAttachment): Attachment {
  const unset = { scheduledReplyId: null, agentId: null, scanStatus: null, scanFound: null, scanNextAt: null };
  const row = { ...unset, ...given };
  return { ...row, id: insertAttachmentRow(tx, row) };
}

export const attachmentsOfTicket = selectFrom(attachments, 'WHERE ticket_id = ? ORDER BY id').all<[ticketId: number]>;

export const publicAttachmentsOf = selectFrom(attachments, 'WHERE ticket_id = ? AND is_internal = 0 ORDER BY id').all<
  [ticketId: number]
>;

/** Of what customers can see; of scanned files with what the scanner said. */
export function publicIdsOf(tx: Tx, ticketId: number): { messages: number[]; attachments: (number | string)[] } {
  const idsIn = <Id>(table: 'messages' | 'attachments', name: string) =>
    query<{ id: Id }>(tx, `SELECT ${name} AS id FROM ${table} WHERE ticket_id = ? AND is_internal = 0 ORDER BY id`)
      .all(ticketId)
      .map(({ id }) => id);
  return {
    messages: idsIn<number>('messages', 'id'),
    attachments: idsIn<number | string>('attachments', "iif(scan_status IS NULL, id, id || ' ' || scan_status)"),
  };
}

export const attachmentByUlid = selectFrom(attachments, 'WHERE ulid = ?').get<[ulid: string]>;

const erasure = statement(`SELECT max(anonymised_at) AS at FROM authors WHERE id IN (
    (SELECT author_id FROM tickets WHERE id = ?), (SELECT author_id FROM messages WHERE id = ?))`).get<
  { at: Instant | null },
  [ticketId: number, messageId: number | null]
>;

/** When the customer of its ticket, or the writer of its message, was erased last. */
export const erasedAtOf = (tx: Tx, { ticketId, messageId }: Attachment) => erasure(tx, ticketId, messageId)?.at ?? null;

export const attachmentsByIds = selectFrom(
  attachments,
  'WHERE ticket_id = ? AND id IN (SELECT value FROM json_each(?))',
).all<[ticketId: number, ids: readonly number[]]>;

export const attachmentsOfScheduledReply = selectFrom(attachments, 'WHERE scheduled_reply_id = ? ORDER BY id').all<
  [id: number]
>;

export function isLoose({ messageId, scheduledReplyId }: Attachment): boolean {
  return messageId === null && scheduledReplyId === null;
}

export const hasPublicMessageAfter = statement(
  'SELECT 1 FROM messages WHERE ticket_id = ? AND id > ? AND is_internal = 0 AND agent_id IS NOT ? LIMIT 1',
).has<[ticketId: number, id: number, exceptAgentId: number]>;

export const hasPublicMessageSince = statement(
  'SELECT 1 FROM messages WHERE ticket_id = ? AND created_at > ? AND is_internal = 0 AND agent_id IS NOT ? LIMIT 1',
).has<[ticketId: number, since: number, exceptAgentId: number]>;

/** Also of those that wait for a ticket that is not opened yet. */
export function knownAttachments(tx: Tx, ulids: readonly string[]): Set<string> {
  const rows = query<{ ulid: string }>(
    tx,
    `WITH asked AS (SELECT value FROM json_each(?))
     SELECT ulid FROM attachments WHERE ulid IN asked UNION ALL SELECT ulid FROM draft_files WHERE ulid IN asked`,
  ).all(JSON.stringify(ulids));
  return new Set(rows.map(({ ulid }) => ulid));
}

/** By id, each with whether it is the first message that they wrote on a ticket of someone else. */
export function messagesByAuthor(
  tx: Tx,
  authorId: number,
  after: number,
  limit: number,
): { id: number; ticketId: number; isFirstElsewhere: boolean }[] {
  return query<{ id: number; ticketId: number; isFirstElsewhere: number }>(
    tx,
    `SELECT messages.id, ticket_id AS ticketId, tickets.author_id <> ?1 AND NOT EXISTS (
       SELECT 1 FROM messages AS earlier INDEXED BY messages_by_ticket
       WHERE earlier.ticket_id = messages.ticket_id AND earlier.id < messages.id AND earlier.author_id = ?1) AS isFirstElsewhere
     FROM messages INDEXED BY messages_by_author CROSS JOIN tickets ON tickets.id = ticket_id
     WHERE messages.author_id = ?1 AND messages.id > ?2 ORDER BY messages.id LIMIT ?3`,
  )
    .all(authorId, after, limit)
    .map((row) => ({ ...row, isFirstElsewhere: row.isFirstElsewhere === 1 }));
}

export const deleteAttachment = statement('DELETE FROM attachments WHERE id = ?').run<[id: number]>;

export function deleteMessage(tx: Tx, id: number): void {
  query(tx, 'DELETE FROM attachments WHERE message_id = ?').run(id);
  query(tx, 'DELETE FROM messages WHERE id = ?').run(id);
}

export const countAttachments = statement('SELECT count(*) AS total FROM attachments WHERE ticket_id = ?').number<
  [ticketId: number]
>;

export const messageByUlid = selectFrom(messages, 'WHERE ulid = ?').get<[ulid: string]>;

/** The agent who said the newest of what customers read; null if none did. */
export function lastAnswerer(tx: Tx, ticketId: number): number | null {
  return (
    query<{ agentId: number | null }>(
      tx,
      `SELECT agent_id AS agentId FROM messages WHERE ticket_id = ? AND is_agent = 1 AND is_internal = 0 AND is_automated = 0
         AND agent_id IS NOT NULL ORDER BY id DESC LIMIT 1`,
    ).get(ticketId)?.agentId ?? null
  );
}

/** The space that its files take, which triggers keep. */
export function bytesOfSite(tx: Tx, siteId: number): number {
  return query<{ bytes: number }>(tx, 'SELECT bytes FROM site_files WHERE site_id = ?').get(siteId)?.bytes ?? 0;
}
