// The list beside the ticket, until the list is there.

export function ListPane(_: { compact?: boolean }) {
  return null;
}

export function neighbours(_: string): { previous: string | null; next: string | null } {
  return { previous: null, next: null };
}
