// Undoing a merge, from a note of it and from the history.

import { announce } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { go } from '../route.ts';
import { t as shell } from '../shell/messages.ts';
import { openedTicket, reload, storeRow } from '../tickets/cache.ts';
import { about, reasonOf, tellChanged } from '../tickets/change.ts';
import '../tickets/on-demand-refusals.ts';
import type { Ticket } from '../wire.ts';
import { t } from './messages.ts';

interface Merged {
  ulid: string;
  reference: string;
}

/** @returns whether it was undone; what was refused is explained on the page */
async function undo({ ulid, reference }: Merged): Promise<boolean> {
  const answer = await ask<{ data: Ticket }>('POST', `/tickets/${ulid}/unmerge`);
  if (!answer.isOk) {
    announce(about(reference, reasonOf(answer.refusal)), 'problem');
    return false;
  }
  storeRow(answer.data.data);
  tellChanged(ulid, answer.data.data);
  await reload(ulid);
  return true;
}

/** Stays on the ticket that the other one was merged into. */
export async function undoMerge(merged: Merged): Promise<void> {
  if (!(await undo(merged))) return;
  const opened = openedTicket.peek();
  if (opened !== null) void reload(opened);
  announce(t.mergeUndone(merged.reference), 'done', {
    text: shell.goToTicket(merged.reference),
    path: `/tickets/${merged.ulid}`,
  });
}

/** Back to where the agent merged from. */
export async function undoMergeAndReturn(merged: Merged): Promise<void> {
  if (!(await undo(merged))) return;
  go(`/tickets/${merged.ulid}`);
  announce(t.mergeUndone(merged.reference));
}
