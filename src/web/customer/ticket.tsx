// A ticket as its customer reads it. Reading needs no script; answering and "This is solved" do.

import type { ComponentChildren } from 'preact';
import { locale } from '../shared/format.ts';
import type { IconName } from '../shared/icon-paths.ts';
import { Icon } from '../shared/icons.tsx';
import { linkedText } from '../shared/linked-text.tsx';
import { Actions } from './actions.tsx';
import { Composer } from './composer.tsx';
import { Forgetting } from './forgetting.tsx';
import { t } from './messages.ts';
import type { ShownThread, TicketPage } from './page-content.ts';
import { day, NeedsScript } from './parts.tsx';
import { RatingOnPage } from './rating.tsx';
import { isRunning } from './state.ts';
import { FileList, Thread } from './thread.tsx';

export function Ticket({ thread, files }: TicketPage) {
  const { ticket, messages, looseFiles, hasEarlier, hasLater } = thread;
  const path = `/t/${ticket.ulid}`;
  const [first] = messages;
  return (
    <>
      <article id="ticket">
        <header class="ticket-head">
          <p class="soft">
            <span class="number">{ticket.reference}</span>
            {ticket.category !== null && (
              <span>
                <bdi>{ticket.category}</bdi>
              </span>
            )}
            <span>{t.openedOn(day(ticket.created_at))}</span>
            {thread.participants.length > 0 && (
              <span class="with-people">{t.withPeople(new Intl.ListFormat(locale()).format(thread.participants))}</span>
            )}
          </p>
          <h1 dir="auto">{ticket.subject}</h1>
        </header>
        <StateBar thread={thread} mayAct={!hasLater} />
        {!hasLater && <RatingOnPage thread={thread} />}
        {thread.fields.length > 0 && <Fields fields={thread.fields} />}
        {hasEarlier && first !== undefined && (
          <p class="more">
            <a href={`${path}?before=${first.ulid}`}>{t.earlierMessages}</a>
          </p>
        )}
        <Thread messages={messages} />
        {looseFiles.length > 0 && (
          <div class="loose">
            <FileList files={looseFiles} name={t.filesLabel} />
          </div>
        )}
        {hasLater ? (
          <p class="more">
            <a href={path}>{t.newestMessages}</a>
          </p>
        ) : (
          <div id="composer">{isRunning.value && <Composer thread={thread} rules={files} />}</div>
        )}
        <NeedsScript text={t.answerNeedsScript} />
      </article>
      <Forgetting />
    </>
  );
}

function stateOf(words: ShownThread['status_words']): { icon: IconName; words: string; next: string } {
  switch (words) {
    case 'received':
      return { icon: 'inbox', words: t.stateReceived, next: t.answerComes };
    case 'in_progress':
      return { icon: 'clock', words: t.stateInProgress, next: t.answerComes };
    case 'answered':
      return { icon: 'mail', words: t.stateAnswered, next: t.answeredNext };
    case 'waiting_for_you':
      return { icon: 'pause', words: t.stateWaitingForYou, next: t.waitingNext };
    case 'solved':
      return { icon: 'done', words: t.stateSolved, next: t.solvedNext };
    case 'closed':
      return { icon: 'lock', words: t.stateClosed, next: t.closedNext };
  }
}

function StateBar({ thread, mayAct }: { thread: ShownThread; mayAct: boolean }) {
  const { icon, words, next } = stateOf(thread.status_words);
  return (
    <section class={`state ${thread.ticket.status}`} id="state">
      <Icon name={icon} />
      <div class="state-words">
        <h2>{words}</h2>
        <p class="soft">{next}</p>
      </div>
      <div id="actions">{isRunning.value && mayAct && <Actions may={thread.may} />}</div>
    </section>
  );
}

/** Beyond these, the conversation would be pushed off the screen. */
const mostOpenFields = 3;

function Fields({ fields }: { fields: ShownThread['fields'] }) {
  return (
    <details class="facts" open={fields.length <= mostOpenFields}>
      <summary>{t.details}</summary>
      <dl>
        {fields.map((own) => (
          <div key={own.key}>
            <dt>
              <bdi>{own.label}</bdi>
            </dt>
            <dd class="words" dir="auto">
              {fieldValue(own)}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function fieldValue({ type, value }: ShownThread['fields'][number]): ComponentChildren {
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (typeof value === 'number') return new Intl.NumberFormat(locale(), { maximumFractionDigits: 20 }).format(value);
  if (Array.isArray(value)) return value.join(', ');
  return type === 'date' ? day(String(value)) : linkedText(String(value));
}
