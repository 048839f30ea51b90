// Tells the desk which tickets this tab has open, for as long as its page is visible.

import type { PresenceState } from '../../../domain/tickets/presence.ts';
import { timer } from '../../shared/clock.ts';
import { onLeftElsewhere, onSignedIn } from './live.ts';
import { createPresenceSender } from './presence-sender.ts';
import { tellLeft } from './stream.ts';

const sender = createPresenceSender({
  timer,
  isVisible: () => document.visibilityState === 'visible',
  async send(ticket, state) {
    try {
      const answer = await fetch(`/api/v1/tickets/${encodeURIComponent(ticket)}/presence`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ state }),
        credentials: 'same-origin',
        // The last word leaves after the page.
        keepalive: true,
      });
      // An answer that is not read holds its connection.
      await answer.text();
    } catch {
      // The next word is due in seconds, and the desk forgets on its own.
    }
  },
  onLeft: tellLeft,
});

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
