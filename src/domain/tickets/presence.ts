// Presence: who has a ticket open at this moment. It is kept in memory and never stored (docs/spec/console.md#presence).

export const presenceStates = ['viewing', 'writing'] as const;
export type PresenceState = (typeof presenceStates)[number];

/** How long someone counts as present after their browser last said so. */
export const presenceMs = 10_000;

export interface Present {
  id: number;
  name: string;
  state: PresenceState;
}

export interface TicketPresence {
  ticketId: number;
  ulid: string;
  siteId: number;
  agents: Present[];
}
