// What an agent should know before sending: someone wrote meanwhile, another version of the draft, or why the desk refused.

import type { Refusal } from '../../shared/api.ts';
import { withoutBidi } from '../../shared/bidi.ts';
import { Button } from '../../shared/button.tsx';
import { ago } from '../../shared/format.ts';
import { Notice } from '../../shared/notices.tsx';
import { reasonOf } from '../tickets/change.ts';
import { tensOfSeconds } from '../ticking.ts';
import type { Message, TicketDetail } from '../wire.ts';
import type { Draft } from './draft-types.ts';
import { t } from './messages.ts';

interface UnseenProps {
  messages: readonly Message[];
  /** The agent wanted to send, and is asked. */
  isAsked: boolean;
  isBusy: boolean;
  onSeen: () => void;
  onSendAnyway: () => void;
}

export function UnseenMessages({ messages, isAsked, isBusy, onSeen, onSendAnyway }: UnseenProps) {
  if (messages.length === 0) return null;
  return (
    <div class="unseen" role={isAsked ? 'alert' : 'status'}>
      <Notice kind="hint">
        <p>
          <strong>{isAsked ? t.wroteBeforeSending : t.wroteMeanwhile}</strong>
        </p>
        {messages.slice(-3).map((message) => (
          <blockquote key={message.ulid} class="unseen-message">
            <p class="soft">
              <bdi>{message.author_name}</bdi> {ago(message.created_at, tensOfSeconds.value)}
            </p>
            <p class="unseen-body" dir="auto">
              {message.body}
            </p>
          </blockquote>
        ))}
        <p class="warning-actions">
          {isAsked && (
            <Button kind="primary" isBusy={isBusy} onClick={onSendAnyway}>
              {t.sendAnyway}
            </Button>
          )}
          <Button onClick={onSeen}>{isAsked ? t.keepEditing : t.iHaveSeenIt}</Button>
        </p>
      </Notice>
    </div>
  );
}

interface FileMissedProps {
  onSend: () => void;
  onStay: () => void;
}

export function FileMissed({ onSend, onStay }: FileMissedProps) {
  return (
    <div role="alert">
      <Notice kind="hint">
        <p>
          <strong>{t.fileMissed}</strong>
        </p>
        <p class="warning-actions">
          <Button onClick={onSend}>{t.sendAnyway}</Button>
          <Button onClick={onStay}>{t.keepEditing}</Button>
        </p>
      </Notice>
    </div>
  );
}

export function OtherVersion({ draft }: { draft: Draft }) {
  const other = draft.other.value;
  if (other === null) return null;
  return (
    <div role="alert">
      <Notice kind="hint">
        <p>
          <strong>{t.otherVersion(ago(other.updated_at, tensOfSeconds.value))}</strong>
        </p>
        <p class="unseen-body" dir="auto">
          {other.body}
        </p>
        <p class="warning-actions">
          <Button onClick={draft.takeOther}>{t.takeOtherVersion}</Button>
          <Button onClick={draft.keepOwn}>{t.keepThisVersion}</Button>
        </p>
      </Notice>
    </div>
  );
}

/** Drafts to another customer. The agent decides whether one is for this customer. */
export function LeftDrafts({ draft, author }: { draft: Draft; author: TicketDetail['author'] }) {
  const named = (person: { name: string | null; email: string } | null) =>
    withoutBidi(person?.name ?? person?.email ?? '');
  return draft.left.value.map((left) => (
    <div key={left.ticket} role="alert">
      <Notice kind="hint">
        <p>
          <strong>{t.leftDraft(left.reference, named(left.author))}</strong> {t.repliesGoTo(named(author))}
        </p>
        <p class="unseen-body" dir="auto">
          {left.body}
        </p>
        <p class="warning-actions">
          <Button onClick={() => void draft.settleLeft(left, true)}>{t.takeLeftDraft}</Button>
          <Button onClick={() => void draft.settleLeft(left, false)}>{t.discardLeftDraft}</Button>
        </p>
      </Notice>
    </div>
  ));
}

export function SendRefused({ refusal, isWaiting }: { refusal: Refusal | null; isWaiting: boolean }) {
  return (
    <div role="alert">
      {isWaiting && <Notice kind="problem">{t.sentWhenBack}</Notice>}
      {refusal !== null && !isWaiting && (
        <Notice kind="problem">
          <p>{t.notSent(refusal.fields.body?.join(' ') ?? reasonOf(refusal))}</p>
          {refusal.requestId !== null && (
            <p class="request-id">
              {t.requestId} <code>{refusal.requestId}</code>
            </p>
          )}
        </Notice>
      )}
    </div>
  );
}
