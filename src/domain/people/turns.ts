// Who of a team gets the next ticket (docs/spec/people.md#automatic-assignment).

export const assignmentWays = ['round_robin', 'least_open'] as const;
export type AssignmentWay = (typeof assignmentWays)[number];

export interface Member {
  agentId: number;
  isAway: boolean;
  /** Those assigned to them, counted no further than anyone could mind. */
  openTickets: number;
  /** The number of their last turn; 0 before the first. */
  turn: number;
}

/** Why no one got the ticket. */
export const skippedReasons = ['no_members', 'all_away', 'all_busy', 'away_or_busy'] as const;
export type SkippedReason = (typeof skippedReasons)[number];

type Chosen = { agentId: number; reason?: never } | { agentId?: never; reason: SkippedReason };

/** Who has waited longest for a turn is next; with `least_open` only of those with the fewest open tickets. */
export function nextOf(members: readonly Member[], most: number | null, way: AssignmentWay): Chosen {
  const present = members.filter(({ isAway }) => !isAway);
  const able = present.filter(({ openTickets }) => most === null || openTickets < most);
  const before = (one: Member, other: Member) =>
    (way === 'least_open' ? one.openTickets - other.openTickets : 0) ||
    one.turn - other.turn ||
    one.agentId - other.agentId;
  const [next] = able.toSorted(before);
  if (next !== undefined) return { agentId: next.agentId };
  if (members.length === 0) return { reason: 'no_members' };
  if (present.length === 0) return { reason: 'all_away' };
  return { reason: present.length === members.length ? 'all_busy' : 'away_or_busy' };
}
