// Where replies and notes are written.

import { can } from '../session.ts';
import { ticketSignal } from '../tickets/cache.ts';
import { draftOf } from './drafts.ts';
import { Editor } from './editor.tsx';
import { t } from './messages.ts';

/** @param ticket its ulid */
export function Composer({ ticket: ulid }: { ticket: string }) {
  const state = ticketSignal(ulid).value;
  if (state.kind !== 'shown' || !(can('write') || can('note'))) return null;
  const { ticket } = state;
  if (ticket.merged_into !== null) return null;
  return (
    <section class="composer" aria-label={t.composer}>
      <Editor key={ulid} ticket={ticket} draft={draftOf(ulid, can('write') ? 'reply' : 'note')} />
    </section>
  );
}
