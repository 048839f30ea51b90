// Finds people by their address.

/** Two partial indexes have the addresses, and SQLite uses both only for a condition that names both. */
export function hasAddress(condition: string): string {
  return `((external_id IS NULL AND ${condition}) OR (external_id IS NOT NULL AND ${condition}))`;
}
