// The verbs of what several sites can have, such as teams and macros. A change is in the audit log, and told to each site that has it or had it.

import type { Tx } from '../engine/database.ts';
import { allSiteIds, siteById } from '../store/sites/sites.ts';
import { requireVersion } from './access.ts';
import { audit } from './audit.ts';
import type { Context } from './context.ts';
import { record } from './record.ts';

interface Kept {
  id: number;
  name: string;
  version: number;
}

interface Rules<Row extends Kept, Input, Change> {
  noun: 'team' | 'macro';
  /** @param site null for every site in scope */
  list(tx: Tx, ctx: Context, site: string | null): readonly Row[];
  /** 404 for who does not see it. */
  read(tx: Tx, ctx: Context, id: number): Row;
  /** For a change; 403 for who sees it and cannot change it. */
  open(tx: Tx, ctx: Context, id: number): Row;
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
  readonly noun: Rules<Row, Input, Change>['noun'];
  etag(row: Pick<Row, 'id' | 'version'>): string;
  list: Rules<Row, Input, Change>['list'];
  read: Rules<Row, Input, Change>['read'];
  add(tx: Tx, ctx: Context, input: Input): Row;
  change(tx: Tx, ctx: Context, id: number, input: Change, ifMatch: readonly string[] | null): Row;
  remove(tx: Tx, ctx: Context, id: number, ifMatch: readonly string[] | null): void;
  /** Without asking who may. */
  discard(tx: Tx, ctx: Context, row: Row): void;
}

export function sharedNoun<Row extends Kept, Input, Change>(
  rules: Rules<Row, Input, Change>,
): SharedNoun<Row, Input, Change> {
  const { noun, list, read } = rules;
  const etag = ({ id, version }: Pick<Row, 'id' | 'version'>) => `"${noun}-${id}-${version}"`;
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
    read,
    add(tx, ctx, input) {
      const row = rules.insert(tx, ctx, input);
      tell(tx, ctx, null, row);
      return row;
    },
    change(tx, ctx, id, input, ifMatch) {
      const row = rules.open(tx, ctx, id);
      requireVersion(ifMatch, etag(row));
      const changed = rules.update(tx, ctx, row, input);
      if (changed !== row) tell(tx, ctx, row, changed);
      return changed;
    },
    remove(tx, ctx, id, ifMatch) {
      const row = rules.open(tx, ctx, id);
      requireVersion(ifMatch, etag(row));
      discard(tx, ctx, row);
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
