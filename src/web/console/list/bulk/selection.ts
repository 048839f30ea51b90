// Which tickets are selected: some of the list by ulid, or all that the filter matches.

export interface Selection {
  ulids: ReadonlySet<string>;
  /** Every ticket of the list, also those that were never loaded. */
  isAll: boolean;
  /** Where Shift begins. */
  anchor: number | null;
}

export const nothingSelected: Selection = { ulids: new Set(), isAll: false, anchor: null };

export function toggled(selection: Selection, ulid: string, row: number): Selection {
  const ulids = new Set(selection.ulids);
  if (!ulids.delete(ulid)) ulids.add(ulid);
  return { ulids, isAll: false, anchor: row };
}

/** Adds the tickets of the rows between the anchor and another one. */
export function withRange(selection: Selection, anchor: number, ulids: readonly string[]): Selection {
  return { ulids: new Set([...selection.ulids, ...ulids]), isAll: false, anchor };
}

export function without(selection: Selection, gone: readonly string[]): Selection {
  if (!gone.some((ulid) => selection.ulids.has(ulid))) return selection;
  return { ...selection, ulids: new Set([...selection.ulids].filter((ulid) => !gone.includes(ulid))) };
}
