// Messages and attachments of tickets.

import { and, eq, type InferSelectModel, inArray, sql } from 'drizzle-orm';
import type { BodyFormat } from '../domain/ticket.ts';
import { query, statement, type Tx } from './database.ts';
import { attachments, messages } from './schema/tickets.ts';
import { insertInto, selectFrom, updateById } from './statements.ts';

export type Message = InferSelectModel<typeof messages>;
export type Attachment = InferSelectModel<typeof attachments>;

const insertMessageRow = insertInto(messages);
const insertAttachmentRow = insertInto(attachments);
export const updateMessage = updateById(messages);
export const updateAttachment = updateById(attachments);

const ofTicket = selectFrom(messages, 'WHERE ticket_id = ? ORDER BY id');
const publicAttachments = selectFrom(attachments, 'WHERE ticket_id = ? AND is_internal = 0 ORDER BY id');
const attachmentsOf = selectFrom(attachments, 'WHERE ticket_id = ? ORDER BY id');
const byId = statement((db) =>
  db
    .select()
    .from(messages)
    .where(eq(messages.id, sql.placeholder('id')))
    .prepare(),
);
const attachmentUlid = statement((db) =>
  db
    .select()
    .from(attachments)
    .where(eq(attachments.ulid, sql.placeholder('ulid')))
    .prepare(),
);

type Later = 'linkId' | 'isConfirmed' | 'editedAt';
type NewMessage = Omit<Message, 'id' | Later> & Partial<Pick<Message, Later>>;

export function insertMessage(tx: Tx, given: NewMessage): Message {
  const row = { linkId: null, isConfirmed: null, editedAt: null, ...given };
  return { ...row, id: insertMessageRow(tx, row) };
}

export function messageById(tx: Tx, id: number): Message | undefined {
  return byId(tx).get({ id });
}

export function messagesOfTicket(tx: Tx, ticketId: number): Message[] {
  return ofTicket.all(tx, ticketId);
}

interface MessageRange {
  after: number;
  upTo: number;
  isPublic: boolean;
}

const mostInSlice = 200;
const within = selectFrom(messages, 'WHERE ticket_id = ? AND id > ? AND id <= ? AND is_internal <= ? ORDER BY id');

/** The next ones, of about so many bytes: at least one if there are any. */
export function nextMessages(
  tx: Tx,
  ticketId: number,
  { after, upTo, isPublic }: MessageRange,
  bytes: number,
): Message[] {
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
  return last === undefined ? [] : within.all(tx, ticketId, after, last.id, mostInternal);
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

const firstPublic = selectFrom(messages, 'WHERE ticket_id = ? AND is_internal = 0 ORDER BY id LIMIT 1');
const customersBefore = selectFrom(
  messages,
  'WHERE ticket_id = ? AND id < ? AND is_internal = 0 AND is_agent = 0 ORDER BY id DESC LIMIT 1',
);

export function firstPublicMessage(tx: Tx, ticketId: number): Message | undefined {
  return firstPublic.get(tx, ticketId);
}

export function customerMessageBefore(tx: Tx, { ticketId, id }: Message): Message | undefined {
  return customersBefore.get(tx, ticketId, id);
}

export function newestMessageId(tx: Tx, ticketId: number): number {
  return (
    query<{ id: number | null }>(tx, 'SELECT max(id) AS id FROM messages WHERE ticket_id = ?').get(ticketId)?.id ?? 0
  );
}

export type MessageOutline = Pick<
  Message,
  'id' | 'ulid' | 'authorId' | 'isAgent' | 'isInternal' | 'source' | 'createdAt'
>;

const outline = statement((db) => {
  const { id, ulid, authorId, isAgent, isInternal, source, createdAt } = messages;
  return db
    .select({ id, ulid, authorId, isAgent, isInternal, source, createdAt })
    .from(messages)
    .where(eq(messages.ticketId, sql.placeholder('ticketId')))
    .orderBy(id)
    .prepare();
});

export function outlineOfTicket(tx: Tx, ticketId: number): MessageOutline[] {
  return outline(tx).all({ ticketId });
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

export function newestPublicTexts(
  tx: Tx,
  ticketIds: readonly number[],
): Map<number, { text: string; format: BodyFormat }> {
  const rows = query<{ ticketId: number; text: string; format: BodyFormat }>(
    tx,
    `SELECT ticket_id AS ticketId, substr(body, 1, ${beginning}) AS text, body_format AS format FROM messages WHERE id IN (
       SELECT (SELECT id FROM messages INDEXED BY messages_by_ticket
               WHERE ticket_id = value AND is_internal = 0 ORDER BY id DESC LIMIT 1)
       FROM json_each(?))`,
  ).all(JSON.stringify(ticketIds));
  return new Map(rows.map(({ ticketId, ...found }) => [ticketId, found]));
}

/** The newest messages first, each from its beginning, until there are so many characters. Yields at least one if there is any. */
export function newestTexts(
  tx: Tx,
  ticketId: number,
  { characters, isPublic }: { characters: number; isPublic: boolean },
): { text: string; format: BodyFormat }[] {
  return query<{ text: string; format: BodyFormat }>(
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

export function mailBytesOfTicket(tx: Tx, ticketId: number): number {
  return (
    query<{ bytes: number | null }>(
      tx,
      'SELECT sum(coalesce(octet_length(html), 0) + coalesce(octet_length(whole_body), 0)) AS bytes FROM messages WHERE ticket_id = ?',
    ).get(ticketId)?.bytes ?? 0
  );
}

export function moveMessages(tx: Tx, fromTicketId: number, toTicketId: number): void {
  tx.db.update(messages).set({ ticketId: toTicketId }).where(eq(messages.ticketId, fromTicketId)).run();
}

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

type NewAttachment = Omit<Attachment, 'id' | 'scheduledReplyId' | 'agentId'> &
  Partial<Pick<Attachment, 'scheduledReplyId' | 'agentId'>>;

export function insertAttachment(tx: Tx, given: NewAttachment): Attachment {
  const row = { scheduledReplyId: null, agentId: null, ...given };
  return { ...row, id: insertAttachmentRow(tx, row) };
}

export function attachmentsOfTicket(tx: Tx, ticketId: number): Attachment[] {
  return attachmentsOf.all(tx, ticketId);
}

export function publicAttachmentsOf(tx: Tx, ticketId: number): Attachment[] {
  return publicAttachments.all(tx, ticketId);
}

/** Of what customers can see. */
export function publicIdsOf(tx: Tx, ticketId: number): { messages: number[]; attachments: number[] } {
  const idsIn = (table: 'messages' | 'attachments') =>
    query<{ id: number }>(tx, `SELECT id FROM ${table} WHERE ticket_id = ? AND is_internal = 0 ORDER BY id`)
      .all(ticketId)
      .map(({ id }) => id);
  return { messages: idsIn('messages'), attachments: idsIn('attachments') };
}

export function attachmentByUlid(tx: Tx, ulid: string): Attachment | undefined {
  return attachmentUlid(tx).get({ ulid });
}

export function attachmentsByIds(tx: Tx, ticketId: number, ids: readonly number[]): Attachment[] {
  return tx.db
    .select()
    .from(attachments)
    .where(and(eq(attachments.ticketId, ticketId), inArray(attachments.id, [...ids])))
    .all();
}

export function moveAttachments(tx: Tx, fromTicketId: number, toTicketId: number): void {
  tx.db.update(attachments).set({ ticketId: toTicketId }).where(eq(attachments.ticketId, fromTicketId)).run();
}

const ofScheduledReply = selectFrom(attachments, 'WHERE scheduled_reply_id = ? ORDER BY id');

export function attachmentsOfScheduledReply(tx: Tx, id: number): Attachment[] {
  return ofScheduledReply.all(tx, id);
}

export function isLoose({ messageId, scheduledReplyId }: Attachment): boolean {
  return messageId === null && scheduledReplyId === null;
}

export function hasPublicMessageAfter(tx: Tx, ticketId: number, id: number, exceptAgentId: number): boolean {
  return (
    query(
      tx,
      'SELECT 1 FROM messages WHERE ticket_id = ? AND id > ? AND is_internal = 0 AND agent_id IS NOT ? LIMIT 1',
    ).get(ticketId, id, exceptAgentId) !== null
  );
}

export function hasPublicMessageSince(tx: Tx, ticketId: number, since: number, exceptAgentId: number): boolean {
  return (
    query(
      tx,
      'SELECT 1 FROM messages WHERE ticket_id = ? AND created_at > ? AND is_internal = 0 AND agent_id IS NOT ? LIMIT 1',
    ).get(ticketId, since, exceptAgentId) !== null
  );
}

export function knownAttachments(tx: Tx, ulids: readonly string[]): Set<string> {
  const rows = query<{ ulid: string }>(
    tx,
    'SELECT ulid FROM attachments WHERE ulid IN (SELECT value FROM json_each(?))',
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

export function deleteAttachment(tx: Tx, id: number): void {
  query(tx, 'DELETE FROM attachments WHERE id = ?').run(id);
}

export function deleteMessage(tx: Tx, id: number): void {
  query(tx, 'DELETE FROM attachments WHERE message_id = ?').run(id);
  query(tx, 'DELETE FROM messages WHERE id = ?').run(id);
}

export function countAttachments(tx: Tx, ticketId: number): number {
  return (
    query<{ total: number }>(tx, 'SELECT count(*) AS total FROM attachments WHERE ticket_id = ?').get(ticketId)
      ?.total ?? 0
  );
}

const byUlid = statement((db) =>
  db
    .select()
    .from(messages)
    .where(eq(messages.ulid, sql.placeholder('ulid')))
    .prepare(),
);

export function messageByUlid(tx: Tx, ulid: string): Message | undefined {
  return byUlid(tx).get({ ulid });
}
