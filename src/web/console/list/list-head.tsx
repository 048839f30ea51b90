// The heading of a list: its name, how many tickets it has, and how it is shown.

import type { Direction, TicketSort } from '../../../domain/tickets/ticket.ts';
import { count as formatted } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { Menu } from '../../shared/menu.tsx';
import { usePopover } from '../../shared/popover.ts';
import { usePageTitle } from '../page-title.ts';
import { t as shell } from '../shell/messages.ts';
import { onDemand } from '../shell/on-demand.tsx';
import { nothingSelected } from './bulk/selection.ts';
import { usualDirection } from './filters/filter.ts';
import { chooseOrder } from './filters/list-address.ts';
import { t } from './messages.ts';
import type { Opened } from './open-list.ts';
import type { TicketList } from './ticket-list.ts';

const FilterMenu = onDemand(async () => (await import('../shell/on-demand-parts.ts')).FilterMenu);

export function ListHead({ found, title, isCompact }: { found: Opened; title: string; isCompact: boolean }) {
  const list = found.kind === 'list' ? found.list : null;
  const shown = list?.rows.total.value ?? null;
  const total = shown === null || list?.staying.value == null ? shown : shown - 1;
  const isCapped = list?.rows.isCapped.value ?? false;
  usePageTitle(isCompact ? null : title);
  return (
    <header class="list-head">
      {list !== null && !isCompact && (total ?? 0) > 0 && <SelectAll list={list} />}
      {isCompact ? <h2>{title}</h2> : <h1>{title}</h1>}
      {total !== null && (
        <span class="list-count">
          <span aria-hidden="true">{`${formatted(total)}${isCapped ? '+' : ''}`}</span>
          <span class="hidden"> {shell.ticketCount(formatted(total), isCapped)}</span>
        </span>
      )}
      {list !== null && !isCompact && (
        <div class="list-tools">
          {list.source.kind === 'view' && <FilterMenu source={list.source} />}
          <SortMenu list={list} />
          <DisplayMenu />
        </div>
      )}
    </header>
  );
}

function SelectAll({ list }: { list: TicketList }) {
  const { isAll, ulids } = list.selection.value;
  return (
    <label class="all-check">
      <input
        type="checkbox"
        class="select-all"
        aria-label={t.selectAll}
        title={t.selectAll}
        checked={isAll}
        ref={(element) => {
          if (element !== null) element.indeterminate = !isAll && ulids.size > 0;
        }}
        onChange={() => {
          list.selection.value = isAll || ulids.size > 0 ? nothingSelected : { ...nothingSelected, isAll: true };
        }}
      />
    </label>
  );
}

function sortName(sort: TicketSort): string {
  const names: Record<TicketSort, string> = {
    created_at: t.sortCreated,
    updated_at: t.sortUpdated,
    priority: t.sortPriority,
    next_due_at: t.sortDue,
    first_response_due_at: t.sortFirstResponse,
    resolution_due_at: t.sortResolution,
  };
  return names[sort];
}

const offered: readonly TicketSort[] = [
  'updated_at',
  'created_at',
  'priority',
  'next_due_at',
  'first_response_due_at',
  'resolution_due_at',
];

function directionName(sort: TicketSort, direction: Direction): string {
  if (sort === 'priority') return direction === 'desc' ? t.urgentFirst : t.urgentLast;
  if (sort.endsWith('due_at')) return direction === 'asc' ? t.soonestFirst : t.soonestLast;
  return direction === 'desc' ? t.newestFirst : t.oldestFirst;
}

function SortMenu({ list }: { list: TicketList }) {
  const { sort, direction } = list.source.order;
  return (
    <Menu
      label={t.sortBy(sortName(sort))}
      buttonClass="button quiet tool"
      placement={{ align: 'end' }}
      items={[
        ...offered.map((one) => ({
          text: sortName(one),
          isChecked: one === sort,
          run: () => chooseOrder(one, usualDirection(one)),
        })),
        ...(['desc', 'asc'] as const).map((one, index) => ({
          text: directionName(sort, one),
          isChecked: one === direction,
          isApart: index === 0,
          run: () => chooseOrder(sort, one),
        })),
      ]}
    >
      <Icon name="sort" />
      <span class="tool-text">{sortName(sort)}</span>
    </Menu>
  );
}

// How rows are shown: density, and which columns in which order.
const DisplayChoices = onDemand(async () => (await import('../shell/on-demand-parts.ts')).DisplayChoices);

function DisplayMenu() {
  const popover = usePopover<HTMLButtonElement>({ align: 'end' });
  return (
    <>
      <button
        ref={popover.anchor}
        type="button"
        class="button quiet tool"
        aria-label={t.display}
        title={t.display}
        aria-haspopup="dialog"
        aria-expanded={popover.isOpen.value}
        aria-controls={popover.id}
      >
        <Icon name="columns" />
        <span class="tool-text">{t.display}</span>
      </button>
      <div
        ref={popover.panel}
        id={popover.id}
        class={`${popover.panelClass} display-panel`}
        popover="auto"
        role="dialog"
        aria-label={t.display}
      >
        {popover.isOpen.value && <DisplayChoices />}
      </div>
    </>
  );
}
