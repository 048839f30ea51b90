// What stayed the same in a ticket that was loaded again, so that only what changed is drawn again.

import type { Message, TicketDetail, WireEvent } from '../wire.ts';

/** Links to files last longer than this, or are taken from the new answer. */
const linkMs = 60_000;

/** The new ticket, with the messages and events of the old one where they say the same. */
export function keepUnchanged(old: TicketDetail | null, fresh: TicketDetail, nowMs: number): TicketDetail {
  if (old === null) return fresh;
  const messages = new Map(old.messages.map((message) => [message.ulid, message]));
  const events = new Map(old.events.map((event) => [event.seq, event]));
  return {
    ...fresh,
    messages: fresh.messages.map((message) => {
      const known = messages.get(message.ulid);
      return known !== undefined && isSameMessage(known, message, nowMs) ? known : message;
    }),
    events: fresh.events.map((event) => {
      const known = events.get(event.seq);
      return known !== undefined && isSameEvent(known, event) ? known : event;
    }),
  };
}

function isSameMessage(old: Message, fresh: Message, nowMs: number): boolean {
  if (old.attachments.some(({ url_expires_at: until }) => Date.parse(until) < nowMs + linkMs)) return false;
  return JSON.stringify(withoutLinks(old)) === JSON.stringify(withoutLinks(fresh));
}

function withoutLinks(message: Message) {
  return {
    ...message,
    html: message.html?.replace(/\?expires=[^"]*/g, '') ?? null,
    attachments: message.attachments.map(({ url: _, url_expires_at: __, ...rest }) => rest),
  };
}

function isSameEvent(old: WireEvent, fresh: WireEvent): boolean {
  return JSON.stringify(old) === JSON.stringify(fresh);
}
