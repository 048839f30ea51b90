// Sending what was written: held for ten seconds in which it can be undone, or at a chosen time.

import type { Answer, Refusal } from '../../shared/api.ts';
import { now } from '../../shared/clock.ts';
import { announce } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { agents, senders, teams } from '../catalogue.ts';
import { onEvent } from '../live/live.ts';
import { go } from '../route.ts';
import { me } from '../session.ts';
import { reload } from '../tickets/cache.ts';
import { about, reasonOf, reasons } from '../tickets/change.ts';
import { type TicketChange, wayBack } from '../tickets/effects.ts';
import { offerUndo } from '../undo.ts';
import type { Message, TicketDetail } from '../wire.ts';
import { mentionedIn } from './completion.ts';
import type { Content, Draft } from './draft-types.ts';
import { addressesFor, chosenSender, goesToIn } from './goes-to.ts';
import { withoutEmptyEnd } from './markdown-edit.ts';
import { t } from './messages.ts';
import { signed } from './preview.tsx';
import { changeOf } from './staged.ts';
import { attachmentsOf } from './uploads.ts';

const holdSeconds = 10;

Object.assign(reasons, {
  desk_address: () => t.recipientIsDesk,
  too_many_recipients: () => t.tooManyRecipients,
});

export interface Wanted {
  ticket: TicketDetail;
  draft: Draft;
  /** The newest public message that the agent has seen. */
  seen: string | null;
  signature: string;
  status: 'pending' | 'resolved' | null;
  sendAt: Date | null;
  /** The same for a repeat of what was not answered, so that it is not sent twice. */
  key: string;
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
  // The status of a reply comes when it is sent.
  const status = isNote ? (wanted.status ?? content.staged?.status ?? null) : null;
  const undoChanges = await makeChanges(ticket, content, status);
  void reload(ticket.ulid);
  offer(wanted, content, answer.data.reply, undoChanges);
  return null;
}

function shared({ body, uploads }: Content) {
  return {
    body_format: 'markdown',
    body: withoutEmptyEnd(body),
    attachment_ids: attachmentsOf(uploads).map(({ id }) => id),
  };
}

async function sendNote({ ticket, key }: Wanted, content: Content): Promise<Answer<{ reply: Message }>> {
  const { site_id: siteId } = ticket;
  const named = mentionedIn(content.body, agents(siteId).peek() ?? [], teams(siteId).peek() ?? []);
  const note = { ...shared(content), ...named, hold_seconds: holdSeconds };
  const answer = await ask<{ note: Message }>('POST', `/tickets/${ticket.ulid}/notes`, note, once(key));
  return answer.isOk ? { ...answer, data: { reply: answer.data.note } } : answer;
}

const once = (key: string) => ({ 'Idempotency-Key': key });

function sendReply({ ticket, seen, signature, status, sendAt, key }: Wanted, content: Content) {
  const goesTo = goesToIn(content.fields);
  const reply = {
    ...shared(content),
    body: signed(content.body, signature),
    status: status ?? content.staged?.status ?? null,
    ...addressesFor(ticket, goesTo),
    from: chosenSender(goesTo, senders(ticket.site_id).peek()),
    after_message: seen,
    ...(sendAt === null ? { hold_seconds: holdSeconds } : { send_at: sendAt.toISOString() }),
  };
  return ask<{ reply: Message }>('POST', `/tickets/${ticket.ulid}/messages`, reply, once(key));
}

/** @returns what takes the changes back */
async function makeChanges(ticket: TicketDetail, { staged }: Content, status: TicketChange['status'] | null) {
  const change = changeOf(staged, me.peek()?.id ?? 0, now());
  const wanted = status === null ? change : { ...change, status };
  if (wanted === null) return async () => undefined;
  const answer = await ask('PATCH', `/tickets/${ticket.ulid}`, wanted);
  // The text is on its way all the same.
  if (!answer.isOk) {
    announce(about(ticket.reference, t.stagedRefused(reasonOf(answer.refusal))), 'problem');
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
  const say = (text: string) => about(ticket.reference, text);
  const isNote = content.tab === 'note';
  const held = isNote ? t.noteHeld : forStatus(status, heldTexts());
  const text = sendAt === null ? held : t.replyScheduled;
  const lastsMs = sendAt === null ? holdSeconds * 1000 : sendAt.getTime() - now();
  const end = offerUndo(say(text), undo, Math.min(lastsMs, longestTimerMs));
  const ignore = onceDecided(reply.ulid, status, (became) => {
    end();
    if (became !== 'withdrawn') announce(say(isNote ? t.noteAdded : forStatus(became, sentTexts())));
  });

  async function undo(): Promise<void> {
    const answer = await ask('DELETE', `/tickets/${ticket.ulid}/messages/${reply.ulid}`);
    if (!answer.isOk) {
      const isSent = answer.refusal.code === 'already_sent';
      const tooLate = isNote ? t.noteTooLateToUndo : t.tooLateToUndo;
      announce(say(isSent ? tooLate : reasonOf(answer.refusal)), 'problem');
      return;
    }
    ignore();
    await undoChanges();
    bringBack(draft, content);
    void reload(ticket.ulid);
    go(`/tickets/${ticket.ulid}`);
    announce(say(isNote ? t.noteUndone : t.replyUndone));
  }
}

const longestTimerMs = 2 ** 31 - 1;
const heldTexts = () => [t.replyHeld, t.replyHeldResolved, t.replyHeldPending] as const;
const sentTexts = () => [t.replySent, t.replySentResolved, t.replySentPending] as const;

function forStatus(status: Wanted['status'], [alone, resolved, pending]: ReturnType<typeof heldTexts>): string {
  return status === 'resolved' ? resolved : status === 'pending' ? pending : alone;
}

/** The desk sets the status as it sends the reply, unless the ticket can no longer get it. */
function onceDecided(
  ulid: string,
  wanted: Wanted['status'],
  heard: (became: Wanted['status'] | 'withdrawn') => void,
): () => void {
  let became: Wanted['status'] = null;
  let ticketId: number | null = null;
  const ignore = onEvent(({ event, ticket_id: id, data }) => {
    const isIts = data.message_ulid === ulid;
    if (isIts && event === 'ticket.reply_withdrawn') {
      ignore();
      heard('withdrawn');
    } else if (isIts && (event === 'ticket.replied' || event === 'ticket.note_added')) {
      ticketId = id;
      // What happened with it comes right behind.
      setTimeout(() => {
        ignore();
        heard(became);
      }, behindMs);
    } else if (event === 'ticket.status_changed' && id === ticketId && data.new_status === wanted) became = wanted;
  });
  return ignore;
}

const behindMs = 50;

/** What was written since stays, below. */
function bringBack(draft: Draft, sent: Content): void {
  const since = draft.content.peek();
  draft.change({
    tab: sent.tab,
    body: [sent.body, since.body].filter((text) => text !== '').join('\n\n'),
    uploads: [...sent.uploads, ...since.uploads],
    staged: sent.staged,
    fields: sent.fields,
  });
}
