// The changes of a step that rules of their sites still have to look at.

import type { EventData, EventKind } from '../../domain/event.ts';
import type { Tx } from '../../engine/database.ts';
import { timedRuleRows, triggerRows } from '../../store/sites/catalogue.ts';
import type { Context } from '../context.ts';

export interface PendingChange {
  ctx: Context;
  kind: EventKind;
  siteId: number;
  ticketId: number;
  data: EventData;
  seq: number;
}

const pending = new WeakMap<Tx, PendingChange[]>();

/** A site without rules pays one look into what is kept of its catalogue. */
export function noteForRules(tx: Tx, ctx: Context, change: Omit<PendingChange, 'ctx'>): void {
  // Of what a rule does, the desk counts the events.
  const hasRules = triggerRows.list(tx, change.siteId).length > 0 || timedRuleRows.list(tx, change.siteId).length > 0;
  if (!hasRules && ctx.rule === undefined) return;
  const noted = { ...change, ctx };
  const waiting = pending.get(tx);
  if (waiting === undefined) pending.set(tx, [noted]);
  else waiting.push(noted);
}

export function takePending(tx: Tx): readonly PendingChange[] {
  const waiting = pending.get(tx);
  if (waiting === undefined) return [];
  pending.delete(tx);
  return waiting;
}

/** How many wait: what follows is newer. */
export const pendingTotal = (tx: Tx): number => pending.get(tx)?.length ?? 0;

export const pendingAfter = (tx: Tx, total: number): readonly PendingChange[] => pending.get(tx)?.slice(total) ?? [];

/** Of what was undone. */
export function dropPendingAfter(tx: Tx, total: number): void {
  pending.get(tx)?.splice(total);
}
