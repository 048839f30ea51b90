// The live board: its links, and its numbers, which name no one (docs/spec/reports.md#live-board).

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import type { Desk } from '../../../desk/desk.ts';
import { isBoardLinkOpen, openBoardLink } from '../../../desk/reports/board-links.ts';
import type { Scope } from '../../../domain/actor.ts';
import { type Instant, minuteMs } from '../../../domain/instant.ts';
import { builtInViews } from '../../../domain/lists/view.ts';
import { isThereMs } from '../../../domain/reports/board.ts';
import { dateIn, periodOf } from '../../../domain/reports/periods.ts';
import type { Tx } from '../../../engine/database.ts';
import { readDeskSettings } from '../../../store/desk-settings.ts';
import { agentById } from '../../../store/people/agents.ts';
import { agentsSince, type BoardLink, createOldestWait, ticketsBreached } from '../../../store/reports/board.ts';
import { sitesIn } from '../../../store/scope.ts';
import { turnsOf } from '../../turns.ts';
import { ticketCounts } from '../lists/ticket-counts.ts';
import { filterOf } from '../lists/ticket-query.ts';
import { queryOfView } from '../lists/views.ts';
import { presenter } from '../presenter.ts';
import { id, maybeTime, named, time } from '../shapes.ts';

export const boardLinkShape = named(
  'BoardLink',
  z.object({
    id: id(),
    name: z.string(),
    site_ids: z.array(id()).nullable().meta({ description: 'Null: every site.' }),
    made_by: z.string().nullable().meta({ description: 'Null: on the command line.' }),
    is_open: z.boolean().meta({ description: 'false: who made it has lost the right to, or a site is gone.' }),
    created_at: time(),
  }),
);

export const presentBoardLink = presenter(boardLinkShape, (link: BoardLink, tx: Tx) => ({
  made_by: link.agentId === null ? null : (agentById(tx, link.agentId)?.name ?? ''),
  is_open: isBoardLinkOpen(tx, link),
}));

const countShape = named('BoardCount', z.object({ count: z.int(), is_capped: z.boolean() }));

export const boardShape = named(
  'Board',
  z.object({
    name: z.string(),
    open: countShape,
    unassigned: countShape,
    due_soon: countShape,
    oldest_wait_since: maybeTime().meta({
      description: 'Since when a customer of an open ticket waits for an answer.',
    }),
    breached_today: z.int(),
    agents_there: z.int(),
    at: time(),
  }),
);
type Board = z.output<typeof boardShape>;
type Numbers = Omit<Board, 'name'>;

/** Many screens of one desk ask for the same. */
const keptMs = 5000;
const mostKept = 100;
const mostCounted = 10_000;
const mostMs = 2000;

const kept = new WeakMap<Desk, Map<string, { at: Instant; numbers: Promise<Numbers> }>>();

async function count(desk: Desk, scope: Scope): Promise<Numbers> {
  const ctx = desk.context({ kind: 'desk' }, 'board');
  const countOf = async (key: 'open' | 'unassigned' | 'due-soon') => {
    const filter = builtInViews.find((view) => view.key === key)?.filter ?? {};
    const counting = desk.read((tx) => {
      const wanted = { ...filterOf(tx, ctx, queryOfView(filter)), sites: scope };
      return { total: ticketCounts(desk).of(tx, wanted, ctx.now, { most: mostCounted }) };
    });
    const { total, isCapped } = await counting.total;
    return { count: total, is_capped: isCapped };
  };
  const [open, unassigned, due_soon] = await Promise.all([countOf('open'), countOf('unassigned'), countOf('due-soon')]);
  const sites = desk.read((tx) => [...sitesIn(tx, scope)]);
  const wait = createOldestWait(sites);
  await turnsOf(desk).run(wait.step, mostMs);
  const since = wait.since();
  return desk.read((tx) => {
    const { timeZone } = readDeskSettings(tx);
    const today = dateIn(timeZone, ctx.now).toString();
    return {
      ...{ open, unassigned, due_soon },
      oldest_wait_since: since === null ? null : toWire(since - (since % minuteMs)),
      breached_today: ticketsBreached(tx, sites, periodOf(today, today, timeZone).fromAt, ctx.now),
      agents_there: agentsSince(tx, ctx.now - isThereMs, sites),
      at: toWire(ctx.now),
    };
  });
}

/** The link is looked up each time; only numbers are kept, for a moment. */
export async function readBoard(desk: Desk, secret: string): Promise<Board> {
  const { name, scope } = desk.read((tx) => openBoardLink(tx, secret));
  const known = kept.get(desk) ?? new Map();
  kept.set(desk, known);
  const key = JSON.stringify(scope);
  const now = desk.now();
  const before = known.get(key);
  if (before !== undefined && before.at <= now && now - before.at < keptMs) return { name, ...(await before.numbers) };
  if (known.size >= mostKept) known.clear();
  const numbers = count(desk, scope);
  known.set(key, { at: now, numbers });
  try {
    return { name, ...(await numbers) };
  } catch (error) {
    known.delete(key);
    throw error;
  }
}
