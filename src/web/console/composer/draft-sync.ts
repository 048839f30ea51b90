// Brings one draft to the desk, and notices when the desk has another version.

import { signal } from '@preact/signals';
import type { DraftTab } from '../../../domain/tickets/ticket.ts';
import { now } from '../../shared/clock.ts';
import { ask, askInBackground } from '../../shared/signed-in.ts';
import { onBack, onSignedIn } from '../live/live.ts';
import { knownTicket, storeRow } from '../tickets/cache.ts';
import { tellChanged } from '../tickets/change.ts';
import { loadCounts } from '../views/views.ts';
import { type FormFields, type Keeping, type LeftDraft, newTicket, type WireDraft } from './draft-types.ts';
import { removeLocalDraft, type StoredDraft, writeLocalDraft } from './local-drafts.ts';

const savedAfterMs = 700;
const triedAgainAfterMs = 15_000;
/** The desk's draft may have been changed at another computer since. */
const believedForMs = 15_000;

interface Kept {
  ticket: string;
  stored: (base: string | null) => StoredDraft;
  show: (draft: WireDraft | null) => void;
  onSaved: (base: string | null) => void;
}

export function createDraftSync({ ticket, stored, show, onSaved }: Kept) {
  const keeping = signal<Keeping>('nothing');
  const other = signal<WireDraft | null>(null);
  const left = signal<readonly LeftDraft[]>([]);
  const path = `/tickets/${encodeURIComponent(ticket)}/draft`;
  // When the desk's draft was written that this one was made from, and for which tab.
  let base: string | null = null;
  let baseTab: DraftTab | null = null;
  let [changes, checkedAt, isChanged] = [0, 0, false];
  const saving = oneAtATime(saveOnce);
  /** The agent waits for it, so it may ask for the password. */
  let isAwaited = false;
  for (const listen of [onBack, onSignedIn])
    listen(() => {
      if (keeping.peek() === 'browser') saving.later(0);
    });

  function setBase(at: string | null, tab: DraftTab | null): void {
    if ((at === null) !== (base === null)) markDraft(ticket, at !== null);
    base = at;
    baseTab = at === null ? null : tab;
  }

  function know(desk: WireDraft | null): void {
    checkedAt = now();
    setBase(desk?.updated_at ?? null, desk?.tab ?? null);
    other.value = null;
  }

  function settled(): void {
    isChanged = false;
    keeping.value = base === null ? 'nothing' : 'saved';
    removeLocalDraft(ticket);
  }

  /** @returns whether this version may be saved */
  function meet(desk: WireDraft | null): boolean {
    const own = isChanged ? { ...keptOf(stored(base)), base } : null;
    const verdict = verdictOn(own, desk && { ...keptOf(desk), updatedAt: desk.updated_at });
    if (verdict === 'conflict') {
      checkedAt = now();
      other.value = desk;
      return false;
    }
    know(desk);
    if (verdict === 'local') return true;
    if (own === null || desk === null || !isSame(own, keptOf(desk))) show(desk);
    settled();
    return false;
  }

  async function load(): Promise<void> {
    const answer = await read(path, ask);
    if (answer.isOk) left.value = answer.data.left;
    if (answer.isOk && meet(answer.data.data)) saving.later(savedAfterMs);
    else if (!answer.isOk && isChanged) keeping.value = 'browser';
  }

  function keepHere(): void {
    keeping.value = 'browser';
    // Until the desk can be asked again, another computer may save there.
    checkedAt = 0;
    saving.later(triedAgainAfterMs);
  }

  async function saveOnce(): Promise<void> {
    if (!isChanged || other.peek() !== null) return;
    if (now() - checkedAt > believedForMs) {
      const found = await read(path, isAwaited ? ask : askInBackground);
      if (!found.isOk) return keepHere();
      if (!meet(found.data.data)) return;
    }
    const sent = changes;
    const answer = await write(path, stored(base), isAwaited ? ask : askInBackground);
    if (!answer.isOk) return keepHere();
    know(answer.data.data ?? null);
    if (changes === sent) settled();
    else {
      writeLocalDraft(ticket, stored(base));
      saving.later(savedAfterMs);
    }
    onSaved(base);
  }

  return {
    ...{ keeping, other, left, load },
    base: () => base,
    isUnsaved: () => isChanged,
    begin(from: string | null) {
      [base, isChanged] = [from, true];
    },
    noteChange() {
      changes += 1;
      isChanged = true;
      keeping.value = isEmpty(keptOf(stored(base))) ? 'nothing' : 'saving';
      saving.later(savedAfterMs);
    },
    takeOther() {
      isChanged = false;
      meet(other.peek());
    },
    keepOwn() {
      know(other.peek());
      saving.later(0);
    },
    async refresh(isUrgent = false) {
      if ((isUrgent || now() - checkedAt > believedForMs) && other.peek() === null && !saving.isUnderWay())
        await load();
    },
    async settle() {
      isAwaited = true;
      await saving.settle();
      isAwaited = false;
    },
    /** The desk forgets the draft of what was sent, but not one of the other tab. */
    forget(sentTab: DraftTab) {
      saving.stop();
      if (baseTab !== null && baseTab !== sentTab) void ask('DELETE', path);
      know(null);
      settled();
    },
    /** What another tab of this browser has, which also saves it. */
    adopt(said: StoredDraft) {
      saving.stop();
      setBase(said.base, said.tab);
      isChanged = false;
      keeping.value = isEmpty(keptOf(said)) ? 'nothing' : 'saved';
    },
  };
}

/** The list shows which tickets have a draft, and the rail how many. */
function markDraft(ticket: string, hasDraft: boolean): void {
  if (ticket === newTicket || knownTicket(ticket)?.has_draft === hasDraft) return;
  storeRow({ ulid: ticket, has_draft: hasDraft });
  tellChanged(ticket, { has_draft: hasDraft });
  void loadCounts();
}

function keptOf({ body, tab, attachments, fields }: Omit<StoredDraft, 'base'>): KeptDraft {
  return { body, tab, attachmentIds: attachments.map(({ id }) => id), fields };
}

function read(path: string, by: typeof askInBackground) {
  return by<{ data: WireDraft | null; left: LeftDraft[] }>('GET', path);
}

function write(path: string, { base: _, ...draft }: StoredDraft, by: typeof askInBackground) {
  const { body, tab, attachmentIds, fields } = keptOf(draft);
  if (isEmpty(keptOf(draft))) return by<{ data?: WireDraft }>('DELETE', path);
  const words = { body, body_format: 'markdown', tab, attachment_ids: attachmentIds, fields };
  return by<{ data?: WireDraft }>('PUT', path, words);
}

function oneAtATime(act: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay: Promise<void> | null = null;
  function run(): Promise<void> {
    clearTimeout(timer);
    underWay ??= act().finally(() => {
      underWay = null;
    });
    return underWay;
  }
  return {
    isUnderWay: () => underWay !== null,
    stop: () => clearTimeout(timer),
    later(ms: number) {
      clearTimeout(timer);
      timer = setTimeout(() => void run(), ms);
    },
    /** Waits until nothing is on its way, and does what is left. */
    async settle() {
      await underWay;
      await run();
    },
  };
}

// Which of two versions of a draft counts: the one in this browser or the one on the desk.
interface KeptDraft {
  body: string;
  tab: DraftTab;
  attachmentIds: readonly number[];
  fields: FormFields;
}

export interface LocalDraft extends KeptDraft {
  /** When the desk's draft, from which this one was made, was written; null if there was none. */
  base: string | null;
}

interface DeskDraft extends KeptDraft {
  updatedAt: string;
}

type Verdict = 'nothing' | 'local' | 'desk' | 'conflict';

/** `local` is what the desk does not have yet. A conflict is two different texts, neither made from the other. */
export function verdictOn(local: LocalDraft | null, desk: DeskDraft | null): Verdict {
  if (local === null) return desk === null ? 'nothing' : 'desk';
  if (desk === null) {
    // It was sent or discarded elsewhere; what was typed here since is still kept.
    return isEmpty(local) ? 'nothing' : 'local';
  }
  if (isSame(local, desk)) return 'desk';
  if (local.base === desk.updatedAt) return 'local';
  return isEmpty(local) ? 'desk' : 'conflict';
}

function isEmpty({ body, attachmentIds, fields }: KeptDraft): boolean {
  return body.trim() === '' && attachmentIds.length === 0 && Object.keys(fields).length === 0;
}

function isSame(one: KeptDraft, other: KeptDraft): boolean {
  const wordsOf = ({ body, tab, attachmentIds, fields }: KeptDraft) =>
    JSON.stringify([body, tab, attachmentIds, Object.entries(fields).sort()]);
  return wordsOf(one) === wordsOf(other);
}
