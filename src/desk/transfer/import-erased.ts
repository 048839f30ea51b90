// People erased since an export was made: they are imported erased, and the erasure goes through what came of theirs.

import type { Instant } from '../../base/clock.ts';
import { anonymisedEmail, anonymisedName } from '../../domain/customers/author.ts';
import type { RowOf, TransferRow } from '../../domain/input/transfer.ts';
import { isAddress, normaliseEmail } from '../../domain/mail/address.ts';
import type { Context } from '../context.ts';
import { type Erasure, fingerprintOf, instantsOf, keyOf, type Mark } from '../customers/erasure.ts';

type AuthorRow = RowOf<'author'>;

export interface ErasedPeople {
  /** The row as it is to be imported: an author who was erased comes without name, address and external id. */
  imported(row: TransferRow): TransferRow;
  /** The authors before their erasure. */
  all(): readonly AuthorRow[];
  asTheyWere(authorId: number): AuthorRow | undefined;
  /** Addresses of erased people of whom no author came: they only got copies, wrote mail that was held, or are in side conversations. */
  strangers(): readonly string[];
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
  const keyUnder = (mark: Mark, key: string | number, value: string) =>
    keyOf(mark, fingerprintOf(ctx, mark, key, value));
  const among = (mark: Mark, value: string) => keys.map((key) => instants.get(keyUnder(mark, key, value)));
  const newest = (found: readonly (Instant | undefined)[]) => Math.max(...found.filter((at) => at !== undefined));
  return {
    isAny: instants.size > 0 || older.size > 0,
    /** Instants are -Infinity where no one was erased. */
    ofAddress: (email: string): Instant => newest(among('email', email)),
    ofAuthor({ id, external_id, email }: AuthorRow): Instant {
      const mark: Mark = external_id === null ? 'email' : 'external-id';
      const value = external_id ?? normaliseEmail(email);
      const numbered = instantsOf(older.get(id) ?? []).get(keyUnder(mark, site.id, value));
      return newest([...among(mark, value), numbered]);
    },
  };
}

/** Every text in a row that is an address by itself, wherever it stands. */
function* addressesIn(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    if (value.includes('@') && isAddress(value)) yield normaliseEmail(value);
  } else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* addressesIn(inner);
}

export function createErasedPeople(ctx: Context, site: RowOf<'site'>, known: readonly Erasure[]): ErasedPeople {
  const erased = finderOf(ctx, site, known);
  const people = new Map<number, AuthorRow>();
  const instants = new Map<string, Instant>();
  const strangers = new Set<string>();

  function author(row: AuthorRow): AuthorRow {
    const at = row.anonymised_at === null ? erased.ofAuthor(row) : Number.NEGATIVE_INFINITY;
    if (row.created_at > at) return row;
    people.set(row.id, row);
    return { ...row, external_id: null, email: anonymisedEmail(row.id), name: anonymisedName, anonymised_at: at };
  }

  function lookFor(row: Exclude<TransferRow, AuthorRow>): void {
    const from = 'created_at' in row ? row.created_at : 'received_at' in row ? row.received_at : 0;
    for (const email of addressesIn(row)) {
      const at = instants.get(email) ?? erased.ofAddress(email);
      instants.set(email, at);
      if (from <= at) strangers.add(email);
    }
  }

  return {
    all: () => [...people.values()],
    asTheyWere: (authorId) => people.get(authorId),
    strangers: () => [...strangers],
    imported(row) {
      if (!erased.isAny) return row;
      if (row.type === 'author') return author(row);
      lookFor(row);
      return row;
    },
  };
}
