// The names of the filters that the menu offers. What each offers is loaded with the chips: filter-fields.ts.

import { type FilterKey, type ListKey, takesSeveral } from '../../../../domain/tickets/filters.ts';
import { t } from '../messages.ts';

/** Chosen from a list. Of mentions only those of the agent who asks are offered. */
export type ChoiceKey = Exclude<ListKey, 'mentions'>;
export const isChoice = (key: FilterKey): key is ChoiceKey => key !== 'mentions' && takesSeveral(key);

/** In the order of the menu; those that are not a choice are on or absent. */
export const offeredNames = () => ({
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
