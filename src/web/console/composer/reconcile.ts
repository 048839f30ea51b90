// Which of two versions of a draft counts: the one in this browser or the one on the desk.

export interface KeptDraft {
  body: string;
  tab: 'reply' | 'note';
  attachmentIds: readonly number[];
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

export function isEmpty({ body, attachmentIds }: KeptDraft): boolean {
  return body.trim() === '' && attachmentIds.length === 0;
}

function isSame(one: KeptDraft, other: KeptDraft): boolean {
  return one.body === other.body && one.tab === other.tab && one.attachmentIds.join() === other.attachmentIds.join();
}
