// What a site's tickets can be given: categories, priorities, fields, agents and macros. Loaded when first asked for, and kept.

import { type ReadonlySignal, signal } from '@preact/signals';
import type { Answer } from '../shared/api.ts';
import { ask } from '../shared/signed-in.ts';
import type { Category, Colleague, CustomField, List, Macro, Priority } from './wire.ts';

interface Kept {
  rows: ReturnType<typeof signal<readonly unknown[] | null>>;
  load: () => Promise<void>;
}

const kept = new Map<string, Kept>();

/** All are null until the desk has answered, and hold the inactive ones too. */
export const categories = (siteId: number) => rowsAt<Category>(`/sites/${siteId}/categories`);
export const priorities = (siteId: number) => rowsAt<Priority>(`/sites/${siteId}/priorities`);
export const customFields = (siteId: number) => rowsAt<CustomField>(`/sites/${siteId}/custom-fields`);
/** The agents that a ticket of the site can be assigned to. */
export const agents = (siteId: number) => rowsAt<Colleague>(`/sites/${siteId}/agents`);
/** Of that site and of all sites. */
export const macros = (siteId: number) => rowsAt<Macro>(`/macros?site_id=${siteId}`);

/** Asks again for everything that was asked for, such as after a change in the settings. */
export async function refreshCatalogue(): Promise<void> {
  await Promise.all([...kept.values()].map(({ load }) => load()));
}

function rowsAt<Row>(path: string): ReadonlySignal<readonly Row[] | null> {
  const known = kept.get(path);
  if (known !== undefined) return known.rows as ReadonlySignal<readonly Row[] | null>;
  const rows = signal<readonly unknown[] | null | undefined>(null);
  const load = async () => {
    const answer: Answer<List<Row>> = await ask<List<Row>>('GET', path);
    if (answer.isOk) rows.value = answer.data.data;
    // Without an answer it is asked for again the next time that it is needed.
    else if (rows.peek() === null) kept.delete(path);
  };
  kept.set(path, { rows, load });
  void load();
  return rows as ReadonlySignal<readonly Row[] | null>;
}
