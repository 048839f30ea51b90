// People erased since an export was made: their rows are imported as the erasure would have left them.

import type { Instant } from '../../base/clock.ts';
import { normaliseEmail } from '../../domain/address.ts';
import { anonymisedEmail, anonymisedName } from '../../domain/author.ts';
import { authorMails } from '../../domain/event.ts';
import type { RowOf, TransferRow } from '../../domain/input/transfer.ts';
import type { Tx } from '../../store/database.ts';
import { erasedMail } from '../../store/inbound-erasure.ts';
import { authorsByEmail } from '../../store/people.ts';
import type { Context } from '../context.ts';
import { type Erasure, fingerprintOf, instantsOf, keyOf, type Mark } from '../erasure.ts';
import { erasedMailId } from '../mail-ids.ts';
import { technicalContext, withoutPerson } from '../scrub-ticket.ts';
import { createTicketTraces } from './ticket-traces.ts';

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
  const { without, noteAuthor, noteWriter } = createTicketTraces();

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

  function message(row: RowOf<'message'>): RowOf<'message'> {
    const isOwn = row.author_id !== null && people.has(row.author_id);
    const delivery =
      row.delivery !== null && authorOfTicket.has(row.ticket_id) ? { ...row.delivery, error: null } : row.delivery;
    const writer = isOwn && row.author_id !== authorOfTicket.get(row.ticket_id) ? people.get(row.author_id ?? 0) : null;
    if (writer) noteWriter(row, writer.row);
    const { body, html, whole_body } = row;
    const words = without(row.ticket_id, { body, html, whole_body });
    return { ...row, ...words, author_name: isOwn ? anonymisedName : row.author_name, delivery };
  }

  function scheduledReply(row: RowOf<'scheduled_reply'>): RowOf<'scheduled_reply'> | null {
    if (authorOfTicket.has(row.ticket_id)) {
      dropped.add(row.ulid);
      return null;
    }
    const { body, html } = row;
    return { ...row, ...without(row.ticket_id, { body, html }) };
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
    if (authorId === undefined || !authorMails.includes(row.event)) return row;
    return { ...row, recipient: anonymisedEmail(authorId), recipient_name: null, last_error: null };
  }

  function namesIn({ ticket_id, recipient, subject, reason, trace, headers }: RowOf<'mail'>) {
    return without(ticket_id, { recipient, subject, reason, trace, headers });
  }

  function mail(tx: Tx, siteId: number, row: RowOf<'mail'>): RowOf<'mail'> {
    const owner = people.get(authorOfTicket.get(row.ticket_id ?? 0) ?? 0);
    const isOnTheirs =
      owner !== undefined &&
      (row.outcome === 'ticket_created' || row.outcome === 'bounce_recorded' || row.sender === owner.row.email);
    if (!isOnTheirs && !isTheirs(tx, siteId, row.sender)) return { ...row, ...namesIn(row) };
    const email = isOnTheirs ? owner.row.email : row.sender;
    return {
      ...row,
      ...erasedMail,
      mail_message_id: row.mail_message_id === null ? null : erasedMailId(ctx, row.mail_message_id),
      recipient: row.recipient === email ? null : row.recipient,
      erased_at: owner?.at ?? byEmail.get(email ?? '') ?? row.received_at,
    };
  }

  return {
    count: () => people.size,
    asTheyWere: (authorId) => people.get(authorId)?.row,
    without(tx, siteId, row) {
      if (row.type === 'author') return author(row);
      if (people.size === 0) return row;
      if (row.type === 'ticket') return ticket(row);
      if (row.type === 'message') return message(row);
      if (row.type === 'scheduled_reply') return scheduledReply(row);
      if (row.type === 'attachment') return attachment(row);
      if (row.type === 'event') return event(row);
      if (row.type === 'delivery') return delivery(row);
      if (row.type === 'mail') return mail(tx, siteId, row);
      return row.type === 'suppression' && isTheirs(tx, siteId, row.address) ? null : row;
    },
  };
}
