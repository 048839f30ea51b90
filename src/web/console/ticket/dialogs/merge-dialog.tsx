// Merging: find the other ticket, then confirm, since two conversations become one.

import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { isolated, withoutBidi } from '../../../shared/bidi.ts';
import { Button } from '../../../shared/button.tsx';
import { Dialog } from '../../../shared/dialog.tsx';
import { movedBy } from '../../../shared/list-keys.ts';
import { Notice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { draftOf } from '../../composer/drafts.ts';
import { subjectText } from '../../list/messages.ts';
import { reload } from '../../tickets/cache.ts';
import { reasonOf, tellChanged } from '../../tickets/change.ts';
import '../../tickets/merge-refusals.ts';
import { StatusIcon, statusText } from '../../tickets/status.tsx';
import type { List, Ticket, TicketDetail } from '../../wire.ts';
import { t } from '../messages.ts';
import { closeDialog } from './dialogs.ts';

const pauseMs = 200;

/** Before anything is typed: other tickets of the same customer. */
function queryFor(ticket: TicketDetail, words: string): string {
  const query = new URLSearchParams({ site_id: String(ticket.site_id), per_page: '9' });
  if (ticket.is_test) query.set('include_test', '1');
  if (words !== '') query.set('q', words);
  else if (ticket.author !== null) query.set('email', ticket.author.email);
  return query.toString();
}

type Author = TicketDetail['author'];
const nameOf = (author: Author) => isolated(withoutBidi(author?.name ?? author?.email ?? ''));

export function MergeDialog({ ticket }: { ticket: TicketDetail }) {
  const id = useId();
  const submission = useSubmission();
  const words = useSignal('');
  const found = useSignal<readonly Ticket[] | null>(null);
  const chosen = useSignal<Ticket | null>(null);
  const isUnchosen = useSignal(false);
  const asked = useRef(0);

  useEffect(() => {
    asked.current += 1;
    const number = asked.current;
    const timer = setTimeout(
      async () => {
        const answer = await ask<List<Ticket>>('GET', `/tickets?${queryFor(ticket, words.value.trim())}`);
        // A slower answer to earlier words comes too late.
        if (number !== asked.current || !answer.isOk) return;
        found.value = answer.data.data
          .filter((one) => one.ulid !== ticket.ulid && one.merged_into === null)
          .slice(0, 8);
        if (!found.value.some(({ ulid }) => ulid === chosen.peek()?.ulid)) chosen.value = null;
      },
      words.value === '' ? 0 : pauseMs,
    );
    return () => clearTimeout(timer);
  }, [words.value]);

  async function merge(): Promise<void> {
    const into = chosen.value;
    isUnchosen.value = into === null;
    if (into === null) return;
    // A draft in this browser must be on the desk to be found again.
    await draftOf(ticket.ulid, 'reply').settle();
    const isDone = await submission.send(() => ask('POST', `/tickets/${ticket.ulid}/merge`, { into: into.ulid }));
    if (isDone === null) return;
    closeDialog();
    void reload(into.ulid);
    void draftOf(into.ulid, 'reply').refresh(true);
    tellChanged(ticket.ulid, { status: 'closed', merged_into: into.ulid });
    // The merged ticket leads to the other one, which says so and offers to undo it.
    void reload(ticket.ulid);
  }

  function move(event: KeyboardEvent): void {
    const rows = found.value ?? [];
    const at = rows.findIndex(({ ulid }) => ulid === chosen.value?.ulid);
    const next = event.key.startsWith('Arrow') ? movedBy(event.key, at, rows.length) : null;
    const row = next === null ? undefined : rows[next];
    if (row === undefined) return;
    event.preventDefault();
    chosen.value = row;
  }

  const refusal = submission.refusal.value;
  const rows = found.value;
  const other = chosen.value !== null && chosen.value.author?.id !== ticket.author?.id ? chosen.value.author : null;
  return (
    <Dialog title={t.merge} onClose={closeDialog}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void merge();
        }}
      >
        <p class="soft">{t.mergeLead(ticket.reference)}</p>
        <div role="alert">
          {refusal !== null && (
            <Notice kind="problem">{refusal.code === 'reply_waiting' ? t.mergeReplyWaits : reasonOf(refusal)}</Notice>
          )}
          {isUnchosen.value && chosen.value === null && <Notice kind="problem">{t.mergeChoose}</Notice>}
        </div>
        <div class="field">
          <label for={id}>{t.mergeFind}</label>
          <input
            id={id}
            type="text"
            role="combobox"
            aria-expanded={rows !== null && rows.length > 0}
            aria-controls={`${id}-found`}
            aria-activedescendant={chosen.value === null ? undefined : `${id}-${chosen.value.ulid}`}
            aria-autocomplete="list"
            autocomplete="off"
            autofocus
            value={words.value}
            onInput={({ currentTarget }) => {
              words.value = currentTarget.value;
            }}
            onKeyDown={move}
          />
        </div>
        <div id={`${id}-found`} class="merge-found" role="listbox" tabIndex={-1} aria-label={t.mergeResults}>
          {rows?.map((row) => (
            <div
              key={row.ulid}
              id={`${id}-${row.ulid}`}
              class="merge-row"
              role="option"
              tabIndex={-1}
              aria-selected={row.ulid === chosen.value?.ulid}
              onClick={() => {
                chosen.value = row;
              }}
              onKeyDown={(event) => {
                if (event.key === 'Enter') chosen.value = row;
              }}
            >
              <span class="merge-status" title={statusText(row.status)}>
                <StatusIcon status={row.status} />
              </span>
              <span class="soft">{row.reference}</span>
              <bdi class="merge-subject" title={subjectText(row.subject)}>
                {subjectText(row.subject)}
              </bdi>
              <bdi class="soft merge-author" title={nameOf(row.author)}>
                {nameOf(row.author)}
              </bdi>
            </div>
          ))}
        </div>
        <div role="status" class={rows?.length === 0 ? 'merge-none' : undefined}>
          {rows?.length === 0 && <p class="soft">{words.value.trim() === '' ? t.mergeNoneOfCustomer : t.mergeNone}</p>}
          {other !== null && (
            <Notice kind="hint">
              <p>
                <strong>{t.mergeOtherCustomer(nameOf(ticket.author), nameOf(other))}</strong>
              </p>
              <p>{t.mergeRecipient(`${nameOf(other)} <${isolated(other.email)}>`, nameOf(ticket.author))}</p>
            </Notice>
          )}
        </div>
        <div class="dialog-actions">
          <Button onClick={closeDialog}>{t.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={submission.isBusy.value}>
            {chosen.value === null ? t.merge : t.mergeInto(chosen.value.reference)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
