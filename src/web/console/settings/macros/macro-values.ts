// The form of a macro: its values, how the desk and the command line take them, and their problems.

import type { MacroChanges } from '../../../../domain/input/macros.ts';
import { type MacroFormat, unknownVariables } from '../../../../domain/tickets/macro.ts';
import { maxTags, type TicketStatus, tagPattern } from '../../../../domain/tickets/ticket.ts';
import type { Refusal } from '../../../shared/api.ts';
import { count } from '../../../shared/format.ts';
import { fieldProblems } from '../../../shared/refusal-text.ts';
import type { Site } from '../../session.ts';
import type { Macro } from '../../wire.ts';
import { t } from './messages.ts';

export function statusText(status: TicketStatus): string {
  return { open: t.statusOpen, pending: t.statusPending, resolved: t.statusResolved, closed: t.statusClosed }[status];
}

/** An empty text leaves what the ticket has. */
export interface MacroValues {
  name: string;
  body: string;
  body_format: MacroFormat;
  status: TicketStatus | '';
  priority_id: string;
  /** Or `none`. */
  category_id: string;
  /** Or `me` or `none`. */
  assigned_to: string;
  /** Or `none`. */
  team_id: string;
  add_tags: string;
  remove_tags: string;
  snooze_hours: string;
  is_shared: boolean;
  /** Empty: every site. */
  site_id: string;
  position: string;
}

export const newMacro = (site: Site): MacroValues => ({
  ...{ name: '', body: '', body_format: 'text', status: '', priority_id: '', category_id: '', assigned_to: '' },
  team_id: '',
  ...{ add_tags: '', remove_tags: '', snooze_hours: '', is_shared: true, site_id: String(site.id), position: '' },
});

const idText = (id: number | string | null | undefined) => (id === undefined ? '' : String(id ?? 'none'));

export const valuesOf = ({ changes, ...macro }: Macro): MacroValues => ({
  ...{ name: macro.name, body: macro.body, body_format: macro.body_format, is_shared: macro.is_shared },
  status: changes.status ?? '',
  priority_id: idText(changes.priority_id),
  category_id: idText(changes.category_id),
  assigned_to: idText(changes.assigned_to),
  team_id: idText(changes.team_id),
  add_tags: (changes.add_tags ?? []).join(' '),
  remove_tags: (changes.remove_tags ?? []).join(' '),
  snooze_hours: String(changes.snooze_hours ?? ''),
  site_id: String(macro.site_id ?? ''),
  position: String(macro.position),
});

const tagsIn = (text: string) => [...new Set(text.split(/[\s,]+/).filter(Boolean))];
const idIn = (text: string) => (text === 'none' ? null : Number(text));

export function changesOf(values: MacroValues): MacroChanges {
  const { status, assigned_to: agent, priority_id: priority, category_id: category, snooze_hours: hours } = values;
  const [added, removed] = [tagsIn(values.add_tags), tagsIn(values.remove_tags)];
  // Priorities and categories belong to one site.
  const isOfSite = values.site_id !== '';
  return {
    ...(status === '' ? {} : { status }),
    ...(priority === '' || !isOfSite ? {} : { priority_id: Number(priority) }),
    ...(category === '' || !(isOfSite || category === 'none') ? {} : { category_id: idIn(category) }),
    ...(agent === '' ? {} : { assigned_to: agent === 'me' ? 'me' : idIn(agent) }),
    ...(values.team_id === '' ? {} : { team_id: idIn(values.team_id) }),
    ...(added.length === 0 ? {} : { add_tags: added }),
    ...(removed.length === 0 ? {} : { remove_tags: removed }),
    ...(hours.trim() === '' ? {} : { snooze_hours: Number(hours) }),
  };
}

export const bodyOf = (values: MacroValues) => ({
  name: values.name.trim(),
  body: values.body,
  body_format: values.body_format,
  changes: changesOf(values),
  is_shared: values.is_shared,
  site_id: values.site_id === '' ? null : Number(values.site_id),
  ...(values.position.trim() === '' ? {} : { position: Number(values.position) }),
});

export const namesOf = (): Record<keyof MacroValues, string> => ({
  ...{ name: t.name, body: t.macroText, body_format: t.macroMarkdown, status: t.macroStatus },
  ...{ priority_id: t.macroPriority, category_id: t.macroCategory, assigned_to: t.macroAssignee },
  team_id: t.macroTeam,
  ...{ add_tags: t.macroAddTags, remove_tags: t.macroRemoveTags, snooze_hours: t.macroSnooze },
  ...{ is_shared: t.macroShared, site_id: t.macroFor, position: t.macroPlace },
});

const mostHours = 8760;
const mostPosition = 1_000_000;

function isWhole(text: string, least: number, most: number): boolean {
  return text.trim() === '' || (/^\s*\d+\s*$/.test(text) && Number(text) >= least && Number(text) <= most);
}

function tagsWrong(text: string): string | undefined {
  const tags = tagsIn(text);
  if (!tags.every((tag) => tagPattern.test(tag))) return t.macroTagsRefused;
  return tags.length > maxTags ? t.macroTagsMany(count(maxTags)) : undefined;
}

/** @param keys of the custom fields that the text can name; null where the desk must say */
export function wrongIn(values: MacroValues, keys: readonly string[] | null): Record<string, string> {
  const { body, status, snooze_hours: hours } = values;
  const unknown = keys === null ? [] : unknownVariables(body, new Set(keys));
  const isEmpty = body.trim() === '' && Object.keys(changesOf(values)).length === 0;
  const wrong: Record<keyof MacroValues, string | undefined | false> = {
    name: values.name.trim() === '' && t.required,
    body: isEmpty ? t.macroEmpty : unknown.length > 0 && t.macroUnknown(unknown.map((one) => `{{${one}}}`).join(', ')),
    ...{ body_format: false, status: false, priority_id: false, category_id: false, assigned_to: false },
    team_id: false,
    add_tags: tagsWrong(values.add_tags),
    remove_tags: tagsWrong(values.remove_tags),
    snooze_hours: isWhole(hours, 1, mostHours)
      ? hours.trim() !== '' && !['', 'pending'].includes(status) && t.macroSnoozeStatus(statusText('pending'))
      : t.numberRefused('1', count(mostHours)),
    ...{ is_shared: false, site_id: false },
    position: !isWhole(values.position, 0, mostPosition) && t.numberRefused('0', count(mostPosition)),
  };
  return Object.fromEntries(
    Object.entries(wrong).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** What a refusal says of `changes.add_tags.0` belongs to the field of these tags. */
export const problemsOf = (refusal: Refusal) =>
  Object.fromEntries(
    Object.entries(fieldProblems(refusal)).map(([name, said]) => [
      name.replace(/^changes\./, '').replace(/\.\d+$/, ''),
      said,
    ]),
  );

const changeFlags = (changes: MacroChanges): string[] =>
  (
    [
      ['--status', changes.status],
      ['--priority', changes.priority_id],
      ['--category', changes.category_id],
      ['--assign', changes.assigned_to],
      ['--team', changes.team_id],
      ['--add-tags', changes.add_tags?.join(',')],
      ['--remove-tags', changes.remove_tags?.join(',')],
      ['--snooze-hours', changes.snooze_hours],
    ] as const
  ).flatMap(([flag, value]) => (value === undefined ? [] : [flag, String(value ?? 'none')]));

const format = (values: MacroValues) => (values.body_format === 'markdown' ? ['--markdown'] : []);

/** Null for one that is not shared: the command line makes only shared ones. */
export function createCommand(values: MacroValues, site: Site): string[] | null {
  if (!values.is_shared) return null;
  return [
    ...['helpdesk', 'macro', 'create', '--name', values.name.trim()],
    // Without it, the text would be read from standard input.
    ...['--body', values.body],
    ...format(values),
    ...changeFlags(changesOf(values)),
    ...(values.position.trim() === '' ? [] : ['--position', values.position.trim()]),
    ...(values.site_id === '' ? [] : ['--site', site.slug]),
  ];
}

/** What is changed. Null where the command line cannot say it. */
export function updateCommand(id: number, before: MacroValues, after: MacroValues, site: Site): string[] | null {
  const [old, now] = [bodyOf(before), bodyOf(after)];
  const isOther = (name: keyof typeof now) => JSON.stringify(old[name]) !== JSON.stringify(now[name]);
  const hasNoWord =
    !before.is_shared ||
    isOther('is_shared') ||
    (isOther('site_id') && now.site_id === null) ||
    (isOther('body_format') && now.body_format === 'text') ||
    (isOther('changes') && Object.keys(now.changes).length === 0);
  const flags = [
    ...(isOther('name') ? ['--name', now.name] : []),
    ...(isOther('body') ? ['--body', now.body] : []),
    ...(isOther('body_format') ? format(after) : []),
    ...(isOther('changes') ? changeFlags(now.changes) : []),
    ...(isOther('position') ? ['--position', String(now.position)] : []),
    ...(isOther('site_id') ? ['--site', site.slug] : []),
  ];
  return hasNoWord || flags.length === 0 ? null : ['helpdesk', 'macro', 'update', String(id), ...flags];
}
