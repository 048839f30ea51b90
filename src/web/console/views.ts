// The views of the ticket list that the agent has: loaded once, and again after each change.

import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Answer, Refusal } from '../shared/api.ts';
import { ask } from '../shared/signed-in.ts';
import { t } from './list/messages.ts';
import type { List, View } from './wire.ts';

const loaded = signal<readonly View[] | null>(null);
const refused = signal<Refusal | null>(null);

/** The built-in ones, then the saved ones in the agent's order. Null until the desk has answered. */
export const views: ReadonlySignal<readonly View[] | null> = loaded;
export const viewsRefusal: ReadonlySignal<Refusal | null> = refused;

let underWay: Promise<void> | null = null;

export function loadViews(): Promise<void> {
  underWay ??= load().finally(() => {
    underWay = null;
  });
  return underWay;
}

async function load(): Promise<void> {
  const answer = await ask<List<View>>('GET', '/views');
  refused.value = answer.isOk ? null : answer.refusal;
  if (answer.isOk) loaded.value = answer.data.data;
}

export function viewOf(key: string): View | null {
  return loaded.value?.find((view) => view.key === key) ?? null;
}

export const savedViews: ReadonlySignal<readonly View[]> = computed(
  () => loaded.value?.filter(({ id }) => id !== null) ?? [],
);

type Wanted = Partial<Pick<View, 'name' | 'filter' | 'sort' | 'direction' | 'is_shared'>>;

/** @param id of the view to change; null for a new one */
export async function saveView(id: number | null, wanted: Wanted): Promise<Answer<{ data: View }>> {
  const answer = await ask<{ data: View }>(
    id === null ? 'POST' : 'PATCH',
    id === null ? '/views' : `/views/${id}`,
    wanted,
  );
  if (answer.isOk) await loadViews();
  return answer;
}

export async function deleteView(id: number): Promise<Answer<unknown>> {
  const answer = await ask('DELETE', `/views/${id}`);
  if (answer.isOk) await loadViews();
  return answer;
}

/** In the language of the reader. Saved views have the name that their owner gave. */
export function viewName({ id, key, name }: Pick<View, 'id' | 'key' | 'name'>): string {
  if (id !== null) return name;
  const names: Record<string, string> = {
    mine: t.viewMine,
    unassigned: t.viewUnassigned,
    open: t.viewOpen,
    'due-soon': t.viewDueSoon,
    breached: t.viewBreached,
    pending: t.viewPending,
    snoozed: t.viewSnoozed,
    resolved: t.viewResolved,
    all: t.viewAll,
    'held-mail': t.viewHeldMail,
  };
  return names[key] ?? name;
}
