// The views of the rail: those of the desk, then the agent's saved ones in their own order, with counts.

import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type * as z from 'zod';
import type { viewShape } from '../../../http/wire/lists/views.ts';
import type { Answer, Refusal } from '../../shared/api.ts';
import { ask } from '../../shared/signed-in.ts';
import { chosenSite } from '../session.ts';
import { t } from '../shell/messages.ts';
import { inOrder } from './order.ts';

export type View = z.output<typeof viewShape>;

interface Count {
  count: number;
  is_capped: boolean;
  unread?: number;
}

type NewView = Pick<View, 'name' | 'filter' | 'sort' | 'direction' | 'is_shared'>;

const loaded = signal<readonly View[] | null>(null);
/** Null until the desk has answered. */
export const views: ReadonlySignal<readonly View[] | null> = loaded;
export const viewsRefusal = signal<Refusal | null>(null);
export const savedViews = computed(() => loaded.value?.filter(({ id }) => id !== null) ?? []);

const counted = signal<Readonly<Record<string, Count>>>({});
// What was asked earlier may be answered later, and is older.
let newest = 0;
export const viewCounts: ReadonlySignal<Readonly<Record<string, Count>>> = counted;

const ownNames: Record<string, () => string> = {
  mine: () => t.viewMine,
  mentions: () => t.viewMentions,
  drafts: () => t.viewDrafts,
  unassigned: () => t.viewUnassigned,
  open: () => t.viewOpen,
  'due-soon': () => t.viewDueSoon,
  breached: () => t.viewBreached,
  pending: () => t.viewPending,
  snoozed: () => t.viewSnoozed,
  resolved: () => t.viewResolved,
  all: () => t.viewAll,
  'held-mail': () => t.viewHeldMail,
};

export function viewName({ id, key, name }: Pick<View, 'id' | 'key' | 'name'>): string {
  return (id === null ? ownNames[key]?.() : undefined) ?? name;
}

export function viewPath(key: string): string {
  return `/inbox/${encodeURIComponent(key)}`;
}

export async function loadViews(): Promise<void> {
  const answer = await ask<{ data: View[] }>('GET', '/views');
  viewsRefusal.value = answer.isOk ? null : answer.refusal;
  if (answer.isOk) loaded.value = answer.data.data;
}

export async function loadCounts(): Promise<void> {
  newest += 1;
  const own = newest;
  const site = chosenSite.peek();
  const answer = await ask<{ data: Record<string, Count> }>(
    'GET',
    `/views/counts${site === null ? '' : `?site_id=${site}`}`,
  );
  // Counts are an extra: without them the views are shown.
  if (answer.isOk && own === newest) counted.value = answer.data.data;
}

/** The counts that the desk pushes are those of all sites. */
export function takeCounts(found: Readonly<Record<string, Count>>): void {
  if (chosenSite.peek() !== null) return void loadCounts();
  newest += 1;
  counted.value = found;
}

export async function createView(view: NewView): Promise<Answer<{ data: View }>> {
  const answer = await ask<{ data: View }>('POST', '/views', view);
  if (answer.isOk) loaded.value = [...(loaded.peek() ?? []), answer.data.data];
  void loadCounts();
  return answer;
}

/** Shows the change at once, and takes it back if the desk refuses it. */
export async function changeView(view: View, change: Partial<NewView>): Promise<Answer<{ data: View }>> {
  replace({ ...view, ...change });
  const answer = await ask<{ data: View }>('PATCH', `/views/${view.id}`, change);
  replace(answer.isOk ? answer.data.data : view);
  return answer;
}

function replace(changed: View): void {
  loaded.value = loaded.peek()?.map((view) => (view.id === changed.id ? changed : view)) ?? null;
}

export async function removeView(view: View): Promise<Answer<unknown>> {
  const before = loaded.peek();
  loaded.value = before?.filter(({ id }) => id !== view.id) ?? null;
  const answer = await ask('DELETE', `/views/${view.id}`);
  if (!answer.isOk) loaded.value = before;
  return answer;
}

/** @param order the ids of all saved views */
export async function orderViews(order: readonly number[]): Promise<Answer<unknown>> {
  const before = loaded.peek();
  if (before === null) return { isOk: true, status: 200, data: {} };
  loaded.value = inOrder(before, order);
  const answer = await ask('PATCH', '/views/order', { order });
  if (!answer.isOk) loaded.value = before;
  return answer;
}
