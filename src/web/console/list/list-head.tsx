// The heading of a list: its name, how many tickets it has, and how it is shown.

import { count as formatted } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { Menu } from '../../shared/menu.tsx';
import { usePageTitle } from '../page-title.ts';
import { DisplayMenu } from './display-menu.tsx';
import { type Direction, type Sort, usualDirection } from './filter.ts';
import { FilterMenu } from './filter-menu.tsx';
import { chooseOrder } from './list-address.ts';
import { t } from './messages.ts';
import type { Opened } from './open-list.ts';
import { nothingSelected } from './selection.ts';
import type { TicketList } from './ticket-list.ts';

interface HeadProps {
  found: Opened;
  title: string;
  isCompact: boolean;
}

export function ListHead({ found, title, isCompact }: HeadProps) {
  const list = found.kind === 'list' ? found.list : null;
  const shown = list?.rows.total.value ?? null;
  const total = shown === null || list?.staying.value == null ? shown : shown - 1;
  usePageTitle(isCompact ? null : title);
  return (
    <header class="list-head">
      {list !== null && !isCompact && (total ?? 0) > 0 && <SelectAll list={list} />}
      {isCompact ? <h2>{title}</h2> : <h1>{title}</h1>}
      {total !== null && (
        <span class="list-count">
          {formatted(total)}
          {list?.rows.isCapped.value && '+'}
          <span class="hidden"> {t.ticketsWord}</span>
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

function sortName(sort: Sort): string {
  const names: Record<Sort, string> = {
    created_at: t.sortCreated,
    updated_at: t.sortUpdated,
    priority: t.sortPriority,
    next_due_at: t.sortDue,
    first_response_due_at: t.sortFirstResponse,
    resolution_due_at: t.sortResolution,
  };
  return names[sort];
}

const offered: readonly Sort[] = [
  'updated_at',
  'created_at',
  'priority',
  'next_due_at',
  'first_response_due_at',
  'resolution_due_at',
];

function directionName(sort: Sort, direction: Direction): string {
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
