// A conversation on paper: who wrote what and when, in full, and nothing to press.

import { withoutBidi } from '../../../shared/bidi.ts';
import { fileSize } from '../../../shared/file-size.ts';
import { dateAndTime } from '../../../shared/format.ts';
import { RichHtml } from '../../../shared/rich-html.tsx';
import { subjectText } from '../../list/messages.ts';
import { session } from '../../session.ts';
import { statusText } from '../../tickets/status.tsx';
import type { Message, TicketDetail } from '../../wire.ts';
import { PlainText } from '../message/plain-text.tsx';
import { t } from '../messages.ts';
import { printed } from './printing.ts';

export function PrintSheet({ ticket }: { ticket: TicketDetail }) {
  const how = printed.value;
  if (how === null) return null;
  const { author } = ticket;
  const site = session.value?.sites.find(({ id }) => id === ticket.site_id)?.name;
  const messages = ticket.messages.filter(
    ({ send_at: waits, is_internal: isNote }) => waits == null && (how.hasNotes || !isNote),
  );
  return (
    <article class="print-sheet">
      <h1 dir="auto">{subjectText(ticket.subject)}</h1>
      <p class="soft">
        {[ticket.reference, statusText(ticket.status), dateAndTime(ticket.created_at), site ?? '']
          .filter(Boolean)
          .join(' · ')}
      </p>
      {author !== null && (
        <p>
          <bdi>{withoutBidi(author.name ?? '')}</bdi> <bdi>{author.email}</bdi>
        </p>
      )}
      {messages.map((message) => (
        <Printed key={message.ulid} message={message} />
      ))}
    </article>
  );
}

function Printed({ message }: { message: Message }) {
  const { body, html, author, attachments } = message;
  const address = message.is_agent || author === null ? '' : author.email;
  return (
    <section class={message.is_internal ? 'printed-note' : ''}>
      <h2>
        <bdi>{withoutBidi(message.author_name)}</bdi>
        {address !== '' && address !== message.author_name && <bdi class="soft"> {address}</bdi>}
        <span class="soft">
          {message.is_internal && ` · ${t.noteBadge}`}
          {' · '}
          <time dateTime={message.created_at}>{dateAndTime(message.created_at)}</time>
        </span>
      </h2>
      {html !== null && message.body_format === 'markdown' ? <RichHtml html={html} /> : <PlainText text={body} />}
      {attachments.length > 0 && (
        <ul>
          {attachments.map(({ ulid, filename, size }) => (
            <li key={ulid}>
              <bdi>{withoutBidi(filename)}</bdi> <span class="soft">{fileSize(size)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
