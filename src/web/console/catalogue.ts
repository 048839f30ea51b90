// What a site's tickets can be given: categories, priorities, fields, senders, agents, teams and macros. Loaded when first asked for, and kept.

import { type ReadonlySignal, signal } from '@preact/signals';
import type { Answer } from '../shared/api.ts';
import { now } from '../shared/clock.ts';
import { ask } from '../shared/signed-in.ts';
import type { Category, Colleague, CustomField, List, Macro, Priority, Sender, Team } from './wire.ts';

interface Kept {
  askedAt: number;
  rows: ReturnType<typeof signal<readonly unknown[] | null>>;
  load: () => Promise<void>;
}

const kept = new Map<string, Kept>();

/** All are null until the desk has answered, and hold the inactive ones too. */
export const categories = (siteId: number) => rowsAt<Category>(`/sites/${siteId}/categories`);
export const priorities = (siteId: number) => rowsAt<Priority>(`/sites/${siteId}/priorities`);
export const customFields = (siteId: number) => rowsAt<CustomField>(`/sites/${siteId}/custom-fields`);
export const senders = (siteId: number) => rowsAt<Sender>(`/sites/${siteId}/senders`);
/** The agents that a ticket of the site can be assigned to. */
export const agents = (siteId: number) => rowsAt<Colleague>(`/sites/${siteId}/agents`);
/** Those that tickets of the site can have. */
export const teams = (siteId: number) => rowsAt<Team>(`/teams?site_id=${siteId}`);
/** Of that site and of all sites. */
export const macros = (siteId: number) => rowsAt<Macro>(`/macros?site_id=${siteId}`);

const freshMs = 30_000;

/** Who is away changes often: asks again for agents that were asked for a while ago. */
export function refreshAgents(): void {
  for (const [path, { load, askedAt }] of kept) if (path.endsWith('/agents') && now() - askedAt > freshMs) void load();
}

/** Asks again for everything that was asked for, such as after a change in the settings. */
export async function refreshCatalogue(): Promise<void> {
  await Promise.all([...kept.values()].map(({ load }) => load()));
}

function rowsAt<Row>(path: string): ReadonlySignal<readonly Row[] | null> {
  const known = kept.get(path);
  if (known !== undefined) return known.rows as ReadonlySignal<readonly Row[] | null>;
  const rows = signal<readonly unknown[] | null | undefined>(null);
  const load = async () => {
    own.askedAt = now();
    const answer: Answer<List<Row>> = await ask<List<Row>>('GET', path);
    if (answer.isOk) rows.value = answer.data.data;
    // Without an answer it is asked for again the next time that it is needed.
    else if (rows.peek() === null) kept.delete(path);
  };
  const own: Kept = { rows, load, askedAt: 0 };
  kept.set(path, own);
  void load();
  return rows as ReadonlySignal<readonly Row[] | null>;
}
