// Streams that tell customers' pages of a new version of their ticket, in the streams of the desk.

import { requireVisit, type Visit } from '../../desk/customers/visits.ts';
import { DeskError } from '../../domain/errors.ts';
import type { Tx } from '../../engine/database.ts';
import type { Call } from '../operation.ts';
import { versionForCustomer } from '../wire/customers/customer.ts';
import { encodeEvent } from './event-pages.ts';
import type { EventStreams } from './event-streams.ts';
import type { LiveFeed } from './live-feed.ts';
import { streamAnswer, streamsOf } from './open-stream.ts';

interface StreamLimits {
  ofVisit: number;
  ofTicket: number;
  inAll: number;
}
const usualLimits: StreamLimits = { ofVisit: 3, ofTicket: 30, inAll: 500 };

interface Reader {
  /** As of the last look. */
  visit: Visit;
  ticketVersion: number | null;
  told: number | null;
}

interface CustomerStreams {
  open(call: Call, visit: Visit): Response;
}

function newsOf(tx: Tx, reader: Reader, { edge, ctx }: Call): Uint8Array | 'ended' | null {
  try {
    reader.visit = requireVisit(tx, { ...ctx, now: edge.desk.now() }, reader.visit);
  } catch (error) {
    if (error instanceof DeskError) return 'ended';
    throw error;
  }
  const { version: ticketVersion } = reader.visit.thread;
  if (ticketVersion === reader.ticketVersion) return null;
  reader.ticketVersion = ticketVersion;
  const version = versionForCustomer(tx, reader.visit);
  if (version === reader.told) return null;
  reader.told = version;
  return encodeEvent('changed', { version });
}

function requireRoom(readers: ReadonlySet<Reader>, { visit, thread }: Visit, limits: StreamLimits): void {
  const ofTicket = [...readers].filter((reader) => reader.visit.thread.id === thread.id);
  const own = ofTicket.filter((reader) => reader.visit.visit.id === visit.id).length;
  if (readers.size < limits.inAll && ofTicket.length < limits.ofTicket && own < limits.ofVisit) return;
  throw new DeskError('unavailable', 'Too many pages follow changes at the moment. Ask again in a while.', {
    reason: 'too_many_streams',
    retryAfterSeconds: 15,
  });
}

export function createCustomerStreams(streams: EventStreams, limits: StreamLimits = usualLimits): CustomerStreams {
  const readers = new Set<Reader>();
  return {
    open(call, visit) {
      requireRoom(readers, visit, limits);
      const reader: Reader = { visit, ticketVersion: null, told: null };
      readers.add(reader);
      return streamAnswer(call, streams, {
        scope: [],
        after: 0,
        owner: `visit ${visit.visit.id}`,
        // Its news says when the visit has ended.
        isWelcome: () => true,
        greeting() {
          const news = call.edge.desk.read((tx) => newsOf(tx, reader, call));
          return news === 'ended' ? null : news;
        },
        news: (tx) => newsOf(tx, reader, call),
        onEnd: () => readers.delete(reader),
      });
    },
  };
}

const ofFeed = new WeakMap<LiveFeed, CustomerStreams>();

export function customerStreamsOf(call: Call, feed: LiveFeed): CustomerStreams {
  const known = ofFeed.get(feed);
  if (known) return known;
  const made = createCustomerStreams(streamsOf(call, feed));
  ofFeed.set(feed, made);
  return made;
}
