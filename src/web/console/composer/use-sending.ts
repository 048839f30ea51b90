// The state of sending: what the agent has seen, what the desk refused, and what is asked before it is sent.

import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Refusal } from '../../shared/api.ts';
import { chance, now } from '../../shared/clock.ts';
import { me } from '../session.ts';
import { reload } from '../tickets/cache.ts';
import type { Message, TicketDetail } from '../wire.ts';
import type { Content, Draft } from './draft-types.ts';
import { goOn, toConversation } from './follow-up.ts';
import { withoutEmptyEnd } from './markdown-edit.ts';
import { t } from './messages.ts';
import { send, type Wanted } from './sending.ts';
import { attachmentsOf } from './uploads.ts';

interface Sending {
  isBusy: ReadonlySignal<boolean>;
  refusal: ReadonlySignal<Refusal | null>;
  /** What is missing before it can be sent. */
  problem: ReadonlySignal<string | null>;
  unseen: ReadonlySignal<readonly Message[]>;
  isAsked: ReadonlySignal<boolean>;
  /** With a signature, if the agent has one and did not leave it out. */
  signature: ReadonlySignal<string>;
  leaveSignatureOut(): void;
  markSeen(): void;
  trySend(status: Wanted['status'], sendAt: Date | null): Promise<void>;
  sendAnyway(): Promise<void>;
  /** After a change of the text. */
  forget(): void;
}

/** What the desk may have taken, although its answer was lost. */
interface Tried {
  said: string;
  key: string;
  body: string;
  /** The messages of the ticket before. */
  before: ReadonlySet<string>;
}

function triedAgain(last: Tried | null, { messages }: TicketDetail, content: Content, how: string): Tried {
  const { tab, body, uploads, staged, fields } = content;
  const said = JSON.stringify([tab, body, attachmentsOf(uploads).map(({ id }) => id), staged, fields, how]);
  if (last?.said === said) return last;
  return { said, body: body.trim(), key: `${now()}-${chance()}`, before: new Set(messages.map(({ ulid }) => ulid)) };
}

function hasArrived({ messages }: TicketDetail, { body, before }: Tried): boolean {
  const own = me.peek()?.name;
  return messages.some(
    ({ ulid, agent_name: by, body: words }) => !before.has(ulid) && by === own && words.startsWith(body),
  );
}

export function useSending(ticket: TicketDetail, draft: Draft): Sending {
  const isBusy = useSignal(false);
  const refusal = useSignal<Refusal | null>(null);
  const problem = useSignal<string | null>(null);
  const isAsked = useSignal(false);
  const seen = useSignal<string | null>(newestPublic(ticket)?.ulid ?? null);
  const unseen = useSignal<readonly Message[]>([]);
  const hasSignature = useSignal(true);
  const wanted = useSignal<{ status: Wanted['status']; sendAt: Date | null }>({ status: null, sendAt: null });
  const signature = useComputed(() =>
    hasSignature.value && draft.content.value.tab === 'reply' ? ticket.signature : '',
  );

  const tried = useRef<Tried | null>(null);

  useEffect(() => {
    if (refusal.peek() === null || tried.current === null || !hasArrived(ticket, tried.current)) return;
    refusal.value = null;
    tried.current = null;
    draft.clear();
    markSeen();
    toConversation(ticket.ulid);
  }, [ticket.messages, refusal.value]);
  useEffect(() => {
    const { body, tab } = draft.content.peek();
    // With nothing written, what arrives is read in the conversation.
    if (body.trim() === '' || tab === 'note' || unseenMessages(ticket, seen.peek()).length === 0) markSeen();
    else unseen.value = unseenMessages(ticket, seen.peek());
  }, [ticket.messages]);

  function markSeen(): void {
    seen.value = newestPublic(ticket)?.ulid ?? null;
    unseen.value = [];
    isAsked.value = false;
  }

  function missing(): string | null {
    const { body, uploads } = draft.content.peek();
    if (uploads.some(({ problem: failed }) => failed.peek() !== null)) return t.fileFailed;
    if (uploads.some(({ attachment }) => attachment.peek() === null)) return t.stillUploading;
    return withoutEmptyEnd(body).trim() === '' ? t.writeSomething : null;
  }

  async function trySend(status: Wanted['status'], sendAt: Date | null): Promise<void> {
    if (isBusy.peek()) return;
    problem.value = missing();
    if (problem.peek() !== null) return;
    isBusy.value = true;
    refusal.value = null;
    wanted.value = { status, sendAt };
    try {
      const { tab } = draft.content.peek();
      const words = { seen: seen.peek(), signature: signature.peek(), status, sendAt };
      tried.current = triedAgain(tried.current, ticket, draft.content.peek(), JSON.stringify(words));
      const refused = await send({ ticket, draft, ...words, key: tried.current.key });
      if (refused === null) {
        tried.current = null;
        markSeen();
        hasSignature.value = true;
        toConversation(ticket.ulid);
        if (tab === 'reply') goOn(ticket.ulid);
      } else if (refused.code === 'stale_thread') {
        await reload(ticket.ulid);
        isAsked.value = true;
      } else refusal.value = refused;
    } finally {
      isBusy.value = false;
    }
  }

  return {
    isBusy,
    refusal,
    problem,
    unseen,
    isAsked,
    signature,
    leaveSignatureOut() {
      hasSignature.value = false;
    },
    markSeen,
    trySend,
    async sendAnyway() {
      markSeen();
      await trySend(wanted.peek().status, wanted.peek().sendAt);
    },
    forget() {
      problem.value = null;
      refusal.value = null;
    },
  };
}

// Which public messages the agent has seen, and which came while they were writing.
function newestPublic({ messages }: Pick<TicketDetail, 'messages'>): Message | null {
  return messages.findLast(({ is_internal: isInternal, send_at: at }) => !isInternal && at === null) ?? null;
}

/** Those after the one that was seen last. The agent's own do not count. */
function unseenMessages({ messages }: Pick<TicketDetail, 'messages'>, seen: string | null): Message[] {
  const sent = messages.filter(({ is_internal: isInternal, send_at: at }) => !isInternal && at === null);
  const last = sent.findIndex(({ ulid }) => ulid === seen);
  const name = me.peek()?.name;
  return sent.slice(last + 1).filter((message) => !message.is_agent || message.agent_name !== name);
}
