// When to tell the desk about presence: at once on a change, again every seven seconds, and a last time on leaving.

import type { PresenceState } from '../../../domain/tickets/presence.ts';
import type { Timer } from '../../shared/clock.ts';

interface TellerOptions {
  timer: Timer;
  isVisible(): boolean;
  /** @param left the ticket that was open instead */
  send(ticket: string, state: PresenceState | 'gone', left: string | null): void;
  /** The desk was told that this tab has left the ticket. */
  onLeft(ticket: string): void;
}

interface PresenceSender {
  tell(ticket: string, state: PresenceState | 'gone'): void;
  /** Says again what the desk has forgotten, because it takes all tabs for one. */
  repeat(ticket: string): void;
  visibilityChanged(): void;
  leave(): void;
}

// The desk forgets after ten.
const everyMs = 7000;
// Someone who stops typing for a moment still writes.
const writingLastsMs = 4000;
// An agent who goes to another ticket says both together.
const goneAfterMs = 500;

export function createPresenceSender({ timer, isVisible, send, onLeft }: TellerOptions): PresenceSender {
  const open = new Map<string, { state: PresenceState; writtenAt: number }>();
  let isTold = false;
  let leaving: string | null = null;
  let cancelGone: () => void = () => undefined;
  let cancel: () => void = () => undefined;

  function tellAll(): void {
    for (const [ticket, own] of open) {
      if (own.state === 'writing' && timer.now() - own.writtenAt > writingLastsMs) own.state = 'viewing';
      say(ticket, own.state);
    }
    again();
  }

  function again(): void {
    cancel();
    if (open.size > 0 && isTold) cancel = timer.later(everyMs, tellAll);
  }

  function say(ticket: string, state: PresenceState): void {
    const left = leaving === ticket ? null : leaving;
    cancelGone();
    leaving = null;
    send(ticket, state, left);
    if (left !== null) onLeft(left);
  }

  function close(ticket: string): void {
    send(ticket, 'gone', null);
    onLeft(ticket);
  }

  function closeLeft(): void {
    cancelGone();
    if (leaving !== null) close(leaving);
    leaving = null;
  }

  function leave(): void {
    if (!isTold) return;
    isTold = false;
    cancel();
    closeLeft();
    for (const ticket of open.keys()) close(ticket);
  }

  return {
    tell(ticket, state) {
      if (state === 'gone') {
        if (!open.delete(ticket) || !isTold) return;
        closeLeft();
        leaving = ticket;
        cancelGone = timer.later(goneAfterMs, closeLeft);
        return;
      }
      const isChanged = open.get(ticket)?.state !== state;
      open.set(ticket, { state, writtenAt: timer.now() });
      if (!isVisible()) return;
      if (isChanged && isTold) say(ticket, state);
      if (!isTold) {
        isTold = true;
        tellAll();
      } else if (open.size === 1 && isChanged) again();
    },
    repeat(ticket) {
      const own = open.get(ticket);
      if (own !== undefined && isTold) say(ticket, own.state);
    },
    visibilityChanged() {
      if (!isVisible()) leave();
      else {
        isTold = true;
        tellAll();
      }
    },
    leave,
  };
}
