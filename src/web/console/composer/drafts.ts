// Drafts: in this browser with each key, on the desk shortly afterwards, and the same in every tab.

import { computed, signal } from '@preact/signals';
import { now } from '../../shared/clock.ts';
import { ask } from '../../shared/signed-in.ts';
import type { Attachment } from '../wire.ts';
import type { Content, Draft, Keeping, Tab, WireDraft } from './draft-types.ts';
import { readLocalDraft, removeLocalDraft, writeLocalDraft } from './local-drafts.ts';
import { isEmpty, type KeptDraft, verdictOn } from './reconcile.ts';
import { attachmentsOf, uploadOf } from './uploads.ts';

const savedAfterMs = 700;
const triedAgainAfterMs = 15_000;
/** The desk's draft may have been changed at another computer since. */
const believedForMs = 15_000;

const nothing: Content = { body: '', tab: 'reply', uploads: [], staged: null };

const drafts = new Map<string, Draft & { hear: (said: Said) => void }>();

/** What other tabs of this browser are told. */
interface Said {
  ticket: string;
  body: string;
  tab: Tab;
  attachments: Attachment[];
  base: string | null;
}

const tabs = new BroadcastChannel('helpdesk.drafts');
tabs.addEventListener('message', ({ data }: MessageEvent<Said>) => drafts.get(data.ticket)?.hear(data));

/** @param firstTab for a ticket without a draft */
export function draftOf(ticket: string, firstTab: Tab): Draft {
  const known = drafts.get(ticket);
  if (known !== undefined) return known;
  const made = createDraft(ticket, firstTab);
  drafts.set(ticket, made);
  return made;
}

function createDraft(ticket: string, firstTab: Tab): Draft & { hear: (said: Said) => void } {
  const empty = { ...nothing, tab: firstTab };
  const content = signal<Content>(empty);
  const isLoaded = signal(false);
  const keeping = signal<Keeping>('nothing');
  const other = signal<WireDraft | null>(null);
  let base: string | null = null;
  let baseTab: Tab | null = null;
  let isChanged = false;
  let checkedAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay: Promise<void> | null = null;
  const path = `/tickets/${encodeURIComponent(ticket)}/draft`;

  function show(draft: { body: string; tab: Tab; attachments: Attachment[] } | null): void {
    const { uploads, staged } = content.peek();
    // Files that are still on their way belong to this tab.
    const own = uploads.filter(({ attachment }) => attachment.peek() === null);
    content.value =
      draft === null
        ? { ...empty, uploads: own, staged }
        : { body: draft.body, tab: draft.tab, uploads: [...draft.attachments.map(uploadOf), ...own], staged };
  }

  function stored() {
    const { body, tab, uploads } = content.peek();
    return { body, tab, attachments: attachmentsOf(uploads), base };
  }

  function tell(): void {
    tabs.postMessage({ ticket, ...stored() } satisfies Said);
  }

  function later(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void save(), ms);
  }

  function change(part: Partial<Content>): void {
    content.value = { ...content.peek(), ...part };
    isChanged = true;
    keeping.value = isEmpty(keptOf(content.peek())) ? 'nothing' : 'saving';
    writeLocalDraft(ticket, stored());
    tell();
    later(savedAfterMs);
  }

  /** @returns whether this version may be saved */
  function meet(desk: WireDraft | null): boolean {
    checkedAt = now();
    const own = isChanged ? { ...keptOf(content.peek()), base } : null;
    const verdict = verdictOn(own, desk === null ? null : { ...keptOf(wireContent(desk)), updatedAt: desk.updated_at });
    if (verdict === 'conflict') {
      other.value = desk;
      return false;
    }
    base = desk?.updated_at ?? null;
    baseTab = desk?.tab ?? null;
    other.value = null;
    if (verdict === 'local') return true;
    isChanged = false;
    removeLocalDraft(ticket);
    const isSame = own !== null && verdict === 'desk' && desk?.body === own.body;
    if (!isSame) show(desk);
    keeping.value = desk === null ? 'nothing' : 'saved';
    return false;
  }

  async function load(): Promise<void> {
    const answer = await ask<{ data: WireDraft | null }>('GET', path);
    if (answer.isOk && meet(answer.data.data)) later(savedAfterMs);
    else if (!answer.isOk && isChanged) keeping.value = 'browser';
    isLoaded.value = true;
  }

  function save(): Promise<void> {
    clearTimeout(timer);
    underWay ??= saveOnce().finally(() => {
      underWay = null;
    });
    return underWay;
  }

  async function saveOnce(): Promise<void> {
    if (!isChanged || other.peek() !== null) return;
    if (now() - checkedAt > believedForMs) {
      const found = await ask<{ data: WireDraft | null }>('GET', path);
      if (found.isOk && !meet(found.data.data)) return;
    }
    const sent = content.peek();
    const { body, tab, attachments } = stored();
    const answer = isEmpty(keptOf(sent))
      ? await ask<{ data?: WireDraft }>('DELETE', path)
      : await ask<{ data?: WireDraft }>('PUT', path, {
          body,
          body_format: 'markdown',
          tab,
          attachment_ids: attachments.map(({ id }) => id),
        });
    if (!answer.isOk) {
      keeping.value = 'browser';
      later(triedAgainAfterMs);
      return;
    }
    checkedAt = now();
    base = answer.data.data?.updated_at ?? null;
    baseTab = answer.data.data?.tab ?? null;
    if (content.peek() !== sent) {
      writeLocalDraft(ticket, stored());
      return later(savedAfterMs);
    }
    isChanged = false;
    keeping.value = base === null ? 'nothing' : 'saved';
    removeLocalDraft(ticket);
    tell();
  }

  const local = readLocalDraft(ticket);
  if (local !== null) {
    show(local);
    base = local.base;
    isChanged = true;
  }
  addEventListener('online', () => void save());
  void load();
  return {
    ticket,
    content: computed(() => content.value),
    isLoaded,
    keeping,
    other,
    change,
    takeOther() {
      isChanged = false;
      meet(other.peek());
    },
    keepOwn() {
      base = other.peek()?.updated_at ?? null;
      other.value = null;
      checkedAt = now();
      later(0);
    },
    async refresh() {
      if (now() - checkedAt > believedForMs && other.peek() === null && underWay === null) await load();
    },
    async settle() {
      await underWay;
      await save();
    },
    clear() {
      clearTimeout(timer);
      // The desk forgets the draft of what was sent, but not one of the other tab.
      if (baseTab !== null && baseTab !== content.peek().tab) void ask('DELETE', path);
      isChanged = false;
      base = null;
      baseTab = null;
      content.value = { ...empty, tab: content.peek().tab };
      keeping.value = 'nothing';
      removeLocalDraft(ticket);
      tell();
    },
    hear({ body, tab, attachments, base: heard }) {
      clearTimeout(timer);
      base = heard;
      isChanged = false;
      show({ body, tab, attachments });
      keeping.value = body === '' ? 'nothing' : 'saved';
    },
  };
}

function keptOf({ body, tab, uploads }: Content): KeptDraft {
  return { body, tab, attachmentIds: attachmentsOf(uploads).map(({ id }) => id) };
}

function wireContent({ body, tab, attachments }: WireDraft): Content {
  return { body, tab, uploads: attachments.map(uploadOf), staged: null };
}
