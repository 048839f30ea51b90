// Rings for what is new, in the one tab that leads. What it takes is loaded when it first rings.

import { hello, told } from '../live/live.ts';
import { isLeading } from '../live/stream.ts';
import { unread } from '../live/unread.ts';
import { route } from '../route.ts';
import { session } from '../session.ts';
import { onDemandPart } from '../shell/load-part.ts';
import { dueOf } from './due.ts';

const ringPart = onDemandPart(async () => await import('../shell/more-pages.ts'));

/** Whether this agent sees the ticket now, in this tab, another tab or on another device. Only visible pages count. */
function isInSight(ticket: string): boolean {
  const { value: shown } = route;
  if (document.visibilityState === 'visible' && shown.name === 'ticket' && shown.ticket === ticket) return true;
  return (
    told.everyone
      .peek()
      .get(ticket)
      ?.some(({ id }) => id === hello.peek()?.agent_id) ?? false
  );
}

export function startRinging(): () => void {
  let seen: number | null = null;
  return unread.subscribe((now) => {
    if (now === null) return;
    const before = seen;
    seen = Math.max(before ?? 0, now.newest[0]?.id ?? 0);
    const isOwn = hello.peek()?.agent_id === session.peek()?.agent.id;
    if (before === null || !isOwn || !isLeading()) return;
    const due = dueOf(now.newest, before, isInSight);
    if (due.shown.length > 0 || due.hasSound) void ring(due);
  });
}

async function ring(due: ReturnType<typeof dueOf>): Promise<void> {
  await ringPart.begin();
  const loaded = ringPart.state.peek();
  if (loaded !== null && loaded !== 'failed') await loaded.part.ring(due);
}
