// What stands where rows are still being loaded. The style shows it only after a moment.

import type { Column } from './columns.ts';

interface RowBonesProps {
  row: number;
  columns: readonly Column[] | null;
  top: number;
}

export function RowBones({ row, columns, top }: RowBonesProps) {
  return (
    <div
      role="row"
      class={`ticket-row is-loading${columns === null ? ' two-lines' : ''}`}
      style={{ transform: `translateY(${top}px)` }}
      aria-rowindex={row + (columns === null ? 1 : 2)}
      aria-busy
    >
      <div role="gridcell" class="cell">
        <span class="bone line" />
      </div>
    </div>
  );
}

const rows = Array.from({ length: 12 }, (_, row) => row);

/** Of the whole list, before the first answer. */
export function ListBones() {
  return (
    <div class="list-bones" aria-hidden="true">
      {rows.map((row) => (
        <span key={row} class="bone-row">
          <span class="bone dot-bone" />
          <span class="bone line" />
          <span class="bone short" />
        </span>
      ))}
    </div>
  );
}
