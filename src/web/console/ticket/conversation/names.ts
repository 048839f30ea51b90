// The names that events need, from the ticket and what is loaded of its site.

import { agents, categories, priorities, teams } from '../../catalogue.ts';
import { statusText } from '../../tickets/status.tsx';
import type { TicketDetail } from '../../wire.ts';
import type { EventNames } from './event-text.ts';
import { listOf, moment } from './times.ts';

export function namesOf({ site_id: siteId, attachments }: Pick<TicketDetail, 'site_id' | 'attachments'>): EventNames {
  const nameIn = (rows: readonly { id: number; name: string }[] | null) => (id: number) =>
    rows?.find((row) => row.id === id)?.name;
  return {
    agent: nameIn(agents(siteId).value),
    team: nameIn(teams(siteId).value),
    category: nameIn(categories(siteId).value),
    priority: nameIn(priorities(siteId).value),
    status: statusText,
    when: moment,
    list: listOf,
    file: (ulid) => attachments.find((file) => file.ulid === ulid)?.filename,
  };
}
