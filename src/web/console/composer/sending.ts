// Sending what was written: held for ten seconds in which it can be undone, or at a chosen time.

import type { Answer, Refusal } from '../../shared/api.ts';
import { now } from '../../shared/clock.ts';
import { announce } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { agents } from '../catalogue.ts';
import { go } from '../route.ts';
import { me } from '../session.ts';
import { reload } from '../tickets/cache.ts';
import { reasonOf } from '../tickets/change.ts';
import { type TicketChange, wayBack } from '../tickets/effects.ts';
import { offerUndo } from '../undo.ts';
import type { Message, TicketDetail } from '../wire.ts';
import { mentionedIn } from './completion.ts';
import type { Content, Draft } from './draft-types.ts';
import { withoutEmptyEnd } from './markdown-edit.ts';
import { t } from './messages.ts';
import { changeOf } from './staged.ts';
import { attachmentsOf } from './uploads.ts';

const holdSeconds = 10;

export interface Wanted {
  ticket: TicketDetail;
  draft: Draft;
  /** The newest public message that the agent has seen. */
  seen: string | null;
  signature: string;
  status: 'pending' | 'resolved' | null;
  sendAt: Date | null;
}

/** Null if it was sent. The text stays where it is until the desk has it. */
export async function send(wanted: Wanted): Promise<Refusal | null> {
  const { draft, ticket } = wanted;
  await draft.settle();
  const content = draft.content.peek();
  const isNote = content.tab === 'note';
  const answer = await (isNote ? sendNote(wanted, content) : sendReply(wanted, content));
  if (!answer.isOk) return answer.refusal;
  draft.clear();
  const status = isNote ? (wanted.status ?? content.staged?.status ?? null) : null;
  const undoChanges = await makeChanges(ticket, content, status);
  void reload(ticket.ulid);
  if (isNote) announce(t.noteAdded);
  else offer(wanted, content, answer.data.reply, undoChanges);
  return null;
}

function shared({ body, uploads }: Content) {
  return {
    body_format: 'markdown',
    body: withoutEmptyEnd(body),
    attachment_ids: attachmentsOf(uploads).map(({ id }) => id),
  };
}

async function sendNote({ ticket }: Wanted, content: Content): Promise<Answer<{ reply: Message }>> {
  const mentions = mentionedIn(content.body, agents(ticket.site_id).peek() ?? []);
  const answer = await ask<{ note: Message }>('POST', `/tickets/${ticket.ulid}/notes`, {
    ...shared(content),
    mentions,
  });
  return answer.isOk ? { ...answer, data: { reply: answer.data.note } } : answer;
}

function sendReply({ ticket, seen, signature, status, sendAt }: Wanted, content: Content) {
  return ask<{ reply: Message }>('POST', `/tickets/${ticket.ulid}/messages`, {
    ...shared(content),
    ...(signature === '' ? {} : { body: `${withoutEmptyEnd(content.body).trimEnd()}\n\n${signature}` }),
    status: status ?? content.staged?.status ?? null,
    after_message: seen,
    ...(sendAt === null ? { hold_seconds: holdSeconds } : { send_at: sendAt.toISOString() }),
  });
}

/** @returns what takes the changes back */
async function makeChanges(ticket: TicketDetail, { staged }: Content, status: TicketChange['status'] | null) {
  const change = changeOf(staged, me.peek()?.id ?? 0, now());
  const wanted = status === null ? change : { ...change, status };
  if (wanted === null) return async () => undefined;
  const answer = await ask('PATCH', `/tickets/${ticket.ulid}`, wanted);
  // The text is on its way all the same.
  if (!answer.isOk) {
    announce(t.stagedRefused(reasonOf(answer.refusal)), 'problem');
    return async () => undefined;
  }
  const back = wayBack(wanted, ticket) ?? [];
  return async () => {
    for (const step of back) await ask('PATCH', `/tickets/${ticket.ulid}`, step);
  };
}

function offer(
  { ticket, draft, sendAt, status }: Wanted,
  content: Content,
  reply: Message,
  undoChanges: () => Promise<void>,
): void {
  const sentText =
    status === 'resolved' ? t.replySentResolved : status === 'pending' ? t.replySentPending : t.replySent;
  offerUndo(sendAt === null ? sentText : t.replyScheduled, async () => {
    const answer = await ask('DELETE', `/tickets/${ticket.ulid}/messages/${reply.ulid}`);
    if (!answer.isOk) {
      announce(answer.refusal.code === 'already_sent' ? t.tooLateToUndo : reasonOf(answer.refusal), 'problem');
      return;
    }
    await undoChanges();
    bringBack(draft, content);
    void reload(ticket.ulid);
    go(`/tickets/${ticket.ulid}`);
    announce(t.replyUndone);
  });
}

/** What was written since stays, below. */
function bringBack(draft: Draft, sent: Content): void {
  const since = draft.content.peek();
  draft.change({
    tab: 'reply',
    body: [sent.body, since.body].filter((text) => text !== '').join('\n\n'),
    uploads: [...sent.uploads, ...since.uploads],
    staged: sent.staged,
  });
}
