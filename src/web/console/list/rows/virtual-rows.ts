// Which rows of a long list stand in a window, and where. Browsers limit how tall an element can be: longer lists are scrolled in larger steps.

const tallestPx = 8_000_000;

interface RowsInView {
  /** The first row in view, and the row after the last. */
  first: number;
  end: number;
  /** Where row `first` begins in the scrolled content. */
  offset: number;
}

interface Measures {
  total: number;
  rowHeight: number;
  viewHeight: number;
}

export function contentHeight({ total, rowHeight }: Measures): number {
  return Math.min(total * rowHeight, tallestPx);
}

export function rowsInView(measures: Measures, scrollTop: number): RowsInView {
  const { total, rowHeight, viewHeight } = measures;
  const top = rowTop(measures, scrollTop);
  const first = Math.min(Math.floor(top / rowHeight), Math.max(0, total - 1));
  const end = Math.min(total, Math.ceil((top + viewHeight) / rowHeight));
  return { first, end, offset: scrollTop - (top - first * rowHeight) };
}

/** Where to scroll so that a row is in view; the present place if it is already. */
export function scrollTopFor(measures: Measures, scrollTop: number, row: number): number {
  const { rowHeight, viewHeight } = measures;
  const top = rowTop(measures, scrollTop);
  const start = row * rowHeight;
  if (start < top) return scrolled(measures, start);
  if (start + rowHeight > top + viewHeight) return scrolled(measures, start + rowHeight - viewHeight);
  return scrollTop;
}

/** Where to scroll so that a row is the first in view. */
export function scrollTopOf(measures: Measures, row: number): number {
  return scrolled(measures, row * measures.rowHeight);
}

/** The place in the list as if the element were as tall as all rows. */
function rowTop(measures: Measures, scrollTop: number): number {
  return Math.max(0, scrollTop) * ratio(measures);
}

function scrolled(measures: Measures, top: number): number {
  return Math.max(0, top) / ratio(measures);
}

function ratio(measures: Measures): number {
  const { total, rowHeight, viewHeight } = measures;
  const shown = contentHeight(measures) - viewHeight;
  return shown <= 0 ? 1 : (total * rowHeight - viewHeight) / shown;
}
