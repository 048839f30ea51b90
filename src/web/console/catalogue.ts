// What a site's tickets can be given: categories, priorities, fields, senders, agents, teams and macros. Loaded when first asked for, and kept.

import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { ask } from '../shared/signed-in.ts';
import { visibleSites } from './session.ts';
import type { TicketChoices } from './wire.ts';

/** So many come in one answer. Where an agent sees more sites, lists of names are of the first ones. */
export const mostSites = 25;

const listsOf = (site: TicketChoices['sites'][number], { agents, teams, macros }: TicketChoices) => ({
  ...site,
  agents: agents.filter(({ id }) => site.agents.includes(id)),
  teams: teams.filter(({ id }) => site.teams.includes(id)),
  macros: macros.filter(({ id }) => site.macros.includes(id)),
});

type Lists = ReturnType<typeof listsOf>;

/** By the id of the site. */
const kept = signal<Readonly<Record<number, Lists>>>({});
const asked = new Set<number>();

/** All are null until the desk has answered, and hold the inactive ones too. */
export const categories = listNamed('categories');
export const priorities = listNamed('priorities');
export const customFields = listNamed('custom_fields');
export const senders = listNamed('senders');
/** The agents that a ticket of the site can be assigned to. */
export const agents = listNamed('agents');
/** Those that tickets of the site can have. */
export const teams = listNamed('teams');
/** Of that site and of all sites. */
export const macros = listNamed('macros');

/** Asks again for everything that was asked for, such as after a change in the settings. */
export async function refreshCatalogue(): Promise<void> {
  if (asked.size > 0) await load([...asked]);
}

function listNamed<Name extends keyof Lists>(name: Name) {
  return (siteId: number): ReadonlySignal<Lists[Name] | null> => {
    if (!asked.has(siteId)) {
      asked.add(siteId);
      // The other sites come along, so that their first tickets wait for nothing.
      const others = visibleSites.peek().map(({ id }) => id);
      void load([siteId, ...others.filter((id) => !asked.has(id))].slice(0, mostSites));
    }
    return computed(() => kept.value[siteId]?.[name] ?? null);
  };
}

async function load(ids: readonly number[]): Promise<void> {
  for (const id of ids) asked.add(id);
  const answer = await ask<{ data: TicketChoices }>('GET', `/ticket-choices?sites=${ids}`);
  const known = { ...kept.peek() };
  if (answer.isOk) {
    for (const site of answer.data.data.sites) known[site.site_id] = listsOf(site, answer.data.data);
    kept.value = known;
  }
  // They are asked for again the next time that they are needed.
  else for (const id of ids) if (!(id in known)) asked.delete(id);
}
