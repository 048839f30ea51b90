// An event between messages, in one line, and the line where a day begins.

import { dateAndTime } from '../../shared/format.ts';
import { Link } from '../route.ts';
import type { Attachment, TicketDetail, WireEvent } from '../wire.ts';
import { Attachments } from './attachments.tsx';
import { eventText } from './event-text.ts';
import { namesOf } from './names.ts';
import { dayName, timeOfDay } from './times.ts';

interface EventLineProps {
  ticket: Pick<TicketDetail, 'ulid' | 'site_id'>;
  event: WireEvent;
  files: readonly Attachment[];
}

export function EventLine({ ticket, event, files }: EventLineProps) {
  const { text, href } = eventText(event, ticket, namesOf(ticket.site_id));
  return (
    <div class={`event-line ${event.event.replace('.', '-')}`}>
      <p>
        {href === null ? text : <Link href={href}>{text}</Link>}
        <time dateTime={event.created_at} title={dateAndTime(event.created_at)}>
          {timeOfDay(event.created_at)}
        </time>
      </p>
      <Attachments ticket={ticket.ulid} files={files} />
    </div>
  );
}

export function DayLine({ at }: { at: string }) {
  return (
    <p class="day-line">
      <time dateTime={at}>{dayName(at)}</time>
    </p>
  );
}
