// The names of the filters that the menu offers. What each offers is loaded with the chips: filter-fields.ts.

import { t } from '../messages.ts';

/** Chosen from a list, several at once. */
export const choiceKeys = [
  'status',
  'assigned_to',
  'team_id',
  'priority_id',
  'category_id',
  'tag',
  'sla',
  'satisfaction',
] as const;
export type ChoiceKey = (typeof choiceKeys)[number];
/** On or absent. */
export const flagKeys = [
  'unassigned',
  'has_attachment',
  'snoozed',
  'is_spam',
  'mentions',
  'has_draft',
  'unread',
] as const;

export const offeredNames = (): Record<ChoiceKey | (typeof flagKeys)[number], string> => ({
  status: t.status,
  assigned_to: t.assignee,
  team_id: t.team,
  priority_id: t.priority,
  category_id: t.category,
  tag: t.tags,
  sla: t.filterSla,
  satisfaction: t.filterSatisfaction,
  unassigned: t.filterUnassigned,
  has_attachment: t.filterAttachment,
  snoozed: t.isSnoozed,
  is_spam: t.spam,
  mentions: t.filterMentions,
  has_draft: t.filterDraft,
  unread: t.filterUnread,
});
