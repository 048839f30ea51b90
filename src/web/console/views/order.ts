// The order of views: those of the desk first, then the saved ones as the agent put them.

export function inOrder<View extends { id: number | null }>(all: readonly View[], order: readonly number[]): View[] {
  const saved = all.filter(({ id }) => id !== null);
  saved.sort((one, other) => order.indexOf(one.id ?? 0) - order.indexOf(other.id ?? 0));
  return [...all.filter(({ id }) => id === null), ...saved];
}

/** The ids with one of them moved to the place of another. */
export function moved(ids: readonly number[], id: number, to: number): number[] {
  const left = ids.filter((one) => one !== id);
  left.splice(Math.max(0, Math.min(to, left.length)), 0, id);
  return left;
}
