// What becomes of the mails of replies. It is read from the log of attempts, so whichever process sent them does not matter.

import type { Desk } from '../../desk/desk.ts';
import { includesSite, type Scope } from '../../domain/actor.ts';
import { type MailOutcome, mailOutcomesAfter, newestAttempt } from '../../store/outbox/mail-outcomes.ts';
import { presentDelivery, presentRecipient } from '../wire/tickets/message.ts';
import { encodeEvent } from './event-pages.ts';
import type { LiveFeed } from './live-feed.ts';

interface LiveMailOptions {
  desk: Desk;
  feed: LiveFeed;
  isStopping(): boolean;
  tell(bytesFor: (scope: Scope) => Uint8Array | null): void;
  limits?: MailLimits;
}

interface LiveMail {
  follow(): void;
  leave(): void;
  /** The newest states, for a reader who may have missed some. */
  recent(scope: Scope): Uint8Array;
}

interface MailLimits {
  everyMs: number;
  atOnce: number;
  idleMs: number;
  recent: number;
}
const usualLimits: MailLimits = { everyMs: 200, atOnce: 100, idleMs: 60_000, recent: 100 };

function encoded(news: readonly MailOutcome[], scope: Scope): Uint8Array {
  const own = news.filter(({ siteId }) => includesSite(scope, siteId));
  return Buffer.concat(
    own.map(({ ticket, message, delivery, recipients }) =>
      encodeEvent('delivery', {
        ...{ ticket, message, delivery: presentDelivery(delivery) },
        recipients: recipients.map(presentRecipient),
      }),
    ),
  );
}

export function createLiveMail({ desk, feed, isStopping, tell, limits = usualLimits }: LiveMailOptions): LiveMail {
  let readers = 0;
  let told = 0;
  let isRunning = false;
  let wake = new AbortController();

  function look(): boolean {
    const { news, newest } = desk.read((tx) => {
      const last = newestAttempt(tx);
      return { newest: last, news: mailOutcomesAfter(tx, told, last, limits.atOnce) };
    });
    const isFull = news.length === limits.atOnce;
    told = isFull ? (news.at(-1)?.attemptId ?? newest) : newest;
    if (news.length > 0) {
      const ofScope = new Map<string, Uint8Array>();
      tell((scope) => {
        const name = String(scope);
        const bytes = ofScope.get(name) ?? encoded(news, scope);
        ofScope.set(name, bytes);
        return bytes.length === 0 ? null : bytes;
      });
    }
    return isFull;
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (readers > 0 && !isStopping()) {
      let isBehind = true;
      try {
        const generation = desk.generation();
        isBehind = look();
        await new Promise((resolve) => setTimeout(resolve, limits.everyMs));
        isBehind ||= generation !== desk.generation();
      } catch {
        // A disk that cannot be read now: the next round tells.
        await new Promise((resolve) => setTimeout(resolve, limits.everyMs));
      }
      if (isBehind || readers === 0 || isStopping()) continue;
      wake = new AbortController();
      await feed.next(limits.idleMs, wake.signal);
    }
    isRunning = false;
  }

  return {
    follow() {
      readers += 1;
      if (readers === 1) told = desk.read(newestAttempt);
      void run();
    },
    leave() {
      readers -= 1;
      if (readers === 0) wake.abort();
    },
    recent: (scope) =>
      desk.read((tx) => {
        const newest = newestAttempt(tx);
        return encoded(mailOutcomesAfter(tx, newest - limits.recent, newest, limits.recent), scope);
      }),
  };
}
