// Keeps an open list up to date: rows change in place, and new ones are counted, not inserted.

import { effect } from '@preact/signals';
import { onCatchUp, onEvent } from '../live/live.ts';
import { openedTicket } from '../tickets/cache.ts';
import { addRowSource, onChanged } from '../tickets/change.ts';
import type { WireEvent } from '../wire.ts';
import type { TicketList } from './ticket-list.ts';

/** Events come in bursts, such as after a bulk change. */
const pauseMs = 80;
const leastBetweenMs = 700;
/** With more changed rows than this the page of each is not worth a question. */
const mostSingle = 12;

const kindsOfNoRow: ReadonlySet<string> = new Set([
  'site.created',
  'ticket.attachment_added',
  'ticket.attachment_checked',
]);

/** @returns ends it */
export function followList(list: TicketList): () => void {
  const changed = new Set<number>();
  let isCountWanted = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastAt = 0;
  let isEnded = false;

  function note(event: WireEvent): void {
    if (kindsOfNoRow.has(event.event)) return;
    if (event.ticket_id === null) {
      schedule(() => void list.refresh());
      return;
    }
    changed.add(event.ticket_id);
    isCountWanted = true;
    schedule(() => void look());
  }

  function schedule(act: () => void): void {
    if (timer !== undefined) return;
    const wait = Math.max(pauseMs, lastAt + leastBetweenMs - performance.now());
    timer = setTimeout(() => {
      timer = undefined;
      lastAt = performance.now();
      if (!isEnded) act();
    }, wait);
  }

  async function look(): Promise<void> {
    const ids = [...changed];
    changed.clear();
    const wanted = isCountWanted;
    isCountWanted = false;
    const rows = ids.flatMap((id) => list.rows.byId(id) ?? []);
    const isMany = rows.length > mostSingle;
    await Promise.all([
      wanted ? list.countNewTickets() : undefined,
      ...(isMany ? [list.reload()] : rows.map(({ ulid }) => list.reloadRow(ulid))),
    ]);
  }

  const ends = [
    onEvent(note),
    onCatchUp(() => {
      void list.reload();
      void list.countNewTickets();
    }),
    onChanged(list.change),
    addRowSource((ulid) => {
      const row = list.rows.rowOf(ulid);
      return row === null ? undefined : (list.rows.at(row) ?? undefined);
    }),
    effect(() => {
      const ulid = openedTicket.value;
      const row = ulid === null ? null : list.rows.rowOf(ulid);
      if (ulid === null || row === null) return;
      list.moveTo(row);
      list.rows.show(Math.max(0, row - 20), row + 20);
    }),
  ];
  return () => {
    isEnded = true;
    clearTimeout(timer);
    for (const end of ends) end();
  };
}
