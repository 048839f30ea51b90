// Streams that tell customers' pages of a new version of their ticket. All of them share one look at the database.

import { type Instant, monotonicMs } from '../../base/clock.ts';
import { requireVisit, type Visit } from '../../desk/customer/visits.ts';
import type { Desk } from '../../desk/desk.ts';
import { DeskError } from '../../domain/errors.ts';
import { livingVisits } from '../../store/customer-visits.ts';
import type { Tx } from '../../store/database.ts';
import { ticketVersions } from '../../store/tickets.ts';
import { encodeEvent, keepAlive } from '../event-streams/event-pages.ts';
import type { LiveFeed } from '../event-streams/live-feed.ts';
import type { Call } from '../operation.ts';
import { versionForCustomer } from '../wire/customer.ts';

interface StreamLimits {
  ofVisit: number;
  ofTicket: number;
  inAll: number;
  /** Looked at in one step. */
  atOnce: number;
  /** The least time between two looks. */
  everyMs: number;
  /** After this time, a page hears that its stream still works, and visits are checked as a whole. */
  idleMs: number;
}
const usualLimits: StreamLimits = { ofVisit: 3, ofTicket: 30, inAll: 500, atOnce: 50, everyMs: 500, idleMs: 20_000 };

interface Reader {
  call: Call;
  visit: Visit;
  controller: ReadableStreamDefaultController<Uint8Array>;
  ticketVersion: number | null;
  told: number | null;
  sentAt: number;
}

interface CustomerStreams {
  open(call: Call, visit: Visit): Response;
}

function send(reader: Reader, bytes: Uint8Array): boolean {
  if ((reader.controller.desiredSize ?? 0) <= 0) return false;
  reader.controller.enqueue(bytes);
  reader.sentAt = monotonicMs();
  return true;
}

function tell(tx: Tx, reader: Reader, versions: Map<number, number>): void {
  const { thread } = reader.visit;
  const version = versions.get(thread.id) ?? versionForCustomer(tx, reader.visit);
  versions.set(thread.id, version);
  if (version !== reader.told && send(reader, encodeEvent('changed', { version }))) reader.told = version;
}

function visitNow(tx: Tx, { call, visit }: Reader, now: Instant): Visit | null {
  try {
    return requireVisit(tx, { ...call.ctx, now }, visit);
  } catch (error) {
    if (error instanceof DeskError) return null;
    throw error;
  }
}

/** Tells readers what is new. Returns those whose visit has ended. */
function look(tx: Tx, readers: readonly Reader[], now: Instant, isWhole: boolean): Reader[] {
  const alive = livingVisits(tx, [...new Set(readers.map(({ visit }) => visit.visit.id))], now);
  const changes = ticketVersions(tx, [...new Set(readers.map(({ visit }) => visit.thread.id))]);
  const versions = new Map<number, number>();
  return readers.filter((reader) => {
    const newest = changes.get(reader.visit.thread.id) ?? null;
    if (!alive.has(reader.visit.visit.id)) return true;
    if (newest === reader.ticketVersion && !isWhole && reader.told !== null) return false;
    const visit = visitNow(tx, reader, now);
    if (visit === null) return true;
    reader.ticketVersion = visit.thread.version;
    reader.visit = visit;
    tell(tx, reader, versions);
    return false;
  });
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

export function createCustomerStreams(
  desk: Desk,
  feed: LiveFeed,
  isStopping: () => boolean,
  limits: StreamLimits = usualLimits,
): CustomerStreams {
  const readers = new Set<Reader>();
  let isRunning = false;
  let wake: AbortController | null = null;
  let checkedAt = 0;

  function end(reader: Reader): void {
    if (!readers.delete(reader)) return;
    try {
      reader.controller.close();
    } catch {
      // It has gone already.
    }
    if (readers.size === 0) wake?.abort();
  }

  /** A database that cannot be read now is read in the next round. */
  async function round(): Promise<string> {
    const now = monotonicMs();
    const isWhole = now - checkedAt >= limits.idleMs;
    try {
      const generation = desk.generation();
      const all = [...readers];
      for (let at = 0; at < all.length; at += limits.atOnce) {
        if (at > 0) await new Promise((resolve) => setImmediate(resolve));
        const some = all.slice(at, at + limits.atOnce).filter((reader) => readers.has(reader));
        for (const gone of desk.read((tx) => look(tx, some, desk.now(), isWhole))) end(gone);
      }
      if (isWhole) checkedAt = now;
      for (const reader of readers) if (now - reader.sentAt >= limits.idleMs) send(reader, keepAlive);
      return generation;
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      return '';
    }
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (readers.size > 0 && !isStopping()) {
      const generation = await round();
      await new Promise((resolve) => setTimeout(resolve, limits.everyMs));
      const isBehind = generation !== desk.generation() || [...readers].some(({ told }) => told === null);
      if (isBehind || readers.size === 0 || isStopping()) continue;
      wake = new AbortController();
      await feed.next(limits.idleMs, wake.signal);
    }
    isRunning = false;
    for (const reader of readers) end(reader);
  }

  return {
    open(call, visit) {
      requireRoom(readers, visit, limits);
      let own: Reader | undefined;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          own = { call, visit, controller, ticketVersion: null, told: null, sentAt: monotonicMs() };
          readers.add(own);
        },
        cancel: () => own && end(own),
      });
      call.request.signal.addEventListener('abort', () => own && end(own));
      wake?.abort();
      run().catch((error) => {
        isRunning = false;
        for (const reader of readers) end(reader);
        call.edge.reportFault(error, 'the streams of customers’ pages broke');
      });
      return new Response(body, {
        headers: {
          'Content-Type': 'text/event-stream; charset=utf-8',
          'Cache-Control': 'no-store',
          'X-Accel-Buffering': 'no',
        },
      });
    },
  };
}

const ofFeed = new WeakMap<LiveFeed, CustomerStreams>();

export function customerStreamsOf({ edge }: Call, feed: LiveFeed): CustomerStreams {
  const known = ofFeed.get(feed);
  if (known) return known;
  const made = createCustomerStreams(edge.desk, feed, edge.isStopping);
  ofFeed.set(feed, made);
  return made;
}
