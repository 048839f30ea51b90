// Imports people and tickets with their messages, attachments and history.

import { toWire } from '../../base/clock.ts';
import { newUlid } from '../../base/ids.ts';
import { anonymisedEmail } from '../../domain/customers/author.ts';
import type { RowOf } from '../../domain/input/transfer.ts';
import type { SiteSlaPolicy } from '../../domain/sites/site.ts';
import * as sla from '../../domain/sla/sla.ts';
import { rewriteActor, rewriteEventData } from '../../domain/transfer/transfer.ts';
import { anyType, cleanFilename, promisedType } from '../../files/sniff.ts';
import { insertEvent } from '../../store/events.ts';
import { writeDocument } from '../../store/lists/documents.ts';
import { putFollower } from '../../store/notifications/followers.ts';
import { copyTags } from '../../store/repairs.ts';
import { anyPriority } from '../../store/sites/catalogue.ts';
import { slaPolicyById } from '../../store/sla/sla.ts';
import { insertMentions } from '../../store/tickets/mentions.ts';
import { attachmentByUlid } from '../../store/tickets/messages.ts';
import { insertSideConversation, insertSideMessage } from '../../store/tickets/side-conversations.ts';
import type { Ticket } from '../../store/tickets/tickets.ts';
import { insertKeepingId, setAuthorEmail, setMergedInto, setSplitFrom } from '../../store/transfer/imported-rows.ts';
import { marksOf } from '../customers/erasure.ts';
import { clockColumns, termsOf } from '../sla/clocks.ts';
import { toBeScanned } from '../tickets/attachments.ts';
import { addMessage } from '../tickets/messages.ts';
import { originOf } from './import-erased.ts';
import { isCopy, refused } from './import-state.ts';
import { type Inserted, type Inserters, type Need, type Step, ulidFor } from './import-step.ts';
import { columnNames } from './line-names.ts';

export const ticketInserters: Inserters<
  | 'author'
  | 'ticket'
  | 'participant'
  | 'message'
  | 'scheduled_reply'
  | 'attachment'
  | 'side_conversation'
  | 'merge'
  | 'split'
  | 'event'
  | 'interval'
> = {
  author: insertAuthor,
  ticket: insertTicket,
  participant(row, { tx, need, to }) {
    const id = insertKeepingId(tx, 'participants', row.id, {
      ...columnNames(row),
      ticketId: need('ticket', row.ticket_id),
      authorId: need('author', row.author_id),
      addedBy: rewriteActor(row.added_by, to),
    });
    return { id };
  },
  message(row, { tx, need, optional }) {
    const ulid = ulidFor(tx, 'message', row.ulid, row.created_at);
    const ticketId = need('ticket', row.ticket_id);
    const id = insertKeepingId(tx, 'messages', row.id, {
      ...columnNames(row),
      ulid,
      ticketId,
      authorId: optional('author', row.author_id),
      agentId: optional('agent', row.agent_id),
      senderId: optional('sender', row.sender_id),
      // Links and received mail stay where they were made.
      linkId: null,
      isConfirmed: null,
      inboundId: null,
    });
    insertMentions(tx, id, ticketId, agentsOf(row.mentions, need));
    return { id, ulid };
  },
  scheduled_reply: insertScheduledReplyOrNote,
  side_conversation: insertSide,
  attachment(row, { tx, ctx, siteId, need, optional }) {
    if (cleanFilename(row.filename) !== row.filename)
      throw refused(`attachment ${row.id} has a file name that is not allowed.`);
    if (![anyType, promisedType(row.filename)].includes(row.content_type))
      throw refused(`attachment ${row.id} has a content type that does not match its name.`);
    const ulid = ulidFor(tx, 'attachment', row.ulid, row.created_at);
    const scheduled = optional('scheduled_reply', row.scheduled_reply_id);
    const id = insertKeepingId(tx, 'attachments', row.id, {
      ...columnNames(row),
      ulid,
      siteId,
      ticketId: need('ticket', row.ticket_id),
      messageId: optional('message', row.message_id),
      scheduledReplyId: scheduled === asNote ? null : scheduled,
      agentId: optional('agent', row.agent_id),
      ...toBeScanned(ctx),
    });
    return { id, ulid };
  },
  merge(row, { tx, need }) {
    if (row.ticket_id === row.into_id) throw refused(`ticket ${row.ticket_id} is merged into itself.`);
    const id = need('ticket', row.ticket_id);
    setMergedInto(tx, id, need('ticket', row.into_id));
    return { id };
  },
  split(row, { tx, need }) {
    if (row.ticket_id === row.from_id) throw refused(`ticket ${row.ticket_id} is split from itself.`);
    const id = need('ticket', row.ticket_id);
    setSplitFrom(tx, id, need('ticket', row.from_id));
    return { id };
  },
  event(row, { tx, siteId, optional, to }) {
    return {
      id: insertEvent(tx, {
        kind: row.kind,
        siteId,
        ticketId: optional('ticket', row.ticket_id),
        actor: rewriteActor(row.actor, to),
        data: rewriteEventData(row.data as never, to),
        createdAt: row.created_at,
      }),
    };
  },
  interval(row, { tx, need, optional }) {
    return {
      id: insertKeepingId(tx, 'slaIntervals', row.id, {
        ...columnNames(row),
        ticketId: need('ticket', row.ticket_id),
        startedBySeq: optional('event', row.started_by_seq),
        endedBySeq: optional('event', row.ended_by_seq),
      }),
    };
  },
};

const agentsOf = (ids: readonly number[], need: Need) => [...new Set(ids.map((id) => need('agent', id)))];

// In place of a number: its files become loose.
const asNote = 0;

/** The other desk may have sent what was due, and sends what a copy holds, so here these are only notes. */
function insertScheduledReplyOrNote(
  row: RowOf<'scheduled_reply'>,
  { tx, ctx, going, need, optional, to }: Step,
): Inserted {
  const ticketId = need('ticket', row.ticket_id);
  const agentId = optional('agent', row.agent_id);
  const ulid = ulidFor(tx, 'message', row.ulid, row.created_at);
  if (isCopy(going) || row.send_at <= ctx.now) {
    const { agent_name: agentName, body, body_format: bodyFormat, html } = row;
    const intro = `This reply was scheduled for ${toWire(row.send_at)} on another desk. This desk does not send it.`;
    const words = row.is_internal
      ? { bodyFormat, body, html }
      : { bodyFormat, body: `${intro}\n\n${body}`, html: html === null ? null : `<p>${intro}</p>\n${html}` };
    const note = addMessage(tx, ctx, ticketId, {
      ...words,
      agentId,
      agentName,
      isInternal: true,
      isAgent: true,
      source: 'agent',
    });
    return { id: asNote, ulid: note.ulid };
  }
  const id = insertKeepingId(tx, 'scheduledReplies', row.id, {
    ...columnNames(row),
    ulid,
    ticketId,
    agentId,
    senderId: optional('sender', row.sender_id),
    mentions: agentsOf(row.mentions, need),
    actor: rewriteActor(row.actor, to),
  });
  return { id, ulid };
}

function insertAuthor(row: RowOf<'author'>, { tx, ctx, going }: Step): Inserted {
  const { siteId, site, erased } = going;
  const before = erased.asTheyWere(row.id);
  const marks = before && marksOf(ctx, originOf(site), { externalId: before.external_id, email: before.email });
  const columns = {
    ...columnNames(row),
    siteId,
    erasedExternalId: marks?.erasedExternalId ?? null,
    erasedEmail: marks?.erasedEmail ?? null,
  };
  // The address of an erased author contains their id, and must not belong to someone else later.
  const id = insertKeepingId(tx, 'authors', row.id, columns);
  const email = row.anonymised_at === null ? row.email : anonymisedEmail(id);
  if (email !== row.email) setAuthorEmail(tx, id, email);
  writeDocument(tx, 'author_search', id);
  if (before) ctx.noteErasure?.([], [], id);
  return { id };
}

/** Deadlines that passed since the export are marked as breached, without notifications. */
function insertTicket({ followers, ...row }: RowOf<'ticket'>, { tx, ctx, going, need, optional }: Step): Inserted {
  const priorityId = need('priority', row.priority_id);
  const slaPolicyId = optional('sla_policy', row.sla_policy_id);
  const ulid = ulidFor(tx, 'ticket', row.ulid, row.created_at);
  const ticket: Omit<Ticket, 'id'> = {
    ...columnNames(row),
    ulid,
    siteId: going.siteId,
    authorId: need('author', row.author_id),
    customFields: row.custom_fields as Ticket['customFields'],
    categoryId: optional('category', row.category_id),
    priorityId,
    priorityLevel: anyPriority(tx, priorityId)?.level ?? 0,
    assigneeId: optional('agent', row.assignee_id),
    teamId: optional('team', row.team_id),
    senderId: optional('sender', row.sender_id),
    slaNextAt: null,
    slaPolicyId,
    mergedIntoId: null,
    splitFromId: null,
    satisfactionComment: row.satisfaction === null ? null : row.satisfaction_comment,
    satisfactionAt: row.satisfaction === null ? null : (row.satisfaction_at ?? row.updated_at),
    snoozedUntil: row.status === 'pending' ? row.snoozed_until : null,
    messageCount: 0,
    updatedAt: Math.max(row.updated_at, row.created_at),
  };
  if (!row.is_test) {
    const policy = slaPolicyId === null ? undefined : slaPolicyById(tx, slaPolicyId);
    const terms = termsOf(policy ?? (going.site.sla_policy as SiteSlaPolicy));
    Object.assign(ticket, clockColumns(sla.scan(terms, ticket, ctx.now).state));
  }
  const id = insertKeepingId(tx, 'tickets', row.id, ticket);
  copyTags(tx, id);
  for (const { agent_id: agent, is_muted: isMuted, created_at: at } of followers) {
    const agentId = optional('agent', agent);
    if (agentId !== null) putFollower(tx, id, agentId, isMuted ? 1 : 0, at);
  }
  return { id, ulid };
}

function insertSide(row: RowOf<'side_conversation'>, { tx, need, optional }: Step): Inserted {
  const ticketId = need('ticket', row.ticket_id);
  const { subject, people, created_at: createdAt, closed_at: closedAt } = row;
  const { id } = insertSideConversation(tx, {
    ulid: newUlid(createdAt),
    ticketId,
    subject,
    people,
    closedAt,
    createdAt,
    agentId: optional('agent', row.agent_id),
  });
  for (const message of row.messages) {
    const { files, ...columns } = message;
    const attached = files.flatMap((ulid) => attachmentByUlid(tx, ulid) ?? []);
    insertSideMessage(tx, {
      ...columnNames({ type: '', ...columns }),
      ulid: newUlid(message.created_at),
      sideConversationId: id,
      attachmentIds: attached.filter((file) => file.ticketId === ticketId).map((file) => file.id),
    });
  }
  return { id };
}
