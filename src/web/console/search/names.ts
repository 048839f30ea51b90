// The names that a search can mention: agents, teams, categories and priorities of the sites that the agent sees.

import { computed, type ReadonlySignal } from '@preact/signals';
import { agents, categories, mostSites, priorities, teams } from '../catalogue.ts';
import { chosenSite, visibleSites } from '../session.ts';
import type { SearchNames } from './language.ts';

/** Null until all of them are loaded. */
export const searchNames: ReadonlySignal<SearchNames | null> = computed(() => {
  const sites = visibleSites.value;
  if (sites.length === 0) return null;
  const asked = sites.filter(({ id }) => chosenSite.value === null || id === chosenSite.value).slice(0, mostSites);
  const found = asked.map(({ id }) => ({
    agents: agents(id).value,
    teams: teams(id).value,
    categories: categories(id).value,
    priorities: priorities(id).value,
  }));
  if (found.some((one) => Object.values(one).includes(null))) return null;
  return {
    agents: unique(found.flatMap((one) => one.agents ?? []).filter((agent) => agent.is_active)),
    teams: unique(found.flatMap((one) => one.teams ?? [])),
    categories: unique(found.flatMap((one) => one.categories ?? [])),
    priorities: unique(found.flatMap((one) => one.priorities ?? [])),
    sites,
  };
});

function unique<Row extends { id: number }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
