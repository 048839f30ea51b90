// What the actions of matched rules find of a ticket, and what each rule does to it.

import type { TicketChangeInput } from '../input/tickets.ts';
import type { Addressee } from '../tickets/participant.ts';
import type { TicketStatus } from '../tickets/ticket.ts';

/** What a rule compares before it sets it. */
export type RuleColumn = 'category_id' | 'priority_id' | 'sender_id' | 'assigned_to';

export type RuleSubject = {
  fate: 'filed' | 'discarded' | 'held';
  status: TicketStatus;
  columns: Readonly<Record<RuleColumn, number | null>>;
  tags: readonly string[];
  circle: Circle;
  metadata: Readonly<Record<string, unknown>>;
  nextAgentId: number | null;
  agents: readonly { id: number; name: string }[];
  forwardedTo: readonly string[];
  bouncing: readonly string[];
};

/** Who takes part in the ticket once the message is filed. */
export type Circle = {
  size: number;
  /** Why those of the people whom rules name are not added. */
  refused: ReadonlyMap<string, string>;
};

export type RuleDeed = {
  ruleId: number;
  name: string;
  change: TicketChangeInput;
  isTurn?: boolean;
  tags: string[];
  participants: Addressee[];
  metadata: Record<string, unknown>;
  status?: TicketStatus;
  notes: string[];
  forwards: string[];
};

/** How far the actions before it have come. */
export type Progress = {
  tags: string[];
  participants: Set<string>;
  forwardedTo: Set<string>;
  hasDiscarded: boolean;
  metadataCharacters: number;
};

export type Settling = {
  subject: RuleSubject;
  progress: Progress;
  /** Of the rule of the action. */
  deed: RuleDeed;
};

/** What changed, told in other words than before; or why nothing did. */
export type Settled = { result: unknown; told?: string } | string;
