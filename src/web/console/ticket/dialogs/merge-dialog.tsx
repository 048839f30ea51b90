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
import '../../tickets/on-demand-refusals.ts';
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
const withAddress = (author: Author) => `${nameOf(author)} <${isolated(author?.email ?? '')}>`;

/** Their addresses tell people of the same name apart. */
const apartFrom = (author: Author, other: Author) =>
  nameOf(author) === nameOf(other) ? withAddress(author) : nameOf(author);

/** The ticket whose number was typed, or the only one that was found for some words. */
function exactOf<Row extends Pick<Ticket, 'reference'>>(rows: readonly Row[], words: string): Row | undefined {
  const typed = words.trim();
  if (typed === '') return undefined;
  const named = rows.find(({ reference }) => reference === typed || reference === `#${typed}`);
  return named ?? (rows.length === 1 ? rows[0] : undefined);
}

export function MergeDialog({ ticket }: { ticket: TicketDetail }) {
  const id = useId();
  const submission = useSubmission();
  const words = useSignal('');
  const found = useSignal<readonly Ticket[] | null>(null);
  /** The row that the keys have reached. Only Enter chooses it, and only what follows merges. */
  const active = useSignal<string | null>(null);
  const chosen = useSignal<Ticket | null>(null);
  /** Enter came before the answer to the words: a single exact match is then chosen. */
  const isAwaited = useRef(false);
  const isUnchosen = useSignal(false);
  const asked = useRef(0);
  /** The words that what was found is an answer to. */
  const answered = useRef<string | null>(null);

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
        answered.current = words.peek();
        active.value = null;
        if (!found.value.some(({ ulid }) => ulid === chosen.peek()?.ulid)) chosen.value = null;
        if (isAwaited.current) chooseOrAsk(exactOf(found.value, words.peek()));
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

  function choose(row: Ticket): void {
    chosen.value = row;
    active.value = row.ulid;
  }

  function chooseOrAsk(row: Ticket | undefined): void {
    isAwaited.current = false;
    isUnchosen.value = row === undefined;
    if (row !== undefined) choose(row);
  }

  function press(event: KeyboardEvent): void {
    const rows = found.value ?? [];
    const at = rows.findIndex(({ ulid }) => ulid === active.value);
    if (event.key === 'Enter' && !event.isComposing) {
      const wanted = rows[at] ?? exactOf(rows, words.value);
      const isAnswered = answered.current === words.value;
      // The second one merges, as the button does. A key that is held is not a second one.
      if (isAnswered && !event.repeat && chosen.value !== null && (wanted ?? chosen.value) === chosen.value) return;
      event.preventDefault();
      if (event.repeat) return;
      if (isAnswered) chooseOrAsk(wanted);
      else isAwaited.current = true;
      return;
    }
    const next = event.key.startsWith('Arrow') ? movedBy(event.key, at, rows.length) : null;
    if (next === null) return;
    event.preventDefault();
    active.value = rows[next]?.ulid ?? null;
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
            aria-activedescendant={active.value === null ? undefined : `${id}-${active.value}`}
            aria-autocomplete="list"
            autocomplete="off"
            autofocus
            value={words.value}
            onInput={({ currentTarget }) => {
              words.value = currentTarget.value;
              active.value = null;
              isAwaited.current = false;
              isUnchosen.value = false;
            }}
            onKeyDown={press}
          />
        </div>
        <div id={`${id}-found`} class="merge-found" role="listbox" tabIndex={-1} aria-label={t.mergeResults}>
          {rows?.map((row) => (
            <div
              key={row.ulid}
              id={`${id}-${row.ulid}`}
              class={row.ulid === active.value ? 'merge-row is-active' : 'merge-row'}
              role="option"
              tabIndex={-1}
              aria-selected={row.ulid === chosen.value?.ulid}
              onClick={() => choose(row)}
              onKeyDown={(event) => {
                if (event.key === 'Enter') choose(row);
              }}
            >
              <FoundTicket ticket={row} />
            </div>
          ))}
        </div>
        <div role="status" class={rows?.length === 0 ? 'merge-none' : undefined}>
          {rows?.length === 0 && <p class="soft">{words.value.trim() === '' ? t.mergeNoneOfCustomer : t.mergeNone}</p>}
          {other !== null && (
            <Notice kind="hint">
              <p>
                <strong>
                  {t.mergeOtherCustomer(apartFrom(ticket.author, other), apartFrom(other, ticket.author))}
                </strong>
              </p>
              <p>{t.mergeRecipient(withAddress(other), apartFrom(ticket.author, other))}</p>
            </Notice>
          )}
        </div>
        <div class="dialog-actions">
          <Button onClick={closeDialog}>{t.cancel}</Button>
          <Button type="submit" kind={chosen.value === null ? 'plain' : 'primary'} isBusy={submission.isBusy.value}>
            {chosen.value === null ? t.merge : t.mergeInto(chosen.value.reference)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function FoundTicket({ ticket }: { ticket: Ticket }) {
  return (
    <>
      <span class="merge-status" title={statusText(ticket.status)}>
        <StatusIcon status={ticket.status} />
      </span>
      <span class="soft">{ticket.reference}</span>
      <bdi class="merge-subject" title={subjectText(ticket.subject)}>
        {subjectText(ticket.subject)}
      </bdi>
      <bdi class="soft merge-author" title={nameOf(ticket.author)}>
        {nameOf(ticket.author)}
      </bdi>
    </>
  );
}
