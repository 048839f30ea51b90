// Tells when the ticket has changed: by a stream while the page is seen, or by asking every now and then.

import { refresh } from './fresh.ts';
import { ticket } from './ticket-state.ts';

const askMs = 15_000;
/** Links to files are signed for 15 minutes. */
const renewMs = 10 * 60_000;

let stream: EventSource | null = null;
let asking: ReturnType<typeof setInterval> | undefined;

export function follow(): void {
  document.addEventListener('visibilitychange', () => (document.hidden ? rest() : wake()));
  addEventListener('online', wake);
  addEventListener('forgotten', () => {
    rest();
    document.getElementById('ticket')?.remove();
  });
  setInterval(() => {
    if (!document.hidden) void refresh();
  }, renewMs);
  if (!document.hidden) listen();
}

/** A browser opens only six streams to one address, so a page in the background has none. */
function rest(): void {
  stream?.close();
  stream = null;
  clearInterval(asking);
}

function wake(): void {
  rest();
  void refresh();
  listen();
}

function listen(): void {
  const opened = new EventSource(`/api/v1/customer/ticket/changes?ticket=${ticket.peek().ulid}`);
  stream = opened;
  opened.addEventListener('changed', ({ data }: MessageEvent<string>) => {
    const { version } = JSON.parse(data) as { version: number };
    if (version !== ticket.peek().version) void refresh();
  });
  opened.addEventListener('error', () => {
    // After a lost connection the browser tries again by itself; after a refusal it does not.
    if (opened.readyState !== EventSource.CLOSED || stream !== opened) return;
    clearInterval(asking);
    asking = setInterval(() => void refresh(), askMs);
  });
}
