// Who wrote the ticket, their other tickets, and erasing them.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { withoutBidi } from '../../shared/bidi.ts';
import { day } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { ask } from '../../shared/signed-in.ts';
import { subjectText } from '../list/messages.ts';
import { Link } from '../route.ts';
import { StatusIcon, statusText } from '../tickets/status.tsx';
import type { Ticket, TicketDetail } from '../wire.ts';
import { t } from './messages.ts';

interface Customer {
  ticket_count: number;
  open_count: number;
  tickets: Pick<Ticket, 'ulid' | 'reference' | 'subject' | 'status' | 'created_at'>[];
}

const mostOthers = 5;
/** An agent who goes through tickets reads this only where they stay. */
const restMs = 3000;

export function AuthorSection({ ticket }: { ticket: TicketDetail }) {
  const { author } = ticket;
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
      {author.external_id !== null && (
        <p class="soft external-id" title={t.externalId}>
          <bdi>{author.external_id}</bdi>
        </p>
      )}
      <OtherTickets key={author.id} authorId={author.id} current={ticket.ulid} version={ticket.updated_at} />
    </div>
  );
}

function OtherTickets({ authorId, current, version }: { authorId: number; current: string; version: string }) {
  const customer = useSignal<Customer | null>(null);
  useEffect(() => {
    let isShown = true;
    const load = async () => {
      const answer = await ask<{ data: Customer }>('GET', `/customers/${authorId}`);
      // Without an answer the ticket is complete all the same; the page of the customer explains what is wrong.
      if (isShown && answer.isOk) customer.value = answer.data.data;
    };
    const timer = setTimeout(() => void load(), customer.peek() === null ? restMs : 0);
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [authorId, version]);
  const others = customer.value?.tickets.filter(({ ulid }) => ulid !== current).slice(0, mostOthers) ?? [];
  if (customer.value === null) return null;
  if (others.length === 0) return <p class="soft">{t.firstTicket}</p>;
  const more = customer.value.ticket_count - 1 - others.length;
  return (
    <div class="others">
      <h3>{t.otherTickets}</h3>
      <ul>
        {others.map(({ ulid, reference, subject, status }) => (
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
