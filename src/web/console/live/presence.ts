// Tells the desk which tickets this tab has open, for as long as its page is visible.

import { timer } from '../../shared/clock.ts';
import { onLeftElsewhere, onSignedIn } from './live.ts';
import { tellLeft } from './stream.ts';
import { createTeller, type PresenceState } from './teller.ts';

const teller = createTeller({
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
export function tellPresence(ticket: string, state: PresenceState | 'gone'): void {
  teller.tell(ticket, state);
}

export function startPresence(): void {
  document.addEventListener('visibilitychange', teller.visibilityChanged);
  addEventListener('pagehide', teller.leave);
  addEventListener('pageshow', teller.visibilityChanged);
  onLeftElsewhere(teller.repeat);
  onSignedIn(teller.visibilityChanged);
}
