// Who wrote the ticket, their other tickets, and erasing them.

import { withoutBidi } from '../../shared/bidi.ts';
import { day } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { subjectText } from '../list/messages.ts';
import { Link } from '../route.ts';
import { StatusIcon, statusText } from '../tickets/status.tsx';
import type { TicketDetail } from '../wire.ts';
import { t } from './messages.ts';

export function AuthorSection({ ticket }: { ticket: TicketDetail }) {
  const { author, author_paused_at: pausedAt } = ticket;
  if (author === null) return <p class="soft">{t.noAuthor}</p>;
  if (author.anonymised_at !== null) return <p class="soft">{t.authorErased(day(author.anonymised_at))}</p>;
  return (
    <div class="author">
      <Link href={`/customers/${author.id}`} class="author-name">
        <bdi>{withoutBidi(author.name ?? author.email)}</bdi>
      </Link>
      {author.name !== null && (
        <a class="author-address" href={`mailto:${author.email}`} title={author.email}>
          <bdi>{author.email}</bdi>
        </a>
      )}
      <p class={author.is_verified ? 'verified' : 'unverified'}>
        <Icon name={author.is_verified ? 'check' : 'alert'} />
        {author.is_verified ? t.authorVerified : t.authorNotVerified}
      </p>
      {pausedAt !== null && (
        <p class="unverified" title={t.authorPausedHint}>
          <Icon name="alert" />
          {t.participantPaused(day(pausedAt))}
        </p>
      )}
      {author.external_id !== null && (
        <p class="soft external-id" title={t.externalId}>
          <bdi>{author.external_id}</bdi>
        </p>
      )}
      <OtherTickets authorId={author.id} others={ticket.other_tickets} />
    </div>
  );
}

function OtherTickets({ authorId, others }: { authorId: number; others: TicketDetail['other_tickets'] }) {
  if (others === undefined) return null;
  const { newest, count } = others;
  if (newest.length === 0) return <p class="soft">{t.firstTicket}</p>;
  const more = count - newest.length;
  return (
    <div class="others">
      <h3>{t.otherTickets}</h3>
      <ul>
        {newest.map(({ ulid, reference, subject, status }) => (
          <li key={ulid}>
            <StatusIcon status={status} />
            <Link href={`/tickets/${ulid}`} title={subjectText(subject)}>
              <span class="soft">{reference}</span> <bdi>{subjectText(subject)}</bdi>
            </Link>
            <span class="status-word">{statusText(status)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <Link href={`/customers/${authorId}`}>{t.moreTickets(String(more))}</Link>}
    </div>
  );
}
