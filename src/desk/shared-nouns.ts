// The verbs of what several sites can have, such as teams and macros. A change is in the audit log, and told to each site that has it or had it.

import type { Ability } from '../domain/actor.ts';
import { notFound } from '../domain/errors.ts';
import type { Tx } from '../engine/database.ts';
import { allSiteIds, siteById } from '../store/sites/sites.ts';
import { authorise, requireVersion } from './access.ts';
import { audit } from './audit.ts';
import type { Context } from './context.ts';
import { record } from './record.ts';

export type SharedNounName = 'team' | 'macro';

interface Kept {
  id: number;
  name: string;
  version: number;
}

interface Rules<Row extends Kept, Input, Change> {
  noun: SharedNounName;
  /** Of who adds, changes and removes them. */
  ability: Ability;
  /** @param site null for every site in scope */
  list(tx: Tx, ctx: Context, site: string | null): readonly Row[];
  get(tx: Tx, id: number): Row | undefined;
  /** What the caller sees of it; null for nothing, which is a 404. */
  seen(tx: Tx, ctx: Context, row: Row): Row | null;
  /** 403 for who sees it and cannot change it. */
  requireChange(tx: Tx, ctx: Context, row: Row): void;
  insert(tx: Tx, ctx: Context, input: Input): Row;
  /** What it is then; the same row if nothing is different. */
  update(tx: Tx, ctx: Context, row: Row, input: Change): Row;
  delete(tx: Tx, id: number): void;
  /** Ids; none for every site. */
  sitesOf(row: Row): readonly number[];
  /** What is not shared is neither audited nor announced. */
  isShared?(row: Row): boolean;
  /** The row as the audit log gets it. */
  shown?(row: Row): object;
}

export interface SharedNoun<Row extends Kept, Input, Change> {
  readonly noun: SharedNounName;
  etag(row: Pick<Row, 'id' | 'version'>): string;
  list: Rules<Row, Input, Change>['list'];
  /** For another verb, which has asked who may. */
  find(tx: Tx, ctx: Context, id: number): Row;
  read(tx: Tx, ctx: Context, id: number): Row;
  add(tx: Tx, ctx: Context, input: Input): Row;
  change(tx: Tx, ctx: Context, id: number, input: Change, ifMatch: readonly string[] | null): Row;
  remove(tx: Tx, ctx: Context, id: number, ifMatch: readonly string[] | null): void;
  /** Without asking who may. */
  discard(tx: Tx, ctx: Context, row: Row): void;
}

export function sharedNoun<Row extends Kept, Input, Change>(
  rules: Rules<Row, Input, Change>,
): SharedNoun<Row, Input, Change> {
  const { noun, ability, list } = rules;
  const etag = ({ id, version }: Pick<Row, 'id' | 'version'>) => `"${noun}-${id}-${version}"`;
  const find = (tx: Tx, ctx: Context, id: number): Row => {
    const row = rules.get(tx, id);
    const seen = row && rules.seen(tx, ctx, row);
    if (!seen) throw notFound(noun);
    return seen;
  };
  const open = (tx: Tx, ctx: Context, id: number, ifMatch: readonly string[] | null): Row => {
    authorise(ctx, ability);
    const row = rules.get(tx, find(tx, ctx, id).id) as Row;
    rules.requireChange(tx, ctx, row);
    requireVersion(ifMatch, etag(row));
    return row;
  };
  const tell = (tx: Tx, ctx: Context, before: Row | null, after: Row | null) => {
    const rows = [before, after].filter((row) => row !== null);
    if (rules.isShared === undefined || rows.some(rules.isShared)) tellShared(tx, ctx, rules, before, after, rows);
  };
  const discard = (tx: Tx, ctx: Context, row: Row) => {
    rules.delete(tx, row.id);
    tell(tx, ctx, row, null);
  };
  return {
    noun,
    etag,
    list,
    find,
    read(tx, ctx, id) {
      authorise(ctx, 'read');
      return find(tx, ctx, id);
    },
    add(tx, ctx, input) {
      authorise(ctx, ability);
      const row = rules.insert(tx, ctx, input);
      tell(tx, ctx, null, row);
      return row;
    },
    change(tx, ctx, id, input, ifMatch) {
      const row = open(tx, ctx, id, ifMatch);
      const changed = rules.update(tx, ctx, row, input);
      if (changed !== row) tell(tx, ctx, row, changed);
      return changed;
    },
    remove(tx, ctx, id, ifMatch) {
      discard(tx, ctx, open(tx, ctx, id, ifMatch));
    },
    discard,
  };
}

function tellShared<Row extends Kept>(
  tx: Tx,
  ctx: Context,
  { noun, sitesOf, shown = (row) => row }: Pick<Rules<Row, never, never>, 'noun' | 'sitesOf' | 'shown'>,
  before: Row | null,
  after: Row | null,
  rows: readonly Row[],
): void {
  const change = before === null ? 'created' : after === null ? 'deleted' : 'updated';
  const [{ id, name }, sites] = [rows.at(-1) as Row, sitesOf(rows.at(-1) as Row)];
  audit(tx, ctx, {
    action: `${noun}.${change}`,
    target: { type: noun, id, name },
    siteId: sites.length === 1 ? (sites[0] ?? null) : null,
    before: before && shown(before),
    after: after && shown(after),
  });
  const concerned = rows.map(sitesOf);
  const ids = concerned.some(({ length }) => length === 0) ? allSiteIds(tx) : concerned.flat();
  for (const site of new Set(ids)) {
    const ulid = siteById(tx, site)?.ulid;
    if (ulid === undefined) continue;
    const data = { site_ulid: ulid, [noun]: id, change };
    record(tx, ctx, { kind: 'site.updated', siteId: site, ticketId: null, data });
  }
}
