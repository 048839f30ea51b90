// Tells when the ticket has changed: by a stream while the page is seen, or by asking every now and then.

import { chance, timer } from '../shared/clock.ts';
import { askForStream, createEventStream } from '../shared/event-stream.ts';
import { refresh } from './fresh.ts';
import { ticketPage } from './state.ts';

const askMs = 15_000;
/** Links to files are signed for 15 minutes. */
const renewMs = 10 * 60_000;

let isFollowing = false;
let asking: ReturnType<typeof setInterval> | undefined;

const stream = createEventStream({
  open: (signal) => askForStream(`/customer/ticket/changes?ticket=${ticketPage().thread.ticket.ulid}`, signal),
  timer,
  chance,
  onFrame({ data }) {
    if ((data as { version: number }).version !== ticketPage().thread.version) void refresh();
  },
  onState(state) {
    clearInterval(asking);
    if (state !== 'live') asking = setInterval(() => void refresh(), askMs);
  },
});

export function follow(): void {
  isFollowing = true;
  document.addEventListener('visibilitychange', () => (document.hidden ? rest() : wake()));
  addEventListener('online', wake);
  setInterval(() => {
    if (isFollowing && !document.hidden) void refresh();
  }, renewMs);
  if (!document.hidden) stream.start();
}

/** The browser has forgotten the ticket. */
export function endFollowing(): void {
  isFollowing = false;
  rest();
}

/** A browser opens only six streams to one address, so a page in the background has none. */
function rest(): void {
  stream.stop();
  clearInterval(asking);
}

function wake(): void {
  if (!isFollowing) return;
  void refresh();
  stream.reconnect();
}
