// Which public messages the agent has seen, and which came while they were writing.

import type { Message, TicketDetail } from '../wire.ts';

export function newestPublic({ messages }: Pick<TicketDetail, 'messages'>): Message | null {
  return messages.findLast(({ is_internal: isInternal, send_at: at }) => !isInternal && at === null) ?? null;
}

/** Those after the one that was seen last, which a split or the end of a merge may have moved away. The agent's own do not count. */
export function unseenMessages(
  { messages }: Pick<TicketDetail, 'messages'>,
  seen: string | null,
  ownName: string | undefined,
): Message[] {
  const sent = messages.filter(({ is_internal: isInternal, send_at: at }) => !isInternal && at === null);
  const last = sent.findIndex(({ ulid }) => ulid === seen);
  const later = last === -1 && seen !== null ? sent.filter(({ ulid }) => ulid > seen) : sent.slice(last + 1);
  return later.filter((message) => !message.is_agent || message.agent_name !== ownName);
}
