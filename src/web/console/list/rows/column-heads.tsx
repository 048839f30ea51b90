// The names of the columns. Those that the desk can sort by are buttons.

import type { Direction, TicketSort } from '../../../../domain/tickets/ticket.ts';
import { Icon } from '../../../shared/icons.tsx';
import { ageSort, usualDirection } from '../filters/filter.ts';
import { chooseOrder } from '../filters/list-address.ts';
import { t } from '../messages.ts';
import type { TicketList } from '../ticket-list.ts';
import { ageName, columnName } from './column-names.ts';
import type { Column } from './columns.ts';

/** Too narrow for a word. */
const isMute = (column: Column) => column === 'status' || column === 'viewers';

interface HeadsProps {
  list: TicketList;
  columns: readonly Column[];
  tracks: string;
}

export function ColumnHeads({ list, columns, tracks }: HeadsProps) {
  const { order } = list.source;
  const age = ageSort(order.sort);
  const sorts: Partial<Record<Column, TicketSort>> = { priority: 'priority', due: 'next_due_at', age };
  return (
    <div role="rowgroup" class="column-heads">
      <div
        role="row"
        class="heads-row"
        aria-rowindex={1}
        ref={(element) => {
          element?.style.setProperty('--tracks', tracks);
        }}
      >
        <div role="columnheader" class="cell check">
          <span class="hidden">{t.selected}</span>
        </div>
        {columns.map((column) => {
          const sort = sorts[column];
          const name = column === 'age' ? ageName(age) : columnName(column);
          const isSorted = sort === order.sort;
          return (
            <div
              key={column}
              role="columnheader"
              class={`cell of-${column}`}
              aria-sort={isSorted ? (order.direction === 'asc' ? 'ascending' : 'descending') : undefined}
            >
              {sort === undefined ? (
                <span class={isMute(column) ? 'hidden' : 'cell-text'}>{name}</span>
              ) : (
                <button
                  type="button"
                  class={`head-button${isSorted ? ' is-sorted' : ''}`}
                  onClick={() => chooseOrder(sort, isSorted ? turned(order.direction) : usualDirection(sort))}
                >
                  <span class="cell-text">{name}</span>
                  {isSorted && (
                    <span class={`head-arrow ${order.direction}`}>
                      <Icon name="chevron" />
                    </span>
                  )}
                </button>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function turned(direction: Direction): Direction {
  return direction === 'asc' ? 'desc' : 'asc';
}
