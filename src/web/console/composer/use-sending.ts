// The state of sending: what the agent has seen, what the desk refused, and what is asked before it is sent.

import { type ReadonlySignal, signal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { DraftTab } from '../../../domain/tickets/ticket.ts';
import { isUnreached, type Refusal } from '../../shared/api.ts';
import { chance, now } from '../../shared/clock.ts';
import { announce } from '../../shared/notices.tsx';
import { mostTries, onceBack } from '../live/live.ts';
import { me } from '../session.ts';
import { openedTicket, reload } from '../tickets/cache.ts';
import { about, linkTo, reasonOf } from '../tickets/change.ts';
import type { Message, TicketDetail } from '../wire.ts';
import { announcesFile } from './announced-file.ts';
import type { Content, Draft } from './draft-types.ts';
import { goOn, toConversation } from './follow-up.ts';
import { withoutEmptyEnd } from './markdown-edit.ts';
import { t } from './messages.ts';
import { send, type Wanted } from './sending.ts';
import { newestPublic, unseenMessages } from './unseen.ts';
import { attachmentsOf } from './uploads.ts';

interface Sending {
  isBusy: ReadonlySignal<boolean>;
  refusal: ReadonlySignal<Refusal | null>;
  /** It is sent again as soon as there is a connection. */
  isWaiting: ReadonlySignal<boolean>;
  /** What is missing before it can be sent. */
  problem: ReadonlySignal<string | null>;
  unseen: ReadonlySignal<readonly Message[]>;
  isAsked: ReadonlySignal<boolean>;
  /** The text mentions a file, but none is attached: ask once before sending. */
  isFileMissed: ReadonlySignal<boolean>;
  /** With a signature, if the agent has one and did not leave it out. */
  signature: ReadonlySignal<string>;
  leaveSignatureOut(): void;
  markSeen(): void;
  trySend(status: Wanted['status'], sendAt: Date | null): Promise<void>;
  sendAnyway(): Promise<void>;
  /** After a change of the text. */
  forget(): void;
  /** Switches between reply and note. What waited for a connection is then not sent by itself, and the page goes on saying so. */
  choose(tab: DraftTab): void;
}

/** What the desk may have taken, although its answer was lost. */
interface Tried {
  said: string;
  key: string;
  body: string;
  /** The messages of the ticket before. */
  before: ReadonlySet<string>;
}

// By the ticket's ulid: the agent may have left its page meanwhile, and come back.
const tried = new Map<string, Tried>();
/** What ends the waiting for a connection. */
const waits = signal<ReadonlyMap<string, () => void>>(new Map());

function stopWaiting(ticket: string): void {
  const left = new Map(waits.peek());
  left.get(ticket)?.();
  if (left.delete(ticket)) waits.value = left;
}

function triedAgain(last: Tried | null, { messages }: TicketDetail, content: Content, how: string): Tried {
  const { tab, body, uploads, staged, fields } = content;
  const said = JSON.stringify([tab, body, attachmentsOf(uploads).map(({ id }) => id), staged, fields, how]);
  if (last?.said === said) return last;
  return { said, body: body.trim(), key: `${now()}-${chance()}`, before: new Set(messages.map(({ ulid }) => ulid)) };
}

const lacksFile = ({ tab, body, uploads }: Content) => tab === 'reply' && uploads.length === 0 && announcesFile(body);

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
  const isFileMissed = useSignal(false);
  /** Someone who wants to send once more knows what they do. */
  const wasFileAsked = useRef(false);
  const seen = useSignal<string | null>(newestPublic(ticket)?.ulid ?? null);
  const unseen = useSignal<readonly Message[]>([]);
  const hasSignature = useSignal(true);
  const wanted = useSignal<{ status: Wanted['status']; sendAt: Date | null }>({ status: null, sendAt: null });
  const signature = useComputed(() =>
    hasSignature.value && draft.content.value.tab === 'reply' ? ticket.signature : '',
  );

  const isWaiting = useComputed(() => waits.value.has(ticket.ulid));

  useEffect(() => {
    const last = tried.get(ticket.ulid);
    if (refusal.peek() === null || last === undefined || !hasArrived(ticket, last)) return;
    tried.delete(ticket.ulid);
    forget();
    draft.clear();
    markSeen();
    toConversation(ticket.ulid);
  }, [ticket.messages, refusal.value]);
  useEffect(() => {
    const { body, tab } = draft.content.peek();
    // With nothing written, what arrives is read in the conversation.
    if (body.trim() === '' || tab === 'note' || unseenMessages(ticket, seen.peek(), me.peek()?.name).length === 0)
      markSeen();
    else unseen.value = unseenMessages(ticket, seen.peek(), me.peek()?.name);
  }, [ticket.messages]);

  function markSeen(): void {
    seen.value = newestPublic(ticket)?.ulid ?? null;
    unseen.value = [];
    isAsked.value = false;
  }

  function missing(): string | null {
    const { body, uploads } = draft.content.peek();
    const failed = uploads.flatMap(({ problem: one }) => one.peek() ?? []);
    if (failed.length > 0) return failed.every(({ mayRetry }) => mayRetry) ? t.fileFailed : t.fileNotTaken;
    if (uploads.some(({ attachment }) => attachment.peek() === null)) return t.stillUploading;
    return withoutEmptyEnd(body).trim() === '' ? t.writeSomething : null;
  }

  function forget(): void {
    stopWaiting(ticket.ulid);
    isFileMissed.value = false;
    problem.value = null;
    refusal.value = null;
  }

  /** Reports the failure on the page that the agent is on, if it is another one. */
  function tellElsewhere(refused: Refusal): void {
    if (openedTicket.peek() === ticket.ulid) return;
    announce(about(ticket.reference, t.notSent(reasonOf(refused))), 'problem', linkTo(ticket));
  }

  async function trySend(status: Wanted['status'], sendAt: Date | null, tries = 1): Promise<void> {
    if (isBusy.peek()) return;
    forget();
    problem.value = missing();
    if (problem.peek() !== null) return;
    wanted.value = { status, sendAt };
    isFileMissed.value = !wasFileAsked.current && lacksFile(draft.content.peek());
    if (isFileMissed.peek()) {
      wasFileAsked.current = true;
      return;
    }
    isBusy.value = true;
    try {
      const { tab } = draft.content.peek();
      const words = { seen: seen.peek(), signature: signature.peek(), status, sendAt };
      const how = JSON.stringify(words);
      const trial = triedAgain(tried.get(ticket.ulid) ?? null, ticket, draft.content.peek(), how);
      tried.set(ticket.ulid, trial);
      const refused = await send({ ticket, draft, ...words, key: trial.key });
      if (refused === null) {
        tried.delete(ticket.ulid);
        markSeen();
        wasFileAsked.current = false;
        hasSignature.value = true;
        toConversation(ticket.ulid);
        if (tab === 'reply' && openedTicket.peek() === ticket.ulid) goOn(ticket.ulid);
      } else if (refused.code === 'stale_thread') {
        await reload(ticket.ulid);
        isAsked.value = true;
        tellElsewhere(refused);
      } else if (isUnreached(refused) && tries < mostTries) {
        refusal.value = refused;
        const stop = onceBack(() => {
          const { said } = triedAgain(trial, ticket, draft.content.peek(), how);
          stopWaiting(ticket.ulid);
          // Does not send what was changed meanwhile, for example in another tab.
          if (said === trial.said) void trySend(status, sendAt, tries + 1);
          else refusal.value = null;
        });
        waits.value = new Map([...waits.peek(), [ticket.ulid, stop]]);
      } else {
        refusal.value = refused;
        tellElsewhere(refused);
      }
    } finally {
      isBusy.value = false;
    }
  }

  return {
    isBusy,
    refusal,
    isWaiting,
    problem,
    unseen,
    isAsked,
    isFileMissed,
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
    forget,
    choose(tab) {
      stopWaiting(ticket.ulid);
      draft.change({ tab });
    },
  };
}
