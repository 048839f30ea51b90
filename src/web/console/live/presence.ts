// Tells the desk which tickets this tab has open, for as long as its page is visible.

import type { PresenceState } from '../../../domain/tickets/presence.ts';
import { timer } from '../../shared/clock.ts';
import { onLeftElsewhere, onSignedIn } from './live.ts';
import { createPresenceSender } from './presence-sender.ts';
import { tellLeft } from './stream.ts';

const sender = createPresenceSender({
  timer,
  isVisible: () => document.visibilityState === 'visible',
  async send(ticket, state, left) {
    const reading = state === 'gone' ? undefined : takeReading(ticket);
    try {
      const answer = await fetch(`/api/v1/tickets/${encodeURIComponent(ticket)}/presence`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ state, ...(left !== null && { left }), ...(reading !== undefined && { read: true }) }),
        credentials: 'same-origin',
        // The last word leaves after the page.
        keepalive: true,
      });
      // An answer that is not read holds its connection.
      await answer.text();
      reading?.(answer.ok);
    } catch {
      reading?.(false);
      // The next word is due in seconds, and the desk forgets on its own.
    }
  },
  onLeft: tellLeft,
});

const aMomentMs = 100;

interface Reading {
  isRead: Promise<boolean>;
  hear: (isRead: boolean) => void;
  cancel: () => void;
}

const readings = new Map<string, Reading>();

/** The word that is about to be said of a ticket also says that it was read. False if there is none, or the desk did not hear it. */
export function readWithNextWord(ticket: string): Promise<boolean> {
  const known = readings.get(ticket);
  if (known !== undefined) return known.isRead;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const cancel = timer.later(aMomentMs, () => takeReading(ticket)?.(false));
  readings.set(ticket, { isRead: promise, hear: resolve, cancel });
  return promise;
}

function takeReading(ticket: string): Reading['hear'] | undefined {
  const found = readings.get(ticket);
  readings.delete(ticket);
  found?.cancel();
  return found?.hear;
}

/** Says that the agent has the ticket open, writes in it, or has left it; repeated until it is `gone`. */
export function sendPresence(ticket: string, state: PresenceState | 'gone'): void {
  sender.tell(ticket, state);
}

export function startPresence(): void {
  document.addEventListener('visibilitychange', sender.visibilityChanged);
  addEventListener('pagehide', sender.leave);
  addEventListener('pageshow', sender.visibilityChanged);
  onLeftElsewhere(sender.repeat);
  onSignedIn(sender.visibilityChanged);
}
