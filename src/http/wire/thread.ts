// The messages, files and history of a ticket, which may be very many, as long lists for agents and for customers.

import type { Instant } from '../../base/clock.ts';
import type { Scheduled } from '../../desk/scheduled-replies.ts';
import type { Said } from '../../desk/sent-replies.ts';
import type { Links } from '../../files/links.ts';
import type { Tx } from '../../store/database.ts';
import { newestEventSeq, nextEvents } from '../../store/events.ts';
import { mentionsIn } from '../../store/mentions.ts';
import {
  type Attachment,
  attachmentsOfTicket,
  type Message,
  messageByUlid,
  newestMessageId,
  nextMessages,
} from '../../store/messages.ts';
import { scheduledReplyByUlid, ulidsOfScheduledReplies } from '../../store/scheduled-replies.ts';
import { presentEvent } from './event.ts';
import { LongList, type View } from './long-lists.ts';
import { createLookups } from './lookups.ts';
import {
  presentAttachment,
  presentMessage,
  presentMessageForCustomer,
  presentScheduledReply,
  type TicketFiles,
} from './message.ts';

const bytesOfPart = 64 * 1024;
const repliesOfPart = 4;
const filesOfPart = 50;
const eventsOfPart = 100;

function* partsOf<Row>(rows: readonly Row[], size: number): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}

function* messageParts(view: View, ticketId: number, upTo: number, isPublic: boolean): Generator<Message[]> {
  for (let after = 0; ; ) {
    const messages = nextMessages(view.tx, ticketId, { after, upTo, isPublic }, bytesOfPart);
    const last = messages.at(-1);
    if (last === undefined) return;
    yield messages;
    after = last.id;
  }
}

export type ShownFiles = Pick<TicketFiles, 'links' | 'now'>;

export function attachmentList(attachments: readonly Attachment[], { links, now }: ShownFiles) {
  const parts = function* () {
    for (const part of partsOf(attachments, filesOfPart))
      yield part.map((attachment) => presentAttachment(attachment, links, now));
  };
  return new LongList(parts());
}

export function messagesForCustomer(
  view: View,
  ticketId: number,
  customerId: number,
  attachments: readonly Attachment[],
  shown: ShownFiles,
) {
  const upTo = newestMessageId(view.tx, ticketId);
  const files = Map.groupBy(attachments, ({ messageId }) => messageId);
  const parts = function* () {
    for (const part of messageParts(view, ticketId, upTo, true)) {
      const look = createLookups(view.tx, { customerId });
      yield part.map((message) =>
        presentMessageForCustomer(message, look, { ...shown, attachments: files.get(message.id) ?? [] }),
      );
    }
  };
  return new LongList(parts());
}

export function messagesForAgents(view: View, ticketId: number, attachments: readonly Attachment[], shown: ShownFiles) {
  const upTo = newestMessageId(view.tx, ticketId);
  const waiting = ulidsOfScheduledReplies(view.tx, ticketId);
  const files = Map.groupBy(attachments, ({ messageId }) => messageId);
  const parts = function* () {
    for (const part of messageParts(view, ticketId, upTo, false))
      yield presentParts(view.tx, part, (message) => ({ ...shown, attachments: files.get(message.id) ?? [] }));
    for (const part of partsOf(waiting, repliesOfPart))
      yield part.flatMap((ulid) => presentWaiting(view.tx, ticketId, ulid, { ...shown, attachments }) ?? []);
  };
  return new LongList(parts());
}

function presentParts(tx: Tx, messages: readonly Message[], filesOf: (message: Message) => TicketFiles) {
  const look = createLookups(tx);
  const ids = messages.map(({ id }) => id);
  const mentions = Map.groupBy(mentionsIn(tx, ids), ({ messageId }) => messageId);
  return messages.map((message) =>
    presentMessage(message, look, { ...filesOf(message), mentions: mentions.get(message.id) ?? [] }),
  );
}

/** It may have been sent since the list began: it keeps its ulid. */
function presentWaiting(tx: Tx, ticketId: number, ulid: string, files: TicketFiles) {
  const reply = scheduledReplyByUlid(tx, ulid);
  if (reply?.ticketId === ticketId) return presentScheduledReply(reply, createLookups(tx), files);
  const message = messageByUlid(tx, ulid);
  return message?.ticketId === ticketId ? presentParts(tx, [message], () => files)[0] : undefined;
}

export function presentSaid(tx: Tx, said: Said | Scheduled, links: Links, now: Instant) {
  const files = { attachments: attachmentsOfTicket(tx, said.ticket.id), links, now };
  if ('reply' in said) return presentScheduledReply(said.reply, createLookups(tx), files);
  const mentions = mentionsIn(tx, [said.message.id]);
  return presentMessage(said.message, createLookups(tx), { ...files, mentions });
}

export function eventList(view: View, ticketId: number) {
  const upTo = newestEventSeq(view.tx);
  const parts = function* () {
    for (let after = 0; ; ) {
      const events = nextEvents(view.tx, ticketId, after, upTo, eventsOfPart);
      const last = events.at(-1);
      if (last === undefined) return;
      const look = createLookups(view.tx);
      yield events.map((event) => presentEvent(event, look));
      after = last.seq;
    }
  };
  return new LongList(parts());
}
