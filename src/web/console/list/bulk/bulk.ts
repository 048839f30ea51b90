// Changes the targets: a few together, many in slices, and everything in a view page by page.

import { signal } from '@preact/signals';
import { announce } from '../../../shared/notices.tsx';
import { refusalText } from '../../../shared/refusal-text.ts';
import { addRowSource, changeTicket } from '../../tickets/change.ts';
import type { TicketChange } from '../../tickets/effects.ts';
import type { Ticket } from '../../wire.ts';
import { t } from '../messages.ts';
import { fetchPage, openList, type TicketList } from '../ticket-list.ts';
import { nothingSelected } from './selection.ts';
import type { Targets } from './targets.ts';

/** Null unless many tickets are being changed. */
export const progress = signal<{ done: number; total: number; isCancelled: boolean } | null>(null);

/** So many go to the desk in one call. */
const slice = 200;
const pageSize = 100;

/** @param textFor what was done, for this many tickets */
export async function changeTargets(
  targets: Targets,
  change: TicketChange,
  textFor: (count: number) => string,
): Promise<void> {
  if (progress.peek() !== null) return;
  if (targets.kind === 'some' && targets.ulids.length <= slice) {
    const results = await changeTicket(targets.ulids, change, { text: textFor });
    if (results.every(({ refusal }) => refusal === null)) clearSelection();
    return;
  }
  progress.value = {
    done: 0,
    total: targets.kind === 'all' ? targets.count : targets.ulids.length,
    isCancelled: false,
  };
  try {
    const found = targets.kind === 'all' ? await everyTicket(targets.list) : new Map<string, Ticket>();
    if (found === null) return;
    const ulids = targets.kind === 'all' ? [...found.keys()] : targets.ulids;
    // What is not in view can be taken back too.
    const end = addRowSource((ulid) => found.get(ulid));
    await changeTicket(ulids, change, {
      text: textFor,
      onProgress(done) {
        progress.value = { total: ulids.length, done, isCancelled: progress.peek()?.isCancelled ?? false };
      },
      isCancelled: () => progress.peek()?.isCancelled ?? true,
    });
    end();
    clearSelection();
    if (targets.kind === 'all') await targets.list.refresh();
  } finally {
    progress.value = null;
  }
}

export function cancel(): void {
  const current = progress.peek();
  if (current !== null) progress.value = { ...current, isCancelled: true };
}

function clearSelection(): void {
  const list = openList.peek();
  if (list !== null) list.selection.value = nothingSelected;
}

/** All tickets of the list as it is now; null if the desk refused or the agent cancelled. */
async function everyTicket({ query }: TicketList): Promise<Map<string, Ticket> | null> {
  const found = new Map<string, Ticket>();
  let cursor: string | null = null;
  do {
    if (progress.peek()?.isCancelled) return null;
    const answer = await fetchPage(query, cursor === null ? { page: 1 } : { cursor }, pageSize);
    if (!answer.isOk) {
      announce(refusalText(answer.refusal) ?? t.listFailed, 'problem');
      return null;
    }
    for (const ticket of answer.data.data) found.set(ticket.ulid, ticket);
    cursor = answer.data.meta.next_cursor;
  } while (cursor !== null);
  return found;
}
