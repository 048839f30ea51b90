// Something that is found out about a mail before it is filed, by asking others. What they do not answer stays unknown.

import { createGate } from '../base/gate.ts';
import { errorFields, type Log } from '../base/log.ts';
import type { Desk } from '../desk/desk.ts';
import { DeskError } from '../domain/errors.ts';
import type { Tx } from '../engine/database.ts';
import { type InboundMail, inboundMailById } from '../store/mail/inbound.ts';

export interface MailCheck {
  /** Null if there is nothing to find out. */
  check(id: number): Promise<void> | null;
  stop(): Promise<void>;
}

interface MailCheckOptions<Found> {
  desk: Desk;
  log: Log;
  atOnce: number;
  /** So that a flood takes one site's places only. */
  ofOneSite: number;
  isDue(row: InboundMail): boolean;
  /** Null: there is nothing to note. */
  ask(row: InboundMail): Promise<Found | null>;
  /** When it could not be asked. */
  unknown: Found;
  note(tx: Tx, id: number, found: Found): null;
  fault: string;
  onNoted?: ((found: Found) => void) | undefined;
}

const waitMs = 20_000;

class Stopped extends Error {}

export function createMailCheck<Found>(options: MailCheckOptions<Found>): MailCheck {
  const { desk, log, atOnce, ofOneSite } = options;
  const stopping = Promise.withResolvers<never>();
  stopping.promise.catch(() => undefined);
  const underWay = new Map<number, Promise<void>>();
  const gate = createGate({
    atOnce,
    each: ofOneSite,
    waiting: Number.POSITIVE_INFINITY,
    waitMs,
    refusal: () => new Error('too much mail is being checked'),
  });

  async function checkNow(row: InboundMail): Promise<void> {
    let found: Found | null;
    try {
      found = await Promise.race([gate.pass(String(row.siteId), () => options.ask(row)), stopping.promise]);
    } catch (error) {
      if (error instanceof Stopped || (error instanceof DeskError && error.code === 'unavailable'))
        throw new DeskError('unavailable', 'The desk is stopping.', { retryAfterSeconds: 5 });
      log.warn({ mail: row.ulid, ...errorFields(error) }, options.fault);
      found = options.unknown;
    }
    if (found === null) return;
    const noted = found;
    await desk.write((tx) => options.note(tx, row.id, noted));
    options.onNoted?.(noted);
  }

  return {
    check(id) {
      const row = desk.read((tx) => inboundMailById(tx, id) ?? null);
      if (row === null || row.status === 'done' || row.provider === 'form') return null;
      // Old mail of a mailbox that was just connected is filed as it is.
      if (row.silentDate !== null || !options.isDue(row)) return null;
      const checking = underWay.get(id) ?? checkNow(row).finally(() => underWay.delete(id));
      underWay.set(id, checking);
      return checking;
    },
    async stop() {
      stopping.reject(new Stopped());
      await Promise.allSettled(underWay.values());
    },
  };
}

/** The second knows what the first has found. */
export function oneAfterTheOther(first: MailCheck, second: MailCheck): MailCheck {
  return {
    check(id) {
      const begun = first.check(id);
      return begun === null ? second.check(id) : begun.then(() => second.check(id) ?? undefined);
    },
    async stop() {
      await Promise.all([first.stop(), second.stop()]);
    },
  };
}
