// Which public messages the agent has seen, and which came while they were writing.

import { me } from '../session.ts';
import type { Message, TicketDetail } from '../wire.ts';

export function newestPublic({ messages }: Pick<TicketDetail, 'messages'>): Message | null {
  return messages.findLast(({ is_internal: isInternal, send_at: at }) => !isInternal && at === null) ?? null;
}

/** Those after the one that was seen last. The agent's own do not count. */
export function unseenMessages({ messages }: Pick<TicketDetail, 'messages'>, seen: string | null): Message[] {
  const sent = messages.filter(({ is_internal: isInternal, send_at: at }) => !isInternal && at === null);
  const last = sent.findIndex(({ ulid }) => ulid === seen);
  const name = me.peek()?.name;
  return sent.slice(last + 1).filter((message) => !message.is_agent || message.agent_name !== name);
}
