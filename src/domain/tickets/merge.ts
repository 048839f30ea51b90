// What a merge moved: what undoing it needs to know, and tickets do not tell.

import type { BodyFormat, DraftTab, TicketStatus } from './ticket.ts';

/** A draft without its words: those are in the draft that two became. */
export interface DraftMark {
  length: number;
  bodyFormat: BodyFormat;
  tab: DraftTab;
  attachmentIds: number[];
  updatedAt: number;
}

export interface MovedDraft {
  agentId: number;
  moved: DraftMark;
  /** What the agent had written on the other ticket. */
  there: DraftMark | null;
}

/** Of the ticket that was merged. Lists of numbers are ids. */
export interface Moved {
  messages: number[];
  /** Files that belong to no message. */
  files: number[];
  scheduledReplies: number[];
  sideConversations: number[];
  participants: number[];
  drafts: MovedDraft[];
  tags: string[];
  /** Those that the other ticket did not have. */
  newTags: string[];
  status: TicketStatus;
  snoozedUntil: number | null;
  /** Whether the other ticket's clock of the first response waited for its author. */
  didTargetAwaitAuthor: boolean;
}
