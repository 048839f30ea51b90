// The names that events need, from what is loaded of the ticket's site.

import { agents, categories, priorities } from '../catalogue.ts';
import { statusText } from '../tickets/status.tsx';
import type { EventNames } from './event-text.ts';
import { listOf, moment } from './times.ts';

export function namesOf(siteId: number): EventNames {
  const nameIn = (rows: readonly { id: number; name: string }[] | null) => (id: number) =>
    rows?.find((row) => row.id === id)?.name;
  return {
    agent: nameIn(agents(siteId).value),
    category: nameIn(categories(siteId).value),
    priority: nameIn(priorities(siteId).value),
    status: statusText,
    when: moment,
    list: listOf,
  };
}
