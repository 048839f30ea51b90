// The audit log: a page of it as JSON, or all of it as CSV.

import * as z from 'zod';
import { toWire } from '../../base/clock.ts';
import { type AuditQuestion, auditFilter } from '../../desk/audit.ts';
import type { Context } from '../../desk/context.ts';
import type { Desk } from '../../desk/desk.ts';
import { type AuditActorType, auditActions, auditActorTypes, auditTargetTypes } from '../../domain/audit.ts';
import { csvLine } from '../../domain/csv.ts';
import { DeskError } from '../../domain/errors.ts';
import { type AuditFilter, type AuditRow, auditRows, createAuditPage } from '../../store/audit.ts';
import { turnsOf } from '../turns.ts';
import * as query from './queries.ts';
import { id, named, time } from './shapes.ts';

const withoutId = ['command_line', 'desk', 'unknown'] as const satisfies readonly AuditActorType[];

/** `agent:3`, `token:5`, `command_line`; just a number is an agent. */
const actor = z
  .string()
  .max(64)
  .transform((text, check) => {
    const [, word = 'agent', digits] = /^(?:(agent|token):)?(\d{1,15})$/.exec(text) ?? [];
    if (digits !== undefined) return { type: word as AuditActorType, id: Number(digits) };
    const type = withoutId.find((one) => one === text);
    if (type !== undefined) return { type, id: null };
    check.addIssue({ code: 'custom', message: `must be agent:1, token:1, ${withoutId.join(', ')}.` });
    return z.NEVER;
  })
  .meta({ type: 'string', description: 'agent:3, token:5, command_line, desk or unknown.', examples: ['agent:3'] });

/** `category:5`. */
const target = z
  .string()
  .max(64)
  .transform((text, check) => {
    const [, word, digits] = /^(\w+):(\d{1,15})$/.exec(text) ?? [];
    const type = auditTargetTypes.find((one) => one === word);
    if (type !== undefined) return { type, id: Number(digits) };
    check.addIssue({ code: 'custom', message: 'must be a type of target and an id, such as category:5.' });
    return z.NEVER;
  })
  .meta({ type: 'string', description: 'What was changed, by its type and id.', examples: ['category:5'] });

export const auditQuery = z.object({
  actor: actor.optional(),
  target: target.optional(),
  action: query.list(z.enum(auditActions)).optional().meta({ description: 'Can be repeated; any of them.' }),
  field: query
    .list(z.string().regex(/^[a-z_]{1,64}$/, { error: 'must be the name of a field, such as bucket.' }))
    .optional()
    .meta({ description: 'Can be repeated; only changes of any of these fields.', examples: [['bucket']] }),
  site_id: query.site().optional(),
  from: query.time('first').optional(),
  to: query.time('last').optional(),
  per_page: query.paging.per_page,
  cursor: z.string().max(64).optional().meta({ description: 'meta.next_cursor of the previous page.' }),
  format: z.enum(['json', 'csv']).optional().meta({ description: 'csv answers all rows as CSV, as Accept does.' }),
});
type AuditQuery = z.output<typeof auditQuery>;

const side = () => z.record(z.string(), z.unknown()).nullable();

const auditEntryShape = named(
  'AuditEntry',
  z.object({
    id: id(),
    created_at: time(),
    action: z.enum(auditActions),
    actor: z.object({ type: z.enum(auditActorTypes), id: z.int().nullable(), name: z.string().nullable() }),
    address: z.string().nullable(),
    site_id: id().nullable(),
    target: z.object({ type: z.enum(auditTargetTypes), id: z.int().nullable(), name: z.string().nullable() }),
    before: side(),
    after: side(),
  }),
);

function presentEntry(row: AuditRow) {
  return {
    id: row.id,
    created_at: toWire(row.at),
    action: row.action,
    actor: { type: row.actorType, id: row.actorId, name: row.actorName },
    address: row.address,
    site_id: row.siteId,
    target: { type: row.targetType, id: row.targetId, name: row.targetName },
    before: row.before,
    after: row.after,
  };
}
export type AuditEntry = ReturnType<typeof presentEntry>;

export const auditPageShape = z.object({
  data: z.array(auditEntryShape),
  links: z.object({ first: z.string(), last: z.null(), prev: z.null(), next: z.string().nullable() }),
  meta: z.object({ per_page: z.int(), next_cursor: z.string().nullable() }),
});

type Key = readonly number[];

function encodeCursor(key: Key): string {
  return key.map((part) => part.toString(36)).join('-');
}

function decodeCursor(text: string): Key {
  const key = text.split('-').map((part) => (/^[0-9a-z]{1,11}$/.test(part) ? Number.parseInt(part, 36) : Number.NaN));
  if (key.length !== 2 || !key.every(Number.isSafeInteger))
    throw new DeskError('malformed', 'This cursor does not belong to this list.', { reason: 'bad_cursor' });
  return key;
}

function questionOf(asked: AuditQuery): AuditQuestion {
  return {
    site: asked.site_id ?? null,
    actor: asked.actor ?? null,
    target: asked.target ?? null,
    actions: asked.action ?? [],
    fields: asked.field ?? [],
    from: asked.from ?? null,
    to: asked.to ?? null,
  };
}

// A filter that few rows meet walks many entries: in turns with other requests, and no longer than this.
const mostMs = 5000;

async function rowsAfter(desk: Desk, filter: AuditFilter, limit: number, after: Key | null): Promise<AuditRow[]> {
  const steps = createAuditPage(filter, limit, after);
  await turnsOf(desk).run(steps.step, mostMs);
  const ids = steps.rows().map((row) => row.id);
  return desk.read((tx) => auditRows(tx, ids));
}

const keyOf = ({ at, id }: AuditRow): Key => [at, id];

export async function listAudit(desk: Desk, baseUrl: string, ctx: Context, asked: AuditQuery, url: URL) {
  const { perPage } = query.pageOf(asked);
  const after = asked.cursor === undefined ? null : decodeCursor(asked.cursor);
  const filter = desk.read((tx) => auditFilter(tx, ctx, questionOf(asked)));
  // One extra row shows whether there is a next page.
  const rows = await rowsAfter(desk, filter, perPage + 1, after);
  const shown = rows.slice(0, perPage);
  const last = shown.at(-1);
  const next = rows.length > perPage && last ? encodeCursor(keyOf(last)) : null;
  const link = (cursor: string | null) => {
    const search = new URLSearchParams(url.search);
    search.delete('cursor');
    if (cursor !== null) search.set('cursor', cursor);
    return `${baseUrl}${url.pathname}${search.size > 0 ? `?${search}` : ''}`;
  };
  return {
    data: shown.map(presentEntry),
    links: { first: link(null), last: null, prev: null, next: next === null ? null : link(next) },
    meta: { per_page: perPage, next_cursor: next },
  };
}

const headings = [
  ...['id', 'created_at', 'action', 'actor_type', 'actor_id', 'actor_name', 'address', 'site_id'],
  ...['target_type', 'target_id', 'target_name', 'before', 'after'],
];

function lineOf(row: AuditRow): string {
  const { actor, target, ...entry } = presentEntry(row);
  const side = (value: unknown) => (value === null ? null : JSON.stringify(value));
  return csvLine([
    ...[entry.id, entry.created_at, entry.action, actor.type, actor.id, actor.name, entry.address, entry.site_id],
    ...[target.type, target.id, target.name, side(entry.before), side(entry.after)],
  ]);
}

const linesAtOnce = 200;

/** Part by part. @param isWelcome asked before each part, since a slow reader may outlive its credential */
export function auditCsv(
  desk: Desk,
  ctx: Context,
  asked: AuditQuery,
  isWelcome: () => boolean,
): AsyncGenerator<string> {
  const question = questionOf({ ...asked, to: Math.min(asked.to ?? ctx.now, ctx.now) });
  const filter = desk.read((tx) => auditFilter(tx, ctx, question));
  return parts();

  async function* parts() {
    yield csvLine(headings);
    for (let after: Key | null = null; ; ) {
      if (!isWelcome()) throw new DeskError('unauthenticated', 'The credential is no longer valid.');
      const rows = await rowsAfter(desk, filter, linesAtOnce, after);
      if (rows.length > 0) yield rows.map(lineOf).join('');
      const last = rows.at(-1);
      if (rows.length < linesAtOnce || last === undefined) return;
      after = keyOf(last);
    }
  }
}
