// A ticket as a line of a list that is not the list of tickets.

import { now } from '../../shared/clock.ts';
import { ago, dateAndTime } from '../../shared/format.ts';
import { subjectText } from '../list/messages.ts';
import { Link } from '../route.ts';
import type { Ticket } from '../wire.ts';
import { StatusIcon, statusText } from './status.tsx';

export function TicketLine({ ticket }: { ticket: Ticket }) {
  return (
    <li>
      <Link href={`/tickets/${ticket.ulid}`} class={`ticket-line${ticket.is_unread ? ' unread' : ''}`}>
        <StatusIcon status={ticket.status} isSnoozed={ticket.snoozed_until !== null} />
        <span class="ticket-status">{statusText(ticket.status)}</span>
        <span class="soft">{ticket.reference}</span>
        <span class="ticket-subject" title={subjectText(ticket.subject)}>
          <bdi>{subjectText(ticket.subject)}</bdi>
          {ticket.snippet !== null && (
            <span class="soft">
              {' '}
              <bdi>{ticket.snippet}</bdi>
            </span>
          )}
        </span>
        <time class="soft" dateTime={ticket.updated_at} title={dateAndTime(ticket.updated_at)}>
          {ago(ticket.updated_at, now())}
        </time>
      </Link>
    </li>
  );
}
