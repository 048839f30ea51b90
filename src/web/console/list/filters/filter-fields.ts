// The filters of a list: what each that can be chosen offers, and how it reads on a chip.

import { type FilterKey, type ListFilter, type ListKey, takesSeveral } from '../../../../domain/tickets/filters.ts';
import { ratings } from '../../../../domain/tickets/satisfaction.ts';
import { type SlaFilter, slaFilters, tagPattern, ticketStatuses } from '../../../../domain/tickets/ticket.ts';
import type { Option } from '../../../shared/combobox-option.ts';
import { day } from '../../../shared/format.ts';
import { agents, categories, mostSites, priorities, teams } from '../../catalogue.ts';
import { t } from '../../on-demand-messages.ts';
import { chosenSite, visibleSites } from '../../session.ts';
import { statusText } from '../../tickets/status.tsx';
import { openList } from '../ticket-list.ts';

/** Chosen from a list. Of mentions only those of the agent who asks are offered. */
export type ChoiceKey = Exclude<ListKey, 'mentions'>;
export const isChoice = (key: FilterKey): key is ChoiceKey => key !== 'mentions' && takesSeveral(key);

/** Those that the menu offers, in its order; what is not a choice is on or absent. */
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

export function fieldName(key: FilterKey): string {
  const names: Record<FilterKey, string> = {
    ...offeredNames(),
    site_id: t.site,
    email: t.filterFrom,
    participant: t.filterParticipant,
    external_id: t.filterExternalId,
    q: t.filterWords,
    created_from: t.filterCreatedFrom,
    created_to: t.filterCreatedTo,
    updated_from: t.filterUpdatedFrom,
    updated_to: t.filterUpdatedTo,
    include_test: t.filterTest,
  };
  return names[key];
}

function slaText(state: SlaFilter): string {
  const texts: Record<SlaFilter, string> = {
    warned: t.slaWarned,
    breached: t.slaBreached,
    due_soon: t.slaDueSoon,
    paused: t.slaPaused,
  };
  return texts[state];
}

/** Of the filtered site, of the chosen one, or of all that the agent sees. */
function siteIds(filter: ListFilter): number[] {
  const one = filter.site_id ?? chosenSite.value;
  return one === null ? visibleSites.value.slice(0, mostSites).map(({ id }) => id) : [one];
}

export function choicesOf(key: ChoiceKey, filter: ListFilter): Option<string | number>[] {
  const sites = siteIds(filter);
  switch (key) {
    case 'status':
      return ticketStatuses.map((status) => ({ value: status, text: statusText(status) }));
    case 'assigned_to':
      return [
        { value: 'me', text: t.me },
        ...unique(sites.flatMap((id) => agents(id).value ?? [])).map(({ id, name, email }) => ({
          value: id,
          text: name,
          hint: email,
        })),
      ];
    case 'team_id':
      return unique(sites.flatMap((id) => teams(id).value ?? [])).map(({ id, name }) => ({ value: id, text: name }));
    case 'priority_id':
      return namedAlike(sites, (id) => priorities(id).value, filter.priority_id);
    case 'category_id':
      return namedAlike(sites, (id) => categories(id).value, filter.category_id);
    case 'tag':
      return knownTags(filter).map((tag) => ({ value: tag, text: tag }));
    case 'sla':
      return slaFilters.map((state) => ({ value: state, text: slaText(state) }));
    case 'satisfaction':
      return ratings.map((rating) => ({ value: rating, text: rating === 'good' ? t.ratedGood : t.ratedBad }));
  }
}

/**
 * Sites have catalogues of their own, often with the same names: these are one choice, with their ids as its value. A
 * filter that has only some of them shows these apart.
 */
function namedAlike(
  sites: readonly number[],
  rowsOf: (site: number) => readonly { id: number; name: string; is_active: boolean }[] | null,
  chosen: readonly number[] = [],
): Option<string>[] {
  const rows = sites.flatMap((site) =>
    (rowsOf(site) ?? []).filter(({ is_active: isActive }) => isActive).map(({ id, name }) => ({ id, name, site })),
  );
  const groups = [...Map.groupBy(rows, ({ name }) => name).values()].flatMap((alike) => {
    const [some, others] = [true, false].map((is) => alike.filter(({ id }) => chosen.includes(id) === is));
    return [some, others].filter((group) => group !== undefined && group.length > 0);
  });
  return groups.map((group = []) => ({
    value: group.map(({ id }) => id).join(),
    text: group[0]?.name ?? '',
    hint: group.length < sites.length ? group.map(({ site }) => siteName(site)).join(', ') : undefined,
  }));
}

const siteName = (site: number) => visibleSites.value.find(({ id }) => id === site)?.name;

/** The ids of the choices of `namedAlike`. */
export function idsOf(values: readonly (string | number)[]): number[] {
  return values.flatMap((value) => String(value).split(',').map(Number));
}

function unique<One extends { id: number }>(rows: readonly One[]): One[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** Those that were seen in the list; others can be typed. */
function knownTags({ tag: chosen = [] }: ListFilter): string[] {
  const seen = openList.peek()?.rows.tags() ?? [];
  return [...new Set([...chosen, ...seen])].sort();
}

export function tagOf(typed: string): string | null {
  const tag = typed.trim().toLowerCase().replace(/^#/, '').replaceAll(/\s+/g, '-');
  return tagPattern.test(tag) ? tag : null;
}

/** What a chip says of a value that is not chosen from a list. */
export function valueText(key: FilterKey, filter: ListFilter): string {
  const value = filter[key];
  if (key === 'mentions') {
    const names = new Map(choicesOf('assigned_to', filter).map((choice) => [choice.value, choice.text]));
    return (filter.mentions ?? []).map((one) => names.get(one) ?? String(one)).join(', ');
  }
  if (key === 'site_id') return visibleSites.value.find(({ id }) => id === value)?.name ?? String(value);
  if (key.endsWith('_from') || key.endsWith('_to')) return day(String(value));
  return String(value);
}
