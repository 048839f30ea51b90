// Finds people by their address.

/** Two partial indexes have the addresses, and SQLite uses both only for a condition that names both. */
export function hasAddress(condition: string): string {
  return `((external_id IS NULL AND ${condition}) OR (external_id IS NOT NULL AND ${condition}))`;
}

/** The domain of an address with its `@`, as the index authors_by_domain has it. */
export const addressDomain = "substr(email, instr(email, '@'))";
