// The rows on the screen: only those in view and a few around them, of a list of any length.

import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { viewing } from '../../live/live.ts';
import { searchPart } from '../../search/load-language.ts';
import { me, visibleSites } from '../../session.ts';
import { openedTicket } from '../../tickets/cache.ts';
import type { Ticket } from '../../wire.ts';
import { chosenColumns, density } from '../display/display.ts';
import { ageSort } from '../filters/filter.ts';
import { matches } from '../filters/matches.ts';
import { t } from '../messages.ts';
import type { TicketList } from '../ticket-list.ts';
import { ColumnHeads } from './column-heads.tsx';
import { type Column, columnsThatFit, impliedColumns, leastRowWidth, tracksOf, widthBehindSubject } from './columns.ts';
import { LoadingRow } from './loading-rows.tsx';
import { rowId, TicketRow } from './ticket-row.tsx';
import { contentHeight, rowsInView, scrollTopFor, scrollTopOf } from './virtual-rows.ts';

const rowHeights = { compact: 28, comfortable: 36 } as const;
const twoLineHeight = 58;
const headHeight = 28;
const around = 8;
const stillFarMs = 150;
const nowhere = -1;

interface GridProps {
  list: TicketList;
  /** Puts the focus here when the list appears. */
  takesFocus: boolean;
}

export function TicketGrid({ list, takesFocus }: GridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  const scrollTop = useSignal(0);
  useSize(scroller, size);

  const { width, height } = size.value;
  const isTwoLines = width < leastRowWidth;
  const hasSites = visibleSites.value.length > 1 && list.source.filter.site_id === undefined;
  const implied = impliedColumns(list.source.filter);
  const wanted = chosenColumns.value.filter((column) => !implied.includes(column));
  const columns: Column[] | null = isTwoLines ? null : columnsThatFit(wanted, width, hasSites);
  const head = columns === null ? 0 : headHeight;
  const rowHeight = isTwoLines ? twoLineHeight : rowHeights[density.value];
  const total = list.rows.total.value ?? 0;
  const measures = { total, rowHeight, viewHeight: Math.max(0, height - head) };
  const { first, end, offset } = rowsInView(measures, scrollTop.value);
  const opened = openedTicket.value;
  void list.rows.version.value;
  // Next to a ticket, its row is the one that is marked, if the list has it.
  const openRow = opened === null ? null : (list.rows.rowOf(opened) ?? nowhere);
  const active = openRow ?? list.active.value;
  const inSight = (top: number) => (active === nowhere ? top : scrollTopFor(measures, top, active));
  useEffect(() => {
    if (openRow !== null && openRow !== nowhere) list.moveTo(openRow);
  }, [list, openRow]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || width === 0) return;
    // Rows are taller next to a ticket, so the row says where the list was, and not the pixels.
    const top = inSight(scrollTopOf(measures, list.firstRow));
    // A list begins at its first row. To set that again would make the browser lay out the page twice.
    if (top > 0 || scrollTop.peek() > 0) {
      element.scrollTop = top;
      scrollTop.value = element.scrollTop;
    }
    if (takesFocus && document.activeElement === document.body) element.focus({ preventScroll: true });
  }, [list, width === 0]);
  const drawnAt = scrollTop.value;
  useLayoutEffect(() => {
    // Not for the rows that were drawn before the list was put in its place.
    if (height > 0 && scrollTop.peek() === drawnAt) list.rows.show(first, end);
  }, [list, first, end, height, drawnAt]);
  const jumps = list.jumps.value;
  useLayoutEffect(() => {
    if (jumps > 0) scroller.current?.scrollTo({ top: 0 });
  }, [list, jumps]);
  const wasActive = useRef(active);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || wasActive.current === active) return;
    wasActive.current = active;
    element.scrollTop = inSight(element.scrollTop);
  }, [active]);

  const hasWords = list.source.filter.q !== undefined;
  useEffect(() => {
    if (hasWords) void searchPart.begin();
  }, [hasWords]);

  const margin = useMargin(first, end);
  const from = Math.max(0, first - margin);
  // None before the first measurement: they might be of the other kind.
  const shown = width === 0 ? 0 : Math.max(0, Math.min(total, end + margin) - from);
  const rows = Array.from({ length: shown }, (_, at) => from + at);
  return (
    <div
      ref={scroller}
      class={`ticket-grid ${isTwoLines ? 'is-narrow' : density.value}`}
      role="grid"
      aria-label={t.tickets}
      aria-rowcount={list.rows.isCapped.value ? -1 : total + (columns === null ? 0 : 1)}
      aria-multiselectable
      aria-activedescendant={active >= from && active < from + rows.length ? rowId(active) : undefined}
      tabIndex={0}
      onScroll={(event) => {
        scrollTop.value = event.currentTarget.scrollTop;
        list.firstRow = rowsInView(measures, scrollTop.value).first;
      }}
    >
      {columns !== null && <ColumnHeads list={list} columns={columns} tracks={tracksOf(columns)} />}
      <div
        class="ticket-grid-rows"
        role="rowgroup"
        ref={(element) => {
          element?.style.setProperty('--tracks', tracksOf(columns ?? []));
          element?.style.setProperty('--behind-subject', `${widthBehindSubject(columns ?? [])}px`);
        }}
        style={{ blockSize: `${contentHeight(measures)}px` }}
      >
        {rows.map((row) => (
          <OneRow
            key={row}
            list={list}
            row={row}
            ticket={list.rows.at(row)}
            columns={columns}
            hasAssignee={!implied.includes('assignee')}
            top={offset + (row - first) * rowHeight}
            isActive={row === active}
            hasSites={hasSites}
          />
        ))}
      </div>
    </div>
  );
}

/** How many rows to draw outside of the view: those next to it are of no use to scrolling by whole screens. */
function useMargin(first: number, end: number): number {
  const before = useRef({ first, farAt: Number.NEGATIVE_INFINITY });
  if (Math.abs(first - before.current.first) > end - first) before.current.farAt = performance.now();
  before.current.first = first;
  return performance.now() - before.current.farAt < stillFarMs ? 1 : around;
}

interface OneRowProps {
  list: TicketList;
  row: number;
  /** No signal: a row is drawn again only when a property or a signal that it reads changes. */
  ticket: Ticket | null;
  columns: readonly Column[] | null;
  hasAssignee: boolean;
  top: number;
  isActive: boolean;
  hasSites: boolean;
}

function OneRow({ list, row, ticket, columns, hasAssignee, top, isActive, hasSites }: OneRowProps) {
  if (ticket === null) return <LoadingRow row={row} columns={columns} top={top} />;
  const { ulids, isAll } = list.selection.value;
  return (
    <TicketRow
      row={row}
      ticket={ticket}
      columns={columns}
      hasAssignee={hasAssignee}
      top={top}
      isActive={isActive}
      isSelected={isAll || ulids.has(ticket.ulid)}
      isOpen={openedTicket.value === ticket.ulid}
      isDeparted={!matches(list.source.filter, ticket, me.value?.id ?? 0)}
      siteName={hasSites ? (visibleSites.value.find(({ id }) => id === ticket.site_id)?.name ?? null) : null}
      words={list.source.filter.q}
      ageSince={ageSort(list.source.order.sort)}
      viewers={viewing.value.get(ticket.ulid) ?? noOne}
      onToggle={list.toggle}
      onExtend={list.extendTo}
      onPoint={list.moveTo}
    />
  );
}

const noOne: readonly never[] = [];

function useSize(element: { current: HTMLElement | null }, size: Signal<{ width: number; height: number }>): void {
  useLayoutEffect(() => {
    const watched = element.current;
    if (watched === null) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = watched;
      if (width !== size.peek().width || height !== size.peek().height) size.value = { width, height };
    };
    // It measures first in this frame, after the layout of the page: to ask here would make the browser do that twice.
    const observer = new ResizeObserver(measure);
    observer.observe(watched);
    return () => observer.disconnect();
  }, []);
}
