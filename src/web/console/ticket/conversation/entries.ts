// What stands in a conversation, in order: messages, the events between them, and where a day begins.

import type { Attachment, Message, TicketDetail, WireEvent } from '../../wire.ts';

export type Entry =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'message'; key: string; message: Message }
  | { kind: 'event'; key: string; event: WireEvent; files: Attachment[] }
  /** Where its newest change is. */
  | { kind: 'side'; key: string; ulid: string; event: WireEvent };

/** Their messages stand there themselves, or nothing about them is worth a line. */
const silent: readonly string[] = [
  'ticket.created',
  'ticket.replied',
  'ticket.note_added',
  'ticket.note_changed',
  'ticket.reply_scheduled',
  'ticket.reply_withdrawn',
  'ticket.attachment_removed',
];

/** @param dayOf the same text for moments of the same day */
export function entriesOf(ticket: TicketDetail, dayOf: (iso: string) => string): Entry[] {
  const events = ticket.events.flatMap((event) => entryOfEvent(event, ticket));
  const sent = ticket.messages.filter(({ send_at: at }) => at == null);
  const waiting = ticket.messages.filter(({ send_at: at }) => at != null);
  waiting.sort((one, other) => Date.parse(one.send_at ?? '') - Date.parse(other.send_at ?? ''));
  const entries: Entry[] = [];
  let next = 0;
  const addEvents = (until: number) => {
    for (let event = events[next]; event !== undefined; event = events[next]) {
      if (Date.parse(event.event.created_at) >= until) return;
      entries.push(event);
      next += 1;
    }
  };
  for (const message of sent) {
    addEvents(Date.parse(message.created_at));
    entries.push({ kind: 'message', key: message.ulid, message });
  }
  addEvents(Number.POSITIVE_INFINITY);
  const dated = withDays(entries, dayOf);
  for (const message of waiting) dated.push({ kind: 'message', key: message.ulid, message });
  return dated;
}

type EventEntry = Extract<Entry, { event: WireEvent }>;

function entryOfEvent(event: WireEvent, ticket: TicketDetail): EventEntry[] {
  if (silent.includes(event.event)) return [];
  if (event.event === 'ticket.side_conversation_changed') {
    const ulid = String(event.data.side_conversation_ulid);
    const newest = ticket.events.findLast(({ data }) => data.side_conversation_ulid === ulid);
    return newest === event ? [{ kind: 'side', key: `side-${ulid}`, ulid, event }] : [];
  }
  if (event.event === 'ticket.attachment_checked' && (event.data.scan as { status?: unknown }).status !== 'infected')
    return [];
  if (event.event !== 'ticket.attachment_added') return [{ kind: 'event', key: `e${event.seq}`, event, files: [] }];
  // Files of messages stand there; a loose file of an agent waits for their reply.
  const isFromAgent = ['agent', 'token', 'command_line'].includes(event.actor.type);
  const files = ticket.attachments.filter(
    ({ ulid, message_id: message }) => message === null && ulid === event.data.attachment_ulid,
  );
  return files.length === 0 || isFromAgent ? [] : [{ kind: 'event', key: `e${event.seq}`, event, files }];
}

export function momentOf(entry: Entry): string {
  switch (entry.kind) {
    case 'day':
      return entry.at;
    case 'message':
      return entry.message.created_at;
    case 'event':
    case 'side':
      return entry.event.created_at;
  }
}

function withDays(entries: readonly Entry[], dayOf: (iso: string) => string): Entry[] {
  const dated: Entry[] = [];
  let last = '';
  for (const entry of entries) {
    const at = momentOf(entry);
    const day = dayOf(at);
    if (day !== last) dated.push({ kind: 'day', key: `d${day}`, at });
    last = day;
    dated.push(entry);
  }
  return dated;
}
