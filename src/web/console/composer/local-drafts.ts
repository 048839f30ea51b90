// Drafts in this browser, until the desk has them, and the changes of macros: by agent, because several people may use one computer.

import type { DraftTab } from '../../../domain/tickets/ticket.ts';
import { readStored, removeStored, writeStored } from '../../shared/preferences.ts';
import { me } from '../session.ts';
import type { Attachment } from '../wire.ts';
import type { FormFields } from './draft-types.ts';
import { type StagedChanges, stagedIn } from './staged.ts';

export interface StoredDraft {
  body: string;
  tab: DraftTab;
  attachments: Attachment[];
  fields: FormFields;
  /** When the desk's draft that it was made from was written. */
  base: string | null;
}

const keyOf = (ticket: string) => `helpdesk.draft.${me.peek()?.id ?? 0}.${ticket}`;

export function readLocalDraft(ticket: string): StoredDraft | null {
  const text = readStored(keyOf(ticket));
  if (text === null) return null;
  try {
    const { body, tab, attachments, fields = {}, base } = JSON.parse(text) as Partial<StoredDraft>;
    if (typeof body !== 'string' || !Array.isArray(attachments)) return null;
    return {
      body,
      tab: tab === 'note' ? 'note' : 'reply',
      attachments,
      fields,
      base: typeof base === 'string' ? base : null,
    };
  } catch {
    // Another program wrote under this name.
    return null;
  }
}

export function writeLocalDraft(ticket: string, draft: StoredDraft): void {
  writeStored(keyOf(ticket), JSON.stringify(draft));
}

export function removeLocalDraft(ticket: string): void {
  removeStored(keyOf(ticket));
}

const stagedKeyOf = (ticket: string) => `helpdesk.staged.${me.peek()?.id ?? 0}.${ticket}`;

export function readStaged(ticket: string): StagedChanges | null {
  return stagedIn(readStored(stagedKeyOf(ticket)));
}

export function writeStaged(ticket: string, staged: StagedChanges | null): void {
  if (staged === null) removeStored(stagedKeyOf(ticket));
  else writeStored(stagedKeyOf(ticket), JSON.stringify(staged));
}
