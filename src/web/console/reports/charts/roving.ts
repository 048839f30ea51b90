// Keys among the points of a chart: one of them is reached with Tab, the others from it with arrows.

import { useSignal } from '@preact/signals';
import type { TargetedKeyboardEvent } from 'preact';
import { useRef } from 'preact/hooks';

/** Where a key leads in a grid of points; null if it is none of ours. */
export function nextPoint(
  key: string,
  { row, column }: Point,
  { rows, columns }: { rows: number; columns: number },
): Point | null {
  switch (key) {
    case 'ArrowLeft':
      return { row, column: Math.max(0, column - 1) };
    case 'ArrowRight':
      return { row, column: Math.min(columns - 1, column + 1) };
    case 'ArrowUp':
      return { row: Math.max(0, row - 1), column };
    case 'ArrowDown':
      return { row: Math.min(rows - 1, row + 1), column };
    case 'Home':
      return { row, column: 0 };
    case 'End':
      return { row, column: columns - 1 };
    default:
      return null;
  }
}

export interface Point {
  row: number;
  column: number;
}

/** @param size of the grid, in which each point has an element with the id that `idOf` gives. */
export function useRoving(size: { rows: number; columns: number }, idOf: (point: Point) => string) {
  const last = useSignal<Point>({ row: 0, column: 0 });
  const isInside = useSignal(false);
  const root = useRef<SVGSVGElement>(null);
  const at: Point = {
    row: Math.min(last.value.row, size.rows - 1),
    column: Math.min(last.value.column, size.columns - 1),
  };
  return {
    root,
    at,
    /** The point that the keyboard or the pointer is at. */
    active: isInside.value ? at : null,
    show(point: Point | null) {
      isInside.value = point !== null;
      if (point !== null) last.value = point;
    },
    press(event: TargetedKeyboardEvent<SVGSVGElement>) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      let next = nextPoint(event.key, at, size);
      if (next === null) return;
      event.preventDefault();
      event.stopPropagation();
      // What has no value has no point.
      while (document.getElementById(idOf(next)) === null) {
        const further = nextPoint(
          event.key === 'Home' ? 'ArrowRight' : event.key === 'End' ? 'ArrowLeft' : event.key,
          next,
          size,
        );
        if (further === null || (further.row === next.row && further.column === next.column)) return;
        next = further;
      }
      document.getElementById(idOf(next))?.focus();
    },
  };
}
