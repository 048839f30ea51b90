// Lists and counts of tickets in one go; the desk takes them a step at a time.

import type { Instant } from '../../src/base/clock.ts';
import type { Tx } from '../../src/engine/database.ts';
import { createCount } from '../../src/store/lists/count.ts';
import type { TicketFilter } from '../../src/store/lists/filter.ts';
import { createPage } from '../../src/store/lists/list.ts';
import type { TicketPage } from '../../src/store/lists/page.ts';

export function listTicketIds(
  tx: Tx,
  filter: TicketFilter,
  page: TicketPage,
  now: Instant,
): ReturnType<ReturnType<typeof createPage>['rows']> {
  const steps = createPage(filter, page, now);
  while (!steps.step(tx));
  return steps.rows();
}

export function countTickets(tx: Tx, filter: TicketFilter, now: Instant): number {
  const count = createCount(filter, now);
  while (!count.step(tx));
  return count.total();
}
