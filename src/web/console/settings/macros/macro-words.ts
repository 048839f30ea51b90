// What a macro does, in words.

import { count } from '../../../shared/format.ts';
import { useFetched } from '../../shell/fetched.ts';
import type { Category, Colleague, CustomField, List, Priority, Team } from '../../wire.ts';
import { type Asked, together } from '../asked.ts';
import { changesOf, type MacroValues, statusText } from './macro-values.ts';
import { t } from './messages.ts';

/** What a macro of a site can name. Null until the desk has answered. */
export interface Known {
  categories: readonly Category[] | null;
  priorities: readonly Priority[] | null;
  agents: readonly Colleague[] | null;
  teams: readonly Team[] | null;
  fields: readonly CustomField[] | null;
  asked: Asked;
}

export function useKnown(siteId: number): Known {
  const path = `/sites/${siteId}`;
  const categories = useFetched<List<Category>>(`${path}/categories`);
  const priorities = useFetched<List<Priority>>(`${path}/priorities`);
  const agents = useFetched<List<Colleague>>(`${path}/agents`);
  const teams = useFetched<List<Team>>(`/teams?site_id=${siteId}`);
  const fields = useFetched<List<CustomField>>(`${path}/custom-fields`);
  return {
    categories: categories.data.value?.data ?? null,
    priorities: priorities.data.value?.data ?? null,
    agents: agents.data.value?.data ?? null,
    teams: teams.data.value?.data ?? null,
    fields: fields.data.value?.data ?? null,
    asked: together([categories, priorities, agents, teams, fields]),
  };
}

/** Of the custom fields that a text can name. For every site only the desk knows them all. */
export const keysFor = ({ fields }: Known, { site_id: siteId }: MacroValues) =>
  siteId === '' ? null : (fields?.map(({ key }) => key) ?? null);

interface Chosen {
  value: string;
  text: string;
}

/** Also the chosen one that cannot be chosen any more. */
function choices(rows: readonly { id: number; name: string; is_active?: boolean }[] | null, chosen: string): Chosen[] {
  const shown = (rows ?? []).filter((row) => row.is_active !== false || String(row.id) === chosen);
  const isKnown = !/^\d+$/.test(chosen) || rows === null || shown.some(({ id }) => String(id) === chosen);
  return [
    ...shown.map(({ id, name }) => ({ value: String(id), text: name })),
    ...(isKnown ? [] : [{ value: chosen, text: t.macroGone(chosen) }]),
  ];
}

const leave = () => ({ value: '', text: t.macroLeaves });

export const priorityChoices = (known: Known, chosen: string): Chosen[] => [
  leave(),
  ...choices(known.priorities, chosen),
];
export const categoryChoices = (known: Known, chosen: string): Chosen[] => [
  leave(),
  { value: 'none', text: t.macroNoCategory },
  ...choices(known.categories, chosen),
];
export const assigneeChoices = (known: Known, chosen: string): Chosen[] => [
  leave(),
  { value: 'me', text: t.macroApplier },
  { value: 'none', text: t.macroNoOne },
  ...choices(known.agents, chosen),
];

export const teamChoices = (known: Known, chosen: string): Chosen[] => [
  leave(),
  { value: 'none', text: t.macroNoTeam },
  ...choices(known.teams, chosen),
];

const textIn = (all: readonly Chosen[], value: string) => all.find((one) => one.value === value)?.text ?? value;

/** A value of the form as people read it. */
export function valueText(known: Known, name: keyof MacroValues, values: MacroValues): string | null {
  const text = String(values[name]);
  switch (name) {
    case 'status':
      return values.status === '' ? t.macroLeaves : statusText(values.status);
    case 'priority_id':
      return textIn(priorityChoices(known, text), text);
    case 'category_id':
      return textIn(categoryChoices(known, text), text);
    case 'assigned_to':
      return textIn(assigneeChoices(known, text), text);
    case 'team_id':
      return textIn(teamChoices(known, text), text);
    default:
      return null;
  }
}

/** Each thing that it does, in a few words. */
export function doneBy(values: MacroValues, known: Known): string[] {
  const changes = changesOf(values);
  const said = (name: 'status' | 'priority_id' | 'category_id' | 'assigned_to' | 'team_id') =>
    valueText(known, name, values) ?? '';
  const list = (tags: readonly string[]) => tags.join(', ');
  return [
    ...(values.body.trim() === '' ? [] : [t.macroDoesText]),
    ...(changes.status === undefined ? [] : [t.macroDoesStatus(said('status'))]),
    ...(changes.assigned_to === undefined ? [] : [t.macroDoesAssignee(said('assigned_to'))]),
    ...(changes.team_id === undefined ? [] : [t.macroDoesTeam(said('team_id'))]),
    ...(changes.priority_id === undefined ? [] : [t.macroDoesPriority(said('priority_id'))]),
    ...(changes.category_id === undefined ? [] : [t.macroDoesCategory(said('category_id'))]),
    ...(changes.add_tags === undefined ? [] : [t.macroDoesAddTags(list(changes.add_tags))]),
    ...(changes.remove_tags === undefined ? [] : [t.macroDoesRemoveTags(list(changes.remove_tags))]),
    ...(changes.snooze_hours === undefined ? [] : [t.macroDoesSnooze(count(changes.snooze_hours))]),
  ];
}
