// Pages of events, each event in the bytes that a stream sends.

import type { Desk } from '../../desk/desk.ts';
import type { Scope } from '../../domain/actor.ts';
import { eventsAfter, newestEventSeq } from '../../store/events.ts';
import { presentEvent } from '../wire/event.ts';
import { createLookups } from '../wire/lookups.ts';

export interface EncodedEvent {
  seq: number;
  siteId: number;
  bytes: Uint8Array;
}

export const pageSize = 100;

const encoder = new TextEncoder();

/** @param seq of an event of the desk, from which a reader can resume */
export function encodeEvent(name: string, data: unknown, seq?: number): Uint8Array {
  const id = seq === undefined ? '' : `id: ${seq}\n`;
  return encoder.encode(`${id}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}

const comment = (text: string) => encoder.encode(`: ${text}\n\n`);
export const opening = comment('events follow');
export const keepAlive = comment('still here');

export function readPage(desk: Desk, scope: Scope, after: number): { events: EncodedEvent[]; newest: number } {
  return desk.read((tx) => {
    const look = createLookups(tx);
    const events = eventsAfter(tx, scope, after, pageSize).map((row) => {
      const event = presentEvent(row, look);
      return { seq: row.seq, siteId: row.siteId, bytes: encodeEvent(event.event, event, event.seq) };
    });
    return { events, newest: newestEventSeq(tx) };
  });
}

export function joined(events: readonly EncodedEvent[]): Uint8Array {
  return events.length === 1 && events[0] ? events[0].bytes : Buffer.concat(events.map(({ bytes }) => bytes));
}
