// What stands where rows are still being loaded. The style shows it only after a moment.

import type { Column } from './columns.ts';

export function LoadingRow({ row, columns, top }: { row: number; columns: readonly Column[] | null; top: number }) {
  return (
    <div
      role="row"
      class={`ticket-row is-loading${columns === null ? ' two-lines' : ''}`}
      style={{ transform: `translateY(${top}px)` }}
      aria-rowindex={row + (columns === null ? 1 : 2)}
      aria-busy
    >
      <div role="gridcell" class="cell">
        <span class="skeleton-bar line" />
      </div>
    </div>
  );
}

const rows = Array.from({ length: 12 }, (_, row) => row);

/** Of the whole list, before the first answer. */
export function LoadingRows() {
  return (
    <div class="loading-rows" aria-hidden="true">
      {rows.map((row) => (
        <span key={row} class="skeleton-row">
          <span class="skeleton-bar dot-skeleton" />
          <span class="skeleton-bar line" />
          <span class="skeleton-bar short" />
        </span>
      ))}
    </div>
  );
}
