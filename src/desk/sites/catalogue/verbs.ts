// The five verbs and the order that everything in a site's catalogue has.

import { invalid, notFound } from '../../../domain/errors.ts';
import type { OrderInput } from '../../../domain/input/sites.ts';
import { mostOnSite } from '../../../domain/sites/limits.ts';
import type { Tx } from '../../../engine/database.ts';
import type { Site } from '../../../store/sites/sites.ts';
import { authorise, findSite, requireVersion } from '../../access.ts';
import { audit, auditSite, siteTarget } from '../../audit.ts';
import type { Context } from '../../context.ts';
import { record } from '../../record.ts';

export interface Catalogue<Row, Input, Change> {
  readonly noun: string;
  list(tx: Tx, ctx: Context, site: string): { site: Site; rows: readonly Row[] };
  read(tx: Tx, ctx: Context, site: string, id: number): { site: Site; row: Row };
  add(tx: Tx, ctx: Context, site: string, input: Input): { site: Site; row: Row };
  change(
    tx: Tx,
    ctx: Context,
    site: string,
    id: number,
    input: Change,
    ifMatch: readonly string[] | null,
  ): { site: Site; row: Row };
  remove(tx: Tx, ctx: Context, site: string, id: number, ifMatch: readonly string[] | null): void;
  order(tx: Tx, ctx: Context, site: string, input: OrderInput): { site: Site; rows: readonly Row[] };
}

interface Kept {
  id: number;
  version: number;
}

export function rowEtag(noun: string, row: Kept): string {
  return `"${noun.replaceAll(' ', '-')}-${row.id}-${row.version}"`;
}

/** What people know a row by. */
function nameOf(row: Kept): string | null {
  const { name, key, address } = row as Kept & { name?: string | null; key?: string; address?: string | null };
  return name ?? key ?? address ?? null;
}

interface Rows<Row extends Kept> {
  get(tx: Tx, siteId: number, id: number): Row | undefined;
  list(tx: Tx, siteId: number): readonly Row[];
  insert(tx: Tx, row: never): number;
  update(tx: Tx, id: number, change: never): void;
  remove(tx: Tx, id: number): void;
  reorder(tx: Tx, ids: readonly number[]): void;
}

type Underscored<Noun extends string> = Noun extends `${infer First} ${infer Rest}`
  ? `${First}_${Underscored<Rest>}`
  : Noun;
type CatalogueWord = Underscored<keyof typeof mostOnSite>;
const pastTense = { added: 'created', changed: 'updated', removed: 'deleted' } as const;

interface Rules<Row extends Kept, Input, Change> {
  noun: keyof typeof mostOnSite;
  rows: Rows<Row>;
  compose(tx: Tx, ctx: Context, site: Site, input: Input): Omit<Row, 'id' | 'version' | 'siteId'>;
  revise(tx: Tx, ctx: Context, site: Site, row: Row, input: Change): Partial<Row>;
  settle?(tx: Tx, site: Site, row: Row, before: Row | null, input: Input | Change, ctx: Context): void;
  release?(tx: Tx, site: Site, row: Row): void;
  /** The row as the audit log gets it. */
  shown?(row: Row, ctx: Context): object;
}

export function catalogue<Row extends Kept, Input, Change>(
  rules: Rules<Row, Input, Change>,
): Catalogue<Row, Input, Change> {
  const { noun, rows } = rules;
  const most = mostOnSite[noun];
  const find = (tx: Tx, site: Site, id: number): Row => {
    const row = rows.get(tx, site.id, id);
    if (!row) throw notFound(noun);
    return row;
  };
  const word = noun.replaceAll(' ', '_') as CatalogueWord;
  const note = (
    tx: Tx,
    ctx: Context,
    site: Site,
    change: keyof typeof pastTense,
    before: Row | null,
    after: Row | null,
  ) => {
    const row = (after ?? before) as Row;
    record(tx, ctx, {
      kind: 'site.updated',
      siteId: site.id,
      ticketId: null,
      data: { site_ulid: site.ulid, [word]: row.id, change },
    });
    const target = { type: word, id: row.id, name: nameOf(row) };
    const shown = (row: Row | null) => row && (rules.shown?.(row, ctx) ?? row);
    const sides = { before: shown(before), after: shown(after) };
    audit(tx, ctx, { action: `${word}.${pastTense[change]}`, target, siteId: site.id, ...sides });
    auditSite(tx, ctx, site, findSite(tx, ctx, site.id));
  };
  return {
    noun,
    list(tx, ctx, name) {
      authorise(ctx, 'read');
      const site = findSite(tx, ctx, name);
      return { site, rows: rows.list(tx, site.id) };
    },
    read(tx, ctx, name, id) {
      authorise(ctx, 'read');
      const site = findSite(tx, ctx, name);
      return { site, row: find(tx, site, id) };
    },
    add(tx, ctx, name, input) {
      authorise(ctx, 'manage');
      const site = findSite(tx, ctx, name);
      const total = rows.list(tx, site.id).length;
      if (total >= most) throw invalid('site', `has ${total} of these already, and ${most} is the limit.`);
      const id = rows.insert(tx, { ...rules.compose(tx, ctx, site, input), siteId: site.id, version: 1 } as never);
      const row = find(tx, site, id);
      rules.settle?.(tx, site, row, null, input, ctx);
      note(tx, ctx, site, 'added', null, row);
      return { site: findSite(tx, ctx, site.id), row };
    },
    change(tx, ctx, name, id, input, ifMatch) {
      authorise(ctx, 'manage');
      const site = findSite(tx, ctx, name);
      const row = find(tx, site, id);
      requireVersion(ifMatch, rowEtag(noun, row));
      const change = rules.revise(tx, ctx, site, row, input);
      if (Object.keys(change).length > 0) rows.update(tx, id, { ...change, version: row.version + 1 } as never);
      const changed = find(tx, site, id);
      rules.settle?.(tx, site, changed, row, input, ctx);
      note(tx, ctx, site, 'changed', row, changed);
      return { site: findSite(tx, ctx, site.id), row: changed };
    },
    remove(tx, ctx, name, id, ifMatch) {
      authorise(ctx, 'manage');
      const site = findSite(tx, ctx, name);
      const row = find(tx, site, id);
      requireVersion(ifMatch, rowEtag(noun, row));
      rules.release?.(tx, site, row);
      rows.remove(tx, id);
      note(tx, ctx, site, 'removed', row, null);
    },
    order(tx, ctx, name, { ids, from }) {
      authorise(ctx, 'manage');
      const site = findSite(tx, ctx, name);
      const before = rows.list(tx, site.id);
      const known = before.map((row) => row.id);
      requireVersion(from === undefined ? null : [from.join()], known.join());
      if (ids.length !== known.length || new Set(ids).size !== ids.length || !ids.every((id) => known.includes(id))) {
        throw invalid('ids', `must name each ${noun} of the site once.`);
      }
      rows.reorder(tx, ids);
      const after = rows.list(tx, site.id);
      record(tx, ctx, {
        kind: 'site.updated',
        siteId: site.id,
        ticketId: null,
        data: { site_ulid: site.ulid, order: noun },
      });
      audit(tx, ctx, {
        // Mailboxes have no order, and no operation that changes it.
        action: `${word as Exclude<CatalogueWord, 'mailbox'>}.ordered`,
        target: siteTarget(site),
        siteId: site.id,
        before: { ids: known, order: before.map(nameOf) },
        after: { ids, order: after.map(nameOf) },
      });
      return { site, rows: after };
    },
  };
}
