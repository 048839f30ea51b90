// What can be chosen for tickets, and the change that a choice makes.

import { type TicketStatus, ticketStatuses } from '../../../../domain/tickets/ticket.ts';
import { now } from '../../../shared/clock.ts';
import type { Option } from '../../../shared/combobox-option.ts';
import { dateAndTime } from '../../../shared/format.ts';
import { agents, categories, macros, mostSites, priorities, teams } from '../../catalogue.ts';
import { t } from '../../on-demand-messages.ts';
import { chosenSite, session, visibleSites } from '../../session.ts';
import { snoozeTimes } from '../../ticket/dialogs/snooze-times.ts';
import { awayText } from '../../tickets/away.ts';
import type { TicketChange } from '../../tickets/effects.ts';
import type { Ticket } from '../../wire.ts';
import { subjectText } from '../messages.ts';
import '../../tickets/on-demand-refusals.ts';
import { statusText } from '../../tickets/status.tsx';
import { openList } from '../ticket-list.ts';
import type { PickerKind, Targets } from './targets.ts';

export interface Picked {
  change: TicketChange;
  textFor: (count: number) => string;
}

const noOne = 'none';

export function pickTitle(kind: PickerKind, count: number): string {
  const titles: Record<PickerKind, (count: number) => string> = {
    assign: t.pickAssign,
    team: t.pickTeam,
    status: t.pickStatus,
    priority: t.pickPriority,
    category: t.pickCategory,
    tags: t.pickTags,
    snooze: t.pickSnooze,
    macro: t.pickMacro,
    merge: t.pickMerge,
  };
  return titles[kind](count);
}

/** The sites of the tickets: each has a catalogue of its own. */
function siteIds(targets: Targets): number[] {
  if (targets.kind === 'some' && targets.tickets.length === targets.ulids.length)
    return [...new Set(targets.tickets.map(({ site_id: id }) => id))];
  const one = openList.peek()?.source.filter.site_id ?? chosenSite.value;
  return one === null ? visibleSites.value.slice(0, mostSites).map(({ id }) => id) : [one];
}

export function pickOptions(kind: PickerKind, targets: Targets): Option<string | number>[] {
  const sites = siteIds(targets);
  const siteName = (id: number) =>
    sites.length > 1 ? visibleSites.value.find((one) => one.id === id)?.name : undefined;
  const active = <Row extends { id: number; name: string; is_active: boolean }>(
    rowsOf: (site: number) => readonly Row[] | null,
  ): Option<number>[] =>
    sites.flatMap((site) =>
      (rowsOf(site) ?? [])
        .filter(({ is_active: isActive }) => isActive)
        .map(({ id, name }) => ({ value: id, text: name, hint: siteName(site) })),
    );
  switch (kind) {
    case 'assign': {
      const own = session.value?.agent.id;
      const people = new Map(
        sites.flatMap((site) => agents(site).value ?? []).map((agent) => [agent.id, agent] as const),
      );
      return [
        ...(own === undefined ? [] : [{ value: own, text: t.me }]),
        { value: noOne, text: t.noAssignee },
        ...[...people.values()]
          .filter(({ id, is_active: isActive }) => isActive && id !== own)
          .map((agent) => ({ value: agent.id, text: agent.name, hint: awayText(agent) ?? agent.email })),
      ];
    }
    case 'team': {
      const found = new Map(sites.flatMap((site) => teams(site).value ?? []).map((team) => [team.id, team] as const));
      return [
        ...(found.size === 0 ? [] : [{ value: noOne, text: t.noTeam }]),
        ...[...found.values()].map(({ id, name }) => ({ value: id, text: name })),
      ];
    }
    case 'status':
      return ticketStatuses.map((status) => ({ value: status, text: statusText(status) }));
    case 'priority':
      return active((site) => priorities(site).value);
    case 'category':
      return [{ value: noOne, text: t.withoutCategory }, ...active((site) => categories(site).value)];
    case 'macro': {
      const found = new Map(
        sites.flatMap((site) => macros(site).value ?? []).map((macro) => [macro.id, macro] as const),
      );
      return [...found.values()].map(({ id, name }) => ({ value: id, text: name }));
    }
    case 'snooze':
      return snoozeTimes(new Date(now())).map(({ name, at }) => ({
        value: at.toISOString(),
        text: snoozeText(name),
        hint: dateAndTime(at.toISOString()),
      }));
    case 'merge':
      return targets.kind === 'all'
        ? []
        : targets.tickets.map(({ ulid, reference, subject, author }) => ({
            value: ulid,
            text: subjectText(subject),
            hint: [reference, author?.name ?? author?.email].join(' · '),
          }));
    case 'tags':
      return [...new Set(openList.peek()?.rows.tags() ?? [])].sort().map((tag) => ({ value: tag, text: tag }));
  }
}

const rowsFor = { assign: agents, team: teams, priority: priorities, category: categories, macro: macros };

/** Whether some of the options are still on their way from the desk. */
export function isLoading(kind: PickerKind, targets: Targets): boolean {
  if (!(kind in rowsFor)) return false;
  const rowsOf = rowsFor[kind as keyof typeof rowsFor];
  return siteIds(targets).some((site) => rowsOf(site).value === null);
}

function snoozeText(name: ReturnType<typeof snoozeTimes>[number]['name']): string {
  const texts = {
    laterToday: t.listSnoozeLater,
    tomorrow: t.listSnoozeTomorrow,
    nextWeek: t.snoozeWeek,
    nextMonth: t.snoozeMonth,
  };
  return texts[name];
}

/** @param text how the choice was shown */
export function changeFor(kind: PickerKind, value: string | number, text: string): Picked {
  switch (kind) {
    case 'assign':
      return {
        change: { assigned_to: value === noOne ? null : Number(value) },
        textFor: (count) => (value === noOne ? t.listDidUnassign(count) : t.listDidAssign(count, text)),
      };
    case 'team':
      return {
        change: { team_id: value === noOne ? null : Number(value) },
        textFor: (count) => (value === noOne ? t.listDidNoTeam(count) : t.listDidTeam(count, text)),
      };
    case 'status':
      return {
        change: { status: value as TicketStatus },
        textFor: (count) => (value === 'resolved' ? t.didResolve(count) : t.didChange(count, text)),
      };
    case 'priority':
      return { change: { priority_id: Number(value) }, textFor: (count) => t.didChange(count, text) };
    case 'category':
      return {
        change: { category_id: value === noOne ? null : Number(value) },
        textFor: (count) => t.didChange(count, text),
      };
    case 'macro':
      return { change: { macro_id: Number(value) }, textFor: (count) => t.didMacro(count, text) };
    case 'snooze':
      return {
        change: { snoozed_until: String(value) },
        textFor: (count) => t.listDidSnooze(count, dateAndTime(String(value))),
      };
    case 'merge':
      return { change: { merge_into: String(value) }, textFor: (count) => t.didMerge(count, text) };
    case 'tags':
      return { change: { add_tags: [String(value)] }, textFor: (count) => t.didTags(count) };
  }
}

/** What all of the tickets are now, for the list to mark and to begin with. */
export function chosenNow(kind: PickerKind, targets: Targets): (string | number)[] {
  if (targets.kind === 'all' || targets.tickets.length < targets.ulids.length) return [];
  const values = new Set(targets.tickets.map((ticket) => presentValue(kind, ticket)));
  const [value] = values;
  return values.size === 1 && value != null ? [value] : [];
}

function presentValue(
  kind: PickerKind,
  { status, priority, category, team, assignee }: Ticket,
): string | number | undefined {
  switch (kind) {
    case 'status':
      return status;
    case 'priority':
      return priority?.id;
    case 'category':
      return category?.id;
    case 'team':
      return team?.id;
    case 'assign':
      return assignee?.id;
    default:
      return undefined;
  }
}

/** Those that every one of the tickets has. */
export function commonTags(targets: Targets): string[] {
  if (targets.kind === 'all') return [];
  const [first, ...others] = targets.tickets;
  return (first?.tags ?? []).filter((tag) => others.every(({ tags }) => tags.includes(tag)));
}
