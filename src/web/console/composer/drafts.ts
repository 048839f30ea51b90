// Drafts: in this browser with each key, on the desk shortly afterwards, and the same in every tab.

import { computed, signal } from '@preact/signals';
import type { DraftTab } from '../../../domain/tickets/ticket.ts';
import { announceRefusal } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { keepsUnsaved } from '../live/upgrade.ts';
import { knownTicket } from '../tickets/cache.ts';
import { createDraftSync } from './draft-sync.ts';
import type { Content, Draft } from './draft-types.ts';
import { readLocalDraft, readStaged, type StoredDraft, writeLocalDraft, writeStaged } from './local-drafts.ts';
import { attachmentsOf, uploadOf } from './uploads.ts';

interface OpenDraft extends Draft {
  hear(said: StoredDraft): void;
  isUnsaved(): boolean;
}

const drafts = new Map<string, OpenDraft>();
keepsUnsaved(() => [...drafts.values()].some((draft) => draft.isUnsaved()));

const tabs = new BroadcastChannel('helpdesk.drafts');
tabs.addEventListener('message', ({ data }: MessageEvent<StoredDraft & { ticket: string }>) =>
  drafts.get(data.ticket)?.hear(data),
);

function mayHaveDraft(ulid: string): boolean {
  const ticket = knownTicket(ulid);
  // A ticket that was merged into it may have left one.
  return ticket === null || ticket.has_draft || ticket.events.some(({ event }) => event === 'ticket.merged');
}

/** @param firstTab for a ticket without a draft */
export function draftOf(ticket: string, firstTab: DraftTab): Draft {
  const known = drafts.get(ticket);
  if (known !== undefined) return known;
  const made = createDraft(ticket, firstTab);
  drafts.set(ticket, made);
  return made;
}

function createDraft(ticket: string, firstTab: DraftTab): OpenDraft {
  const empty: Content = { body: '', tab: firstTab, uploads: [], staged: null, fields: {} };
  const content = signal<Content>({ ...empty, staged: readStaged(ticket) });

  function show(draft: Pick<StoredDraft, 'body' | 'tab' | 'attachments' | 'fields'> | null): void {
    const { tab, uploads, staged } = content.peek();
    // Files that are still on their way belong to this tab.
    const own = uploads.filter(({ attachment }) => attachment.peek() === null);
    content.value =
      draft === null
        ? // What was begun as a note stays one.
          { ...empty, tab, uploads: own, staged }
        : {
            body: draft.body,
            tab: draft.tab,
            uploads: [...draft.attachments.map(uploadOf), ...own],
            staged,
            fields: draft.fields,
          };
  }

  function stored(base: string | null): StoredDraft {
    const { body, tab, uploads, fields } = content.peek();
    return { body, tab, attachments: attachmentsOf(uploads), fields, base };
  }

  const tell = (base: string | null) => tabs.postMessage({ ticket, ...stored(base) });
  const sync = createDraftSync({ ticket, stored, show, onSaved: tell });

  function change(part: Partial<Content>): void {
    content.value = { ...content.peek(), ...part };
    writeStaged(ticket, content.peek().staged);
    writeLocalDraft(ticket, stored(sync.base()));
    tell(sync.base());
    sync.noteChange();
  }

  const local = readLocalDraft(ticket);
  if (local !== null) {
    show(local);
    sync.begin(local.base);
  }
  // Otherwise the editor asks when it is used: an agent who goes through tickets asks for none.
  if (local !== null || mayHaveDraft(ticket)) void sync.load();
  return {
    ticket,
    content: computed(() => content.value),
    keeping: sync.keeping,
    other: sync.other,
    left: sync.left,
    change,
    async settleLeft(left, isTaken) {
      if (isTaken) {
        const { body, uploads } = content.peek();
        change({
          body: [body, left.body].filter((text) => text !== '').join('\n\n'),
          tab: left.tab,
          uploads: [...uploads, ...left.attachments.map(uploadOf)],
        });
        await sync.settle();
      }
      const answer = await ask('DELETE', `/tickets/${left.ticket}/draft`);
      if (answer.isOk) sync.left.value = sync.left.peek().filter((one) => one !== left);
      else announceRefusal(answer.refusal);
    },
    takeOther: sync.takeOther,
    keepOwn: sync.keepOwn,
    refresh: sync.refresh,
    settle: sync.settle,
    clear() {
      sync.forget(content.peek().tab);
      content.value = { ...empty, tab: content.peek().tab };
      writeStaged(ticket, null);
      tell(null);
    },
    isUnsaved() {
      const isUploading = content.peek().uploads.some(({ attachment }) => attachment.peek() === null);
      return sync.isUnsaved() || isUploading;
    },
    hear(said) {
      show(said);
      sync.adopt(said);
    },
  };
}
