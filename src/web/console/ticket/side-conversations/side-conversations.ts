// The side conversations of the open ticket: asked for when its history names one, and again after each change.

import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { announceRefusal } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { draftOf } from '../../composer/drafts.ts';
import type { List, SideConversation } from '../../wire.ts';

const known = new Map<string, Signal<readonly SideConversation[]>>();

function listOf(ticket: string): Signal<readonly SideConversation[]> {
  const found = known.get(ticket) ?? signal<readonly SideConversation[]>([]);
  known.set(ticket, found);
  return found;
}

async function load(ticket: string): Promise<void> {
  const answer = await ask<List<SideConversation>>('GET', `/tickets/${ticket}/side-conversations`);
  if (answer.isOk) listOf(ticket).value = answer.data.data;
  else announceRefusal(answer.refusal);
}

/** @param seq of the newest change */
export function useSideConversation(ticket: string, ulid: string, seq: number): SideConversation | undefined {
  useEffect(() => {
    void load(ticket);
  }, [ticket, seq]);
  const list: ReadonlySignal<readonly SideConversation[]> = listOf(ticket);
  return list.value.find((one) => one.ulid === ulid);
}

/** Below what is written already. */
export function quoteInReply(ticket: string, words: string): void {
  const draft = draftOf(ticket, 'reply');
  const { body } = draft.content.peek();
  const quoted = words.trim().replace(/^/gm, '> ');
  draft.change({ tab: 'reply', body: `${body.trimEnd()}${body.trim() === '' ? '' : '\n\n'}${quoted}\n\n` });
  document.querySelector<HTMLElement>('.composer textarea')?.focus();
}
