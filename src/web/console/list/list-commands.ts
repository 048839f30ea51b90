// The keys of the list, and what they do to the selected tickets or the active one.

import { useCommands } from '../commands.ts';
import { go } from '../route.ts';
import { can, me, session } from '../session.ts';
import type { TicketChange } from '../tickets/effects.ts';
import { changeTargets } from './bulk/bulk.ts';
import { nothingSelected } from './bulk/selection.ts';
import { countOf, type PickerKind, pick, targets } from './bulk/targets.ts';
import { t } from './messages.ts';
import { openList } from './ticket-list.ts';

const hasList = () => (openList.peek()?.rows.total.peek() ?? 0) > 0;
const hasTargets = () => can('write') && targets() !== null;

function move(by: number): void {
  const list = openList.peek();
  list?.moveTo(list.active.peek() + by);
}

function extend(by: number): void {
  const list = openList.peek();
  if (list === null) return;
  const from = list.active.peek();
  if (list.selection.peek().anchor === null) list.selection.value = { ...list.selection.peek(), anchor: from };
  list.moveTo(from + by);
  void list.extendTo(list.active.peek());
}

function open(): void {
  const ticket = openList.peek()?.activeTicket();
  if (ticket) go(`/tickets/${ticket.ulid}`);
}

function change(what: TicketChange, textFor: (count: number) => string): void {
  const found = targets();
  if (found !== null) void changeTargets(found, what, textFor);
}

export function assignToMe(): void {
  const agent = session.peek()?.agent;
  if (agent !== undefined)
    change({ assigned_to: agent.id }, (count) => t.listDidAssign(count, me.peek()?.name ?? agent.name));
}

export function resolve(): void {
  change({ status: 'resolved' }, (count) => t.didResolve(count));
}

export function markSpam(): void {
  change({ is_spam: true }, (count) => t.listDidSpam(count));
}

function selectAll(): void {
  const list = openList.peek();
  if (list !== null) list.selection.value = { ...nothingSelected, isAll: true };
}

export function hasSelection(): boolean {
  const selection = openList.peek()?.selection.peek();
  return selection !== undefined && (selection.isAll || selection.ulids.size > 0);
}

export function useListCommands(): void {
  const moves = { isAvailable: hasList, isOnlyByKey: true };
  const picks: [PickerKind, string, string][] = [
    ['assign', t.assign, 'a'],
    ['team', t.actionTeam, 'Shift+a'],
    ['status', t.actionStatus, 's'],
    ['snooze', t.snooze, 'z'],
    ['priority', t.actionPriority, 'p'],
    ['category', t.actionCategory, 'c'],
    ['tags', t.actionTags, 't'],
  ];
  useCommands('list', [
    { id: 'list:next', title: t.nextTicket, keys: ['j', 'ArrowDown'], run: () => move(1), ...moves },
    { id: 'list:previous', title: t.previousTicket, keys: ['k', 'ArrowUp'], run: () => move(-1), ...moves },
    { id: 'list:page-down', title: t.pageDown, keys: ['PageDown'], run: () => move(15), ...moves },
    { id: 'list:page-up', title: t.pageUp, keys: ['PageUp'], run: () => move(-15), ...moves },
    { id: 'list:first', title: t.toFirstTicket, keys: ['Home'], run: () => openList.peek()?.moveTo(0), ...moves },
    {
      id: 'list:last',
      title: t.toLastTicket,
      keys: ['End'],
      run: () => openList.peek()?.moveTo(Number.MAX_SAFE_INTEGER),
      ...moves,
    },
    { id: 'list:open', title: t.openTicket, keys: ['Enter', 'o'], run: open, ...moves },
    {
      id: 'list:select',
      title: t.select,
      keys: ['x'],
      run: () => openList.peek()?.toggle(openList.peek()?.active.peek() ?? 0),
      ...moves,
    },
    {
      id: 'list:extend-down',
      title: t.extendDown,
      keys: ['Shift+j', 'Shift+ArrowDown'],
      run: () => extend(1),
      ...moves,
    },
    { id: 'list:extend-up', title: t.extendUp, keys: ['Shift+k', 'Shift+ArrowUp'], run: () => extend(-1), ...moves },
    { id: 'list:all', title: t.selectAll, keys: ['Mod+a'], run: selectAll, isAvailable: hasList },
    {
      id: 'list:none',
      title: t.clearSelection,
      keys: ['Escape'],
      run: () => {
        const list = openList.peek();
        if (list !== null) list.selection.value = nothingSelected;
      },
      isAvailable: hasSelection,
      isOnlyByKey: true,
    },
    { id: 'list:mine', title: t.assignToMe, keys: ['m'], run: assignToMe, isAvailable: hasTargets },
    {
      id: 'list:resolve',
      title: t.resolve,
      keys: ['e'],
      run: resolve,
      isAvailable: hasTargets,
    },
    ...picks.map(([kind, title, key]) => ({
      id: `list:${kind}`,
      title,
      keys: key === 'c' ? [] : [key],
      run: () => pick(kind),
      isAvailable: hasTargets,
    })),
    // With nothing selected it opens a new ticket, as on every other page without one.
    {
      id: 'list:category-of-selected',
      title: t.actionCategory,
      keys: ['c'],
      run: () => pick('category'),
      isAvailable: hasSelection,
      isOnlyByKey: true,
    },
    { id: 'list:macro', title: t.actionMacro, run: () => pick('macro'), isAvailable: hasTargets },
    {
      id: 'list:merge',
      title: t.actionMerge,
      run: () => pick('merge'),
      isAvailable: () => {
        const found = targets();
        return can('write') && found !== null && found.kind === 'some' && countOf(found) > 1;
      },
    },
    { id: 'list:spam', title: t.actionSpam, run: markSpam, isAvailable: hasTargets },
  ]);
}
