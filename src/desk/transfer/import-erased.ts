// People erased since an export was made: their rows are imported as the erasure would have left them.

import type { Instant } from '../../base/clock.ts';
import { anonymisedEmail, anonymisedName } from '../../domain/customers/author.ts';
import { type Traces, tracesOf } from '../../domain/customers/traces.ts';
import { isAuthorMail } from '../../domain/event.ts';
import type { RowOf, TransferRow } from '../../domain/input/transfer.ts';
import { normaliseEmail } from '../../domain/mail/address.ts';
import type { Tx } from '../../engine/database.ts';
import { authorsByEmail } from '../../store/customers/authors.ts';
import { erasedMail } from '../../store/mail/inbound-erasure.ts';
import type { Context } from '../context.ts';
import { type Erasure, fingerprintOf, instantsOf, keyOf, type Mark } from '../customers/erasure.ts';
import { technicalContext, withoutNames, withoutPerson } from '../customers/scrub-ticket.ts';
import { erasedMailId } from '../mail/mail-ids.ts';

type AuthorRow = RowOf<'author'>;

export interface ErasedPeople {
  count(): number;
  /** The author before erasure, if they are to be imported erased. */
  asTheyWere(authorId: number): AuthorRow | undefined;
  /** Null if nothing remains. Authors must come before what is theirs. */
  without(tx: Tx, siteId: number, row: TransferRow): TransferRow | null;
}

export function originOf(site: RowOf<'site'>): string {
  return site.origin_ulid ?? site.ulid;
}

/** Matches tombstones of the same site by its origin; tombstones without an origin by site and author ids. */
function finderOf(ctx: Context, site: RowOf<'site'>, known: readonly Erasure[]) {
  const origin = originOf(site);
  const same = known.filter((one) => one.originUlid === origin);
  const instants = instantsOf(same);
  const keys = [...new Set([origin, ...same.map((one) => one.siteId)])];
  const older = new Map<number, Erasure[]>();
  for (const one of known)
    if (one.originUlid === null && one.siteId === site.id)
      older.set(one.authorId, [...(older.get(one.authorId) ?? []), one]);
  return ({ id, external_id, email, created_at, anonymised_at }: AuthorRow): Instant | null => {
    if (anonymised_at !== null || (instants.size === 0 && older.size === 0)) return null;
    const mark: Mark = external_id === null ? 'email' : 'external-id';
    const keyUnder = (key: string | number) =>
      keyOf(mark, fingerprintOf(ctx, mark, key, external_id ?? normaliseEmail(email)));
    const found = [
      ...keys.map((key) => instants.get(keyUnder(key))),
      instantsOf(older.get(id) ?? []).get(keyUnder(site.id)),
    ].filter((at) => at !== undefined);
    const at = Math.max(...found);
    return found.length > 0 && created_at <= at ? at : null;
  };
}

export function createErasedPeople(ctx: Context, site: RowOf<'site'>, known: readonly Erasure[]): ErasedPeople {
  const erasedAt = finderOf(ctx, site, known);
  const people = new Map<number, { row: AuthorRow; at: Instant }>();
  const byEmail = new Map<string, Instant>();
  const authorOfTicket = new Map<number, number>();
  /** Ulids of replies that are not imported. */
  const dropped = new Set<string>();
  const { without, withoutWords, noteAuthor, noteOther } = createTicketTraces();

  function isTheirs(tx: Tx, siteId: number, email: string | null): boolean {
    return email !== null && byEmail.has(email) && authorsByEmail(tx, siteId, email).length === 0;
  }

  function author(row: AuthorRow): AuthorRow {
    const at = erasedAt(row);
    if (at === null) return row;
    people.set(row.id, { row, at });
    const email = normaliseEmail(row.email);
    byEmail.set(email, Math.max(at, byEmail.get(email) ?? 0));
    return { ...row, external_id: null, email: anonymisedEmail(row.id), name: anonymisedName, anonymised_at: at };
  }

  function ticket(row: RowOf<'ticket'>): RowOf<'ticket'> {
    const person = people.get(row.author_id)?.row;
    if (person === undefined) return row;
    authorOfTicket.set(row.id, row.author_id);
    const traces = noteAuthor(row, person);
    return {
      ...row,
      subject: traces.text(row.subject),
      tags: row.tags.filter((tag) => !traces.isIn(tag)),
      metadata: traces.json(row.metadata),
      context: traces.json(technicalContext(row.context)),
      custom_fields: withoutPerson(row.custom_fields as never, traces),
    };
  }

  /** They are gone from the ticket, and what is said of them on it too. */
  function participant(row: RowOf<'participant'>): RowOf<'participant'> | null {
    const person = people.get(row.author_id);
    if (person) noteOther(row.ticket_id, person.row, null);
    return person ? null : row;
  }

  function message(row: RowOf<'message'>): RowOf<'message'> {
    const isOwn = row.author_id !== null && people.has(row.author_id);
    const delivery =
      row.delivery !== null && authorOfTicket.has(row.ticket_id) ? { ...row.delivery, error: null } : row.delivery;
    const writer = isOwn && row.author_id !== authorOfTicket.get(row.ticket_id) ? people.get(row.author_id ?? 0) : null;
    if (writer) noteOther(row.ticket_id, writer.row, row.author_name);
    return { ...withoutWords(row), author_name: isOwn ? anonymisedName : row.author_name, delivery };
  }

  function scheduledReply(row: RowOf<'scheduled_reply'>): RowOf<'scheduled_reply'> | null {
    if (authorOfTicket.has(row.ticket_id)) {
      dropped.add(row.ulid);
      return null;
    }
    return withoutWords(row);
  }

  function attachment(row: RowOf<'attachment'>): RowOf<'attachment'> {
    const isLoose = authorOfTicket.has(row.ticket_id);
    const filename = without(row.ticket_id, row.filename);
    return { ...row, filename, scheduled_reply_id: isLoose ? null : row.scheduled_reply_id };
  }

  function event(row: RowOf<'event'>): RowOf<'event'> {
    const isTheirs = row.actor.type === 'author' && people.has(row.actor.id ?? 0);
    const actor = isTheirs ? { ...row.actor, name: null } : row.actor;
    const told = dropped.has(String(row.data.message_ulid)) ? { ...row.data, message_ulid: null } : row.data;
    return { ...row, actor, data: without(row.ticket_id, told) };
  }

  function delivery(row: RowOf<'delivery'>): RowOf<'delivery'> {
    const authorId = authorOfTicket.get(row.ticket_id);
    const { recipient, recipient_name, last_error } = row;
    if (authorId === undefined || !isAuthorMail(row.event))
      return { ...row, ...without(row.ticket_id, { recipient, recipient_name, last_error }) };
    return { ...row, recipient: anonymisedEmail(authorId), recipient_name: null, last_error: null };
  }

  function mail(tx: Tx, siteId: number, row: RowOf<'mail'>): RowOf<'mail'> {
    const owner = people.get(authorOfTicket.get(row.ticket_id ?? 0) ?? 0);
    const isOnTheirs =
      owner !== undefined &&
      (row.outcome === 'ticket_created' || row.outcome === 'bounce_recorded' || row.sender === owner.row.email);
    if (!isOnTheirs && !isTheirs(tx, siteId, row.sender)) {
      const { ticket_id, recipient, subject, reason, trace, headers } = row;
      return { ...row, ...without(ticket_id, { recipient, subject, reason, trace, headers }) };
    }
    const email = isOnTheirs ? owner.row.email : row.sender;
    return {
      ...row,
      ...erasedMail,
      mail_message_id: row.mail_message_id === null ? null : erasedMailId(ctx, row.mail_message_id),
      recipient: row.recipient === email ? null : row.recipient,
      erased_at: owner?.at ?? byEmail.get(email ?? '') ?? row.received_at,
    };
  }

  function aside(tx: Tx, siteId: number, row: RowOf<'side_conversation'>): RowOf<'side_conversation'> {
    const { subject, messages } = without(row.ticket_id, { subject: row.subject, messages: row.messages });
    return {
      ...row,
      subject,
      people: row.people.filter(({ email }) => !isTheirs(tx, siteId, email)),
      messages: messages.map((message, at) =>
        isTheirs(tx, siteId, row.messages[at]?.sender_email ?? null)
          ? { ...message, sender_email: null, sender_name: anonymisedName, mail_message_id: null }
          : message,
      ),
    };
  }

  return {
    count: () => people.size,
    asTheyWere: (authorId) => people.get(authorId)?.row,
    without(tx, siteId, row) {
      if (row.type === 'author') return author(row);
      if (people.size === 0) return row;
      if (row.type === 'ticket') return ticket(row);
      if (row.type === 'participant') return participant(row);
      if (row.type === 'message') return message(row);
      if (row.type === 'scheduled_reply') return scheduledReply(row);
      if (row.type === 'attachment') return attachment(row);
      if (row.type === 'side_conversation') return aside(tx, siteId, row);
      if (row.type === 'event') return event(row);
      if (row.type === 'delivery') return delivery(row);
      if (row.type === 'mail') return mail(tx, siteId, row);
      return row.type === 'suppression' && isTheirs(tx, siteId, row.address) ? null : row;
    },
  };
}

// What names the erased people of each ticket that is imported.
type Author = RowOf<'author'>;

function createTicketTraces() {
  /** The ticket's author, then everyone who wrote on it so far. */
  const tracesByTicket = new Map<number, Traces[]>();
  const writers = new Set<string>();
  function without<Value>(ticketId: number | null, value: Value): Value {
    return (tracesByTicket.get(ticketId ?? 0) ?? []).reduce((rest, traces) => traces.json(rest), value);
  }
  return {
    without,
    withoutWords<Row extends RowOf<'message'> | RowOf<'scheduled_reply'>>(row: Row): Row {
      const traces = { json: <Value>(value: Value) => without(row.ticket_id, value) };
      const { body, html } = row;
      const whole = 'whole_body' in row ? { whole_body: row.whole_body } : {};
      const recipients = row.recipients?.map((one) => withoutNames(traces, one)) ?? null;
      return { ...row, ...traces.json({ body, html, ...whole }), recipients };
    },
    noteAuthor(ticket: RowOf<'ticket'>, person: Author): Traces {
      const user = ticket.context?.user;
      const some = (texts: readonly (string | null | undefined)[]) => texts.filter((text) => typeof text === 'string');
      const known = {
        names: some([person.name, user?.name]),
        emails: some([person.email, user?.email]),
        externalIds: some([person.external_id, user?.external_id]),
      };
      const traces = tracesOf(known, true);
      tracesByTicket.set(ticket.id, [traces]);
      return traces;
    },
    /** Someone other than the author: a participant, and the writer of the first message with each name. */
    noteOther(ticketId: number, person: Author, calledThere: string | null): void {
      const key = `${ticketId} ${person.id} ${calledThere}`;
      if (writers.has(key)) return;
      writers.add(key);
      const known = {
        names: [person.name, calledThere].filter((name) => name !== null),
        emails: [person.email],
        externalIds: person.external_id === null ? [] : [person.external_id],
      };
      tracesByTicket.set(ticketId, [...(tracesByTicket.get(ticketId) ?? []), tracesOf(known, false)]);
    },
  };
}
