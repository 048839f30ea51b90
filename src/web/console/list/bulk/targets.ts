// What a change is for: the selected tickets, or the one that the keyboard is on.

import { signal } from '@preact/signals';
import type { Ticket } from '../../wire.ts';
import { openList, type TicketList } from '../ticket-list.ts';

export type Targets =
  | { kind: 'all'; list: TicketList; count: number }
  | { kind: 'some'; tickets: Ticket[]; ulids: string[] };

export function targets(): Targets | null {
  const list = openList.peek();
  if (list === null) return null;
  const { ulids, isAll } = list.selection.peek();
  if (isAll) return { kind: 'all', list, count: list.rows.total.peek() ?? 0 };
  const active = list.activeTicket();
  const chosen = ulids.size > 0 ? [...ulids] : active === null ? [] : [active.ulid];
  if (chosen.length === 0) return null;
  return { kind: 'some', ulids: chosen, tickets: chosen.flatMap((ulid) => loaded(list, ulid) ?? []) };
}

function loaded(list: TicketList, ulid: string): Ticket | null {
  const row = list.rows.rowOf(ulid);
  return row === null ? null : list.rows.at(row);
}

export function countOf(found: Targets): number {
  return found.kind === 'all' ? found.count : found.ulids.length;
}

export type PickerKind = 'assign' | 'team' | 'status' | 'priority' | 'category' | 'tags' | 'snooze' | 'macro' | 'merge';

/** What is being chosen for which tickets. */
export const picking = signal<{ kind: PickerKind; targets: Targets } | null>(null);

export function pick(kind: PickerKind): void {
  const found = targets();
  if (found !== null) picking.value = { kind, targets: found };
}
