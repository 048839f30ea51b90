// Everything that happened to a ticket, the newest first.

import { useSignal } from '@preact/signals';
import { Button } from '../../shared/button.tsx';
import { ago, dateAndTime } from '../../shared/format.ts';
import { Link } from '../route.ts';
import { actorName, eventText } from '../ticket/conversation/event-text.ts';
import { namesOf } from '../ticket/conversation/names.ts';
import { tensOfSeconds } from '../ticking.ts';
import type { TicketDetail, WireEvent } from '../wire.ts';
import { t } from './messages.ts';

const firstShown = 20;

export function History({ ticket }: { ticket: TicketDetail }) {
  const isWhole = useSignal(false);
  const events = [...ticket.events].reverse();
  const shown = isWhole.value ? events : events.slice(0, firstShown);
  return (
    <>
      <ol class="history">
        {shown.map((event) => {
          const { text, href } = historyText(event, ticket);
          return (
            <li key={event.seq}>
              <span>{href === null ? text : <Link href={href}>{text}</Link>}</span>
              <time dateTime={event.created_at} title={dateAndTime(event.created_at)}>
                {ago(event.created_at, tensOfSeconds.value)}
              </time>
            </li>
          );
        })}
      </ol>
      {shown.length < events.length && (
        <Button
          onClick={() => {
            isWhole.value = true;
          }}
        >
          {t.wholeHistory(String(events.length))}
        </Button>
      )}
    </>
  );
}

/** The conversation shows messages themselves; here they are lines like the others. */
function historyText(event: WireEvent, ticket: TicketDetail): { text: string; href: string | null } {
  const who = actorName(event.actor);
  const isNote = event.data.is_internal === true;
  const texts: Partial<Record<string, string>> = {
    'ticket.replied': t.historyReplied(who),
    'ticket.note_added': t.historyNoted(who),
    'ticket.note_changed': t.historyNoteChanged(who),
    'ticket.reply_scheduled': isNote ? t.historyNoteHeld(who) : t.historyScheduled(who),
    'ticket.reply_withdrawn': isNote ? t.historyNoteWithdrew(who) : t.historyWithdrew(who),
  };
  const text = texts[event.event];
  return text === undefined ? eventText(event, ticket, namesOf(ticket)) : { text, href: null };
}
