// People of an export who were erased since it was made: their rows come in as the erasure would have left them.

import type { Instant } from '../base/clock.ts';
import { normaliseEmail } from '../domain/address.ts';
import { anonymisedEmail, anonymisedName } from '../domain/author.ts';
import { authorMails } from '../domain/event.ts';
import { automaticAnswerFrom } from '../domain/inbound.ts';
import type { RowOf, TransferRow } from '../domain/input/transfer.ts';
import type { Tx } from '../store/database.ts';
import { erasedMail } from '../store/inbound.ts';
import { authorsByEmail } from '../store/people.ts';
import {
  type Erasure,
  fingerprintOf,
  instantsOf,
  keyOf,
  type Mark,
  technicalContext,
  withoutPerson,
} from './erasure.ts';
import type { Context } from './record.ts';

type AuthorRow = RowOf<'author'>;

export interface ErasedPeople {
  /** How many of the authors that came so far are erased. */
  count(): number;
  /** An author as they were, if they are to come erased. */
  asTheyWere(authorId: number): AuthorRow | undefined;
  /** A row as it is to come, null when nothing of it remains. Authors have to come before what is theirs. */
  without(tx: Tx, siteId: number, row: TransferRow): TransferRow | null;
}

/** The ulid that the site of an export had in the beginning. */
export function originOf(site: RowOf<'site'>): string {
  return site.origin_ulid ?? site.ulid;
}

/**
 * Which authors are to stay erased, by the tombstones of the same site, wherever on this desk it was. A tombstone of before the
 * site's origin was kept counts where site and author have the numbers that they had here.
 */
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
    // Who came back after having been erased is somebody new.
    return found.length > 0 && created_at <= at ? at : null;
  };
}

/** What the desk itself has written of a person into the thread. */
function withoutBeginning({ body, is_internal }: RowOf<'message'>, email: string): string {
  const beginning = automaticAnswerFrom(email);
  const isAboutThem = is_internal && body.slice(0, beginning.length).toLowerCase() === beginning.toLowerCase();
  return isAboutThem ? automaticAnswerFrom(anonymisedName) + body.slice(beginning.length) : body;
}

export function createErasedPeople(ctx: Context, site: RowOf<'site'>, known: readonly Erasure[]): ErasedPeople {
  const erasedAt = finderOf(ctx, site, known);
  const people = new Map<number, { row: AuthorRow; at: Instant }>();
  const byEmail = new Map<string, Instant>();
  const authorOfTicket = new Map<number, number>();

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
    return {
      ...row,
      context: technicalContext(row.context),
      custom_fields: withoutPerson(row.custom_fields as never, [person.email, person.name, person.external_id]),
    };
  }

  function message(row: RowOf<'message'>): RowOf<'message'> {
    const isOwn = row.author_id !== null && people.has(row.author_id);
    const delivery =
      row.delivery !== null && authorOfTicket.has(row.ticket_id) ? { ...row.delivery, error: null } : row.delivery;
    const owner = people.get(authorOfTicket.get(row.ticket_id) ?? 0);
    const body = owner === undefined ? row.body : withoutBeginning(row, owner.row.email);
    return { ...row, author_name: isOwn ? anonymisedName : row.author_name, delivery, body };
  }

  function delivery(row: RowOf<'delivery'>): RowOf<'delivery'> {
    const authorId = authorOfTicket.get(row.ticket_id);
    if (authorId === undefined || !authorMails.includes(row.event)) return row;
    return { ...row, recipient: anonymisedEmail(authorId), recipient_name: null, last_error: null };
  }

  function mail(tx: Tx, siteId: number, row: RowOf<'mail'>): RowOf<'mail'> {
    const owner = people.get(authorOfTicket.get(row.ticket_id ?? 0) ?? 0);
    const isOnTheirs =
      owner !== undefined &&
      (row.outcome === 'ticket_created' || row.outcome === 'bounce_recorded' || row.sender === owner.row.email);
    if (!isOnTheirs && !isTheirs(tx, siteId, row.sender)) return row;
    const email = isOnTheirs ? owner.row.email : row.sender;
    return {
      ...row,
      ...erasedMail,
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
      if (row.type === 'delivery') return delivery(row);
      if (row.type === 'mail') return mail(tx, siteId, row);
      return row.type === 'suppression' && isTheirs(tx, siteId, row.address) ? null : row;
    },
  };
}
