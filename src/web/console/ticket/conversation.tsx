// The conversation: newest first into view, earlier parts as the agent scrolls up, nothing moved by what arrives.

import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Button } from '../../shared/button.tsx';
import { dayKey } from '../../shared/format.ts';
import { session } from '../session.ts';
import type { TicketDetail } from '../wire.ts';
import { type Entry, entriesOf } from './entries.ts';
import { DayLine, EventLine } from './event-line.tsx';
import { MessageView } from './message.tsx';
import { t } from './messages.ts';
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
import { TicketIcon } from './ticket-icons.tsx';

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
            label={t.toNewest}
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
  const said = entry.kind === 'message' ? entry.message : entry.kind === 'event' ? entry.event : entry.at;
  const files = entry.kind === 'event' ? entry.files.length : 0;
  const drawn = useMemo(() => {
    switch (entry.kind) {
      case 'message':
        return <MessageView ticket={ticket} message={entry.message} isFirst={isFirst} isMarked={isMarked} />;
      case 'event':
        return <EventLine ticket={ticket} event={entry.event} files={entry.files} />;
      case 'day':
        return <DayLine at={entry.at} />;
    }
  }, [ticket.ulid, ticket.site_id, said, files, isFirst, isMarked]);
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
