// The messages, files and history of a ticket, which may be very many, as long lists for agents and for customers.

import type { Instant } from '../../../base/clock.ts';
import type { Scheduled } from '../../../desk/tickets/scheduled-replies.ts';
import type { Said } from '../../../desk/tickets/sent-replies.ts';
import type { Tx } from '../../../engine/database.ts';
import type { Links } from '../../../files/links.ts';
import { type Event, newestEventSeq, nextEvents } from '../../../store/events.ts';
import { mentionsIn } from '../../../store/tickets/mentions.ts';
import {
  type Attachment,
  attachmentsOfTicket,
  type Message,
  messageByUlid,
  newestMessageId,
  nextMessages,
} from '../../../store/tickets/messages.ts';
import { scheduledReplyByUlid, ulidsOfScheduledReplies } from '../../../store/tickets/scheduled-replies.ts';
import { presentEvent } from '../event.ts';
import { rowsOf, type View } from '../long-lists.ts';
import { createLookups, type Lookups } from '../lookups.ts';
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

interface Messages {
  first: Message[];
  /** Null if the first ones are all. */
  rest: Iterable<Message[]> | null;
}

/** What is written after they were first read is left out. */
export function messagesOf(view: View, ticketId: number, isPublic: boolean): Messages {
  const beginning = { after: 0, upTo: Number.MAX_SAFE_INTEGER, isPublic };
  const { messages: first, isLast } = nextMessages(view.tx, ticketId, beginning, bytesOfPart);
  if (isLast) return { first, rest: null };
  const upTo = newestMessageId(view.tx, ticketId);
  const rest = function* () {
    for (let last = first.at(-1); last !== undefined; ) {
      const next = nextMessages(view.tx, ticketId, { after: last.id, upTo, isPublic }, bytesOfPart);
      yield next.messages;
      last = next.isLast ? undefined : next.messages.at(-1);
    }
  };
  return { first, rest: rest() };
}

export type ShownFiles = Pick<TicketFiles, 'links' | 'now'>;

export function attachmentList(attachments: readonly Attachment[], { links, now }: ShownFiles) {
  const present = (part: readonly Attachment[]) => part.map((attachment) => presentAttachment(attachment, links, now));
  const rest = function* () {
    for (const part of partsOf(attachments.slice(filesOfPart), filesOfPart)) yield present(part);
  };
  return rowsOf(present(attachments.slice(0, filesOfPart)), attachments.length > filesOfPart ? rest() : null);
}

export function messagesForCustomer(
  view: View,
  ticketId: number,
  customerId: number,
  attachments: readonly Attachment[],
  shown: ShownFiles,
) {
  const files = Map.groupBy(attachments, ({ messageId }) => messageId);
  const present = (part: readonly Message[]) => {
    const look = createLookups(view.tx, { customerId });
    return part.map((message) =>
      presentMessageForCustomer(message, look, { ...shown, attachments: files.get(message.id) ?? [] }),
    );
  };
  const { first, rest } = messagesOf(view, ticketId, true);
  const later = function* (parts: Iterable<Message[]>) {
    for (const part of parts) yield present(part);
  };
  return rowsOf(present(first), rest && later(rest));
}

export function messagesForAgents(
  view: View,
  ticketId: number,
  { first, rest }: Messages,
  look: Lookups,
  attachments: readonly Attachment[],
  shown: ShownFiles,
) {
  const waiting = ulidsOfScheduledReplies(view.tx, ticketId);
  const files = Map.groupBy(attachments, ({ messageId }) => messageId);
  const present = (look: Lookups, part: readonly Message[]) =>
    presentParts(view.tx, look, part, (message) => ({ ...shown, attachments: files.get(message.id) ?? [] }));
  const later = function* () {
    for (const part of rest ?? []) yield present(createLookups(view.tx), part);
    for (const part of partsOf(waiting, repliesOfPart))
      yield part.flatMap((ulid) => presentWaiting(view.tx, ticketId, ulid, { ...shown, attachments }) ?? []);
  };
  return rowsOf(present(look, first), rest !== null || waiting.length > 0 ? later() : null);
}

function presentParts(tx: Tx, look: Lookups, messages: readonly Message[], filesOf: (message: Message) => TicketFiles) {
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
  return message?.ticketId === ticketId ? presentParts(tx, createLookups(tx), [message], () => files)[0] : undefined;
}

export function presentSaid(tx: Tx, said: Said | Scheduled, links: Links, now: Instant) {
  const files = { attachments: attachmentsOfTicket(tx, said.ticket.id), links, now };
  if ('reply' in said) return presentScheduledReply(said.reply, createLookups(tx), files);
  const mentions = mentionsIn(tx, [said.message.id]);
  return presentMessage(said.message, createLookups(tx), { ...files, mentions });
}

export function eventList(view: View, ticketId: number, look: Lookups) {
  const next = (after: number, upTo: number) => nextEvents(view.tx, ticketId, after, upTo, eventsOfPart);
  const present = (look: Lookups, part: readonly Event[]) => part.map((event) => presentEvent(event, look));
  const first = next(0, Number.MAX_SAFE_INTEGER);
  const later = function* (upTo: number) {
    for (let part = first; part.length === eventsOfPart; ) {
      part = next(part.at(-1)?.seq ?? upTo, upTo);
      yield present(createLookups(view.tx), part);
    }
  };
  return rowsOf(present(look, first), first.length === eventsOfPart ? later(newestEventSeq(view.tx)) : null);
}
