// The conversation: newest first into view, earlier parts as the agent scrolls up, nothing moved by what arrives.

import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Button } from '../../../shared/button.tsx';
import { dateAndTime, dayKey } from '../../../shared/format.ts';
import { Link } from '../../route.ts';
import { can, session } from '../../session.ts';
import type { Attachment, TicketDetail, WireEvent } from '../../wire.ts';
import { Attachments } from '../files/attachments.tsx';
import { TicketIcon } from '../header/ticket-icons.tsx';
import { MessageView } from '../message/message.tsx';
import { t } from '../messages.ts';
import { SideThread } from '../side-conversations/side-thread.tsx';
import { undoMerge } from '../unmerge.ts';
import { type Entry, entriesOf } from './entries.ts';
import { eventText } from './event-text.ts';
import { namesOf } from './names.ts';
import {
  holdPlace,
  isAtEnd,
  type Settling,
  savedPlace,
  savePlace,
  settle,
  showMessage,
  showNewest,
} from './thread-scroll.ts';
import { dayName, timeOfDay } from './times.ts';

const shownFirst = 40;
const shownMore = 60;

interface ConversationProps {
  ticket: TicketDetail;
  /** A message that the address names. */
  wanted: string | null;
}

export function Conversation({ ticket, wanted }: ConversationProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const afterMore = useRef<(() => void) | null>(null);
  const settling = useRef<Settling | null>(null);
  const entries = entriesOf(ticket, dayKey);
  const start = useSignal(beginningOf(entries, wanted ?? savedPlace(ticket.ulid)?.key ?? null));
  const hasNew = useSignal(false);
  const from = Math.min(start.value, Math.max(0, entries.length - 1));
  const shown = entries.slice(from);

  useLayoutEffect(() => {
    const [outer, inner] = [scroller.current, content.current];
    if (outer === null || inner === null) return;
    settling.current = settle(outer, inner, () => place(outer));
    return () => {
      settling.current?.stop();
      savePlace(ticket.ulid, outer);
    };
  }, [wanted]);
  useLayoutEffect(() => {
    afterMore.current?.();
    afterMore.current = null;
  }, [start.value]);
  useArrivals(ticket, (areOwn) => {
    const outer = scroller.current;
    if (outer === null) return;
    if (areOwn) showNewest(outer);
    else hasNew.value = outer.scrollHeight > outer.clientHeight;
  });

  function place(outer: HTMLElement): void {
    const target = wanted === null ? null : document.getElementById(`message-${wanted}`);
    if (target !== null) showMessage(outer, target);
    else if (wanted === null && savedPlace(ticket.ulid) !== null) savedPlace(ticket.ulid)?.show(outer);
    else showNewest(outer);
  }

  function showEarlier(): void {
    if (start.peek() === 0 || scroller.current === null) return;
    settling.current?.stop();
    afterMore.current = holdPlace(scroller.current);
    start.value = Math.max(0, start.peek() - shownMore);
  }

  const first = ticket.messages[0]?.ulid;
  return (
    <div class="conversation">
      <div
        ref={scroller}
        class="thread"
        role="log"
        aria-label={t.conversation}
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        onScroll={(event) => {
          if (isAtEnd(event.currentTarget)) hasNew.value = false;
          if (event.currentTarget.scrollTop < 600) showEarlier();
        }}
      >
        <div ref={content} class="thread-content">
          {from > 0 && (
            <div class="earlier">
              <Button kind="quiet" onClick={showEarlier}>
                {t.showEarlier}
              </Button>
            </div>
          )}
          {shown.map((entry) => (
            <EntryView
              key={entry.key}
              ticket={ticket}
              entry={entry}
              isFirst={entry.key === first}
              isMarked={entry.key === wanted}
            />
          ))}
        </div>
      </div>
      <p class="hidden" role="status">
        {hasNew.value && t.newMessage}
      </p>
      {hasNew.value && (
        <div class="to-newest">
          <Button
            kind="primary"
            onClick={() => {
              hasNew.value = false;
              if (scroller.current !== null) showNewest(scroller.current);
            }}
          >
            <TicketIcon name="down" />
            {t.newMessage}
          </Button>
        </div>
      )}
    </div>
  );
}

interface EntryViewProps {
  ticket: TicketDetail;
  entry: Entry;
  isFirst: boolean;
  isMarked: boolean;
}

/** Drawn again only when it says something else: a thousand others stay as they are. */
function EntryView({ ticket, entry, isFirst, isMarked }: EntryViewProps) {
  const said = entry.kind === 'message' ? entry.message : entry.kind === 'day' ? entry.at : entry.event;
  const files = entry.kind === 'event' ? entry.files.length : entry.kind === 'side' ? ticket.attachments : 0;
  const merge = entry.kind === 'event' ? mergeOf(ticket, entry.event) : undefined;
  const drawn = useMemo(() => {
    switch (entry.kind) {
      case 'message':
        return <MessageView ticket={ticket} message={entry.message} isFirst={isFirst} isMarked={isMarked} />;
      case 'event':
        return <EventLine ticket={ticket} event={entry.event} files={entry.files} merge={merge} />;
      case 'side':
        return <SideThread ticket={ticket} ulid={entry.ulid} seq={entry.event.seq} />;
      case 'day':
        return <DayLine at={entry.at} />;
    }
  }, [ticket.ulid, ticket.site_id, said, files, isFirst, isMarked, merge?.until]);
  return (
    <div data-key={entry.key} class="entry">
      {drawn}
    </div>
  );
}

function beginningOf(entries: readonly Entry[], key: string | null): number {
  const at = key === null ? -1 : entries.findIndex((entry) => entry.key === key);
  const newest = Math.max(0, entries.length - shownFirst);
  return at < 0 ? newest : Math.max(0, Math.min(newest, at - 5));
}

/** Calls when messages came since the conversation was opened. One that waits to be sent may stand behind them. */
function useArrivals({ messages }: TicketDetail, arrived: (areOwn: boolean) => void): void {
  const known = useRef(new Set(messages.map(({ ulid }) => ulid)));
  useEffect(() => {
    const added = messages.filter(({ ulid }) => !known.current.has(ulid));
    for (const { ulid } of added) known.current.add(ulid);
    const own = session.peek()?.agent.name;
    if (added.length > 0) arrived(added.every((message) => message.is_agent && message.agent_name === own));
  }, [messages]);
}

/** The merge that this event tells of, if it can be undone. */
function mergeOf({ ulid, merges }: TicketDetail, { event, data, created_at: at }: WireEvent): Merge | undefined {
  if (event !== 'ticket.merged' || data.into_ulid !== ulid || !can('write')) return undefined;
  return merges.find((one) => one.ticket === data.source_ulid && one.merged_at === at);
}

type Merge = TicketDetail['merges'][number];

// An event between messages, in one line, and the line where a day begins.
interface EventLineProps {
  ticket: Pick<TicketDetail, 'ulid' | 'site_id' | 'attachments'>;
  event: WireEvent;
  files: readonly Attachment[];
  merge: Merge | undefined;
}

function EventLine({ ticket, event, files, merge }: EventLineProps) {
  const { text, href } = eventText(event, ticket, namesOf(ticket));
  return (
    <div class={`event-line ${event.event.replace('.', '-')}`}>
      <p>
        {href === null ? text : <Link href={href}>{text}</Link>}
        <time dateTime={event.created_at} title={dateAndTime(event.created_at)}>
          {timeOfDay(event.created_at)}
        </time>
        {merge !== undefined && <UndoMerge merge={merge} />}
      </p>
      <Attachments ticket={ticket.ulid} files={files} />
    </div>
  );
}

function UndoMerge({ merge: { ticket: ulid, reference, until } }: { merge: Merge }) {
  return (
    <span class="undo-merge" title={t.undoMergeUntil(dateAndTime(until))}>
      <Button kind="quiet" label={t.undoMergeOf(reference)} onClick={() => void undoMerge({ ulid, reference })}>
        {t.undoMerge}
      </Button>
    </span>
  );
}

function DayLine({ at }: { at: string }) {
  return (
    <p class="day-line">
      <time dateTime={at}>{dayName(at)}</time>
    </p>
  );
}
