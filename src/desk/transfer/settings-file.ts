// A site's settings as a file, without secrets: writing one, and carrying one out (docs/operations/settings-file.md).

import { isDeepStrictEqual } from 'node:util';
import { DeskError, invalid } from '../../domain/errors.ts';
import {
  fieldsOf,
  type SectionName,
  type SettingsFile,
  settingNames,
  settingsFileVersion,
} from '../../domain/input/settings-file.ts';
import type { SiteChangeInput } from '../../domain/input/sites.ts';
import { defaultSettings } from '../../domain/sites/site.ts';
import type { Tx } from '../../engine/database.ts';
import type { Site } from '../../store/sites/sites.ts';
import { authorise, findSite } from '../access.ts';
import type { Context } from '../context.ts';
import { changeSite } from '../sites/sites.ts';
import { type Entry, type Row, sections } from './settings-sections.ts';

const sectionNames = Object.keys(sections) as SectionName[];
const picked = (from: Entry, names: readonly string[]) => Object.fromEntries(names.map((name) => [name, from[name]]));

/** What the site has, with the ids of its rows. */
interface Held {
  site: Entry;
  settings: Entry;
  sla_policy: Entry;
  rows: Record<SectionName, Row[]>;
}

function held(tx: Tx, site: Site): Held {
  const { name, color } = site.settings.brand ?? defaultSettings.brand;
  return {
    site: { name: site.name, description: site.description },
    settings: picked({ ...defaultSettings, ...site.settings, brand: { name, color } }, settingNames),
    sla_policy: { ...site.slaPolicy, holiday_names: site.slaPolicy.holiday_names ?? {} },
    rows: Object.fromEntries(
      sectionNames.map((section) => [section, sections[section].rows(tx, site)]),
    ) as Held['rows'],
  };
}

export function exportSettings(tx: Tx, ctx: Context, name: string): Entry {
  authorise(ctx, 'manage');
  const { site, settings, sla_policy, rows } = held(tx, findSite(tx, ctx, name));
  const lists = sectionNames.map((section) => [section, rows[section].map((row) => entryOf(section, row))]);
  return { version: settingsFileVersion, ...site, settings, sla_policy, ...Object.fromEntries(lists) };
}

function entryOf(section: SectionName, row: Row): Entry {
  const { is_default, ...entry } = picked(row, fieldsOf(section));
  return is_default === true ? { ...entry, is_default } : entry;
}

/** One value that an import adds or changes. */
export interface PlannedChange {
  change: 'added' | 'changed';
  section: 'site' | 'settings' | 'sla_policy' | SectionName;
  /** Of the entry in a list. */
  name: string | null;
  /** Null for a whole entry. */
  field: string | null;
  from: unknown;
  to: unknown;
}

/** Changes what the file names, and leaves the rest as it is. Returns what is different afterwards. */
function importSettings(tx: Tx, ctx: Context, name: string, file: SettingsFile): PlannedChange[] {
  authorise(ctx, 'manage');
  const { slug } = findSite(tx, ctx, name);
  const before = held(tx, findSite(tx, ctx, slug));
  for (const section of sectionNames) importSection(tx, ctx, slug, section, (file[section] ?? []) as Entry[]);
  const input = changedSite(before, file);
  if (Object.keys(input).length > 0) under('', () => changeSite(tx, ctx, slug, input, null));
  return differences(before, held(tx, findSite(tx, ctx, slug)));
}

const changesOf = (given: Entry, current: Entry) =>
  Object.fromEntries(
    Object.entries(given).filter(([field, value]) => value !== undefined && !isDeepStrictEqual(value, current[field])),
  );

function changedSite(before: Held, { name, description, settings = {}, sla_policy = {} }: SettingsFile) {
  const parts = {
    settings: changesOf(settings, before.settings),
    sla_policy: changesOf(sla_policy, before.sla_policy),
  };
  const some = Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0);
  return { ...changesOf({ name, description }, before.site), ...Object.fromEntries(some) } as SiteChangeInput;
}

function importSection(tx: Tx, ctx: Context, slug: string, section: SectionName, entries: readonly Entry[]): void {
  const { needs, add, change } = sections[section];
  const found = matched(section, entries, sections[section].rows(tx, findSite(tx, ctx, slug)));
  // The one that is to be the default takes over before the old one may be switched off.
  const inOrder = found.toSorted((a, b) => Number(b.entry.is_default ?? false) - Number(a.entry.is_default ?? false));
  for (const { entry, row, at } of inOrder)
    under(`${section}.${at}`, () => {
      const site = findSite(tx, ctx, slug);
      const changes = changesOf(entry, row ?? {});
      if (row !== null && Object.keys(changes).length > 0)
        change(tx, ctx, site, row.id, changes, { ...entryOf(section, row), ...changes });
      if (row !== null) return;
      for (const field of needs) if (entry[field] == null) throw invalid(field, 'is required for a new entry.');
      add(tx, ctx, site, entry);
    });
}

interface Match {
  entry: Entry;
  at: number;
  /** Null for one that the site does not have. */
  row: Row | null;
}

function matched(section: SectionName, entries: readonly Entry[], rows: readonly Row[]): Match[] {
  const { nameOf, isShared } = sections[section];
  const left = new Map<string, Row[]>();
  for (const row of rows) left.set(nameOf(row), [...(left.get(nameOf(row)) ?? []), row]);
  const seen = new Set<string>();
  const matches = entries.map((entry, at): Match => {
    const name = nameOf(entry);
    if (seen.has(name) && !isShared) throw refusal({ [`${section}.${at}`]: [`names "${name}" for the second time.`] });
    seen.add(name);
    return { entry, at, row: left.get(name)?.shift() ?? null };
  });
  // A default sender with another address is the same sender, unless the file has both.
  const other = section === 'senders' && matches.find(({ entry, row }) => row === null && entry.is_default === true);
  const own = rows.find(({ id, is_default }) => is_default && matches.every(({ row }) => row?.id !== id));
  return other && own ? matches.map((match) => (match === other ? { ...match, row: own } : match)) : matches;
}

function differences(before: Held, after: Held): PlannedChange[] {
  const changed = (section: PlannedChange['section'], name: string | null, from: Entry, to: Entry) =>
    Object.entries(to)
      .filter(([field, value]) => !isDeepStrictEqual(value, from[field]))
      .map(
        ([field, value]): PlannedChange => ({
          change: 'changed',
          section,
          name,
          field,
          from: from[field] ?? null,
          to: value ?? null,
        }),
      );
  const plan = (['site', 'settings', 'sla_policy'] as const).flatMap((part) =>
    changed(part, null, before[part], after[part]),
  );
  for (const section of sectionNames) {
    const fields = fieldsOf(section);
    const known = new Map(before.rows[section].map((row) => [sections[section].nameOf(row), row]));
    const byId = new Map(before.rows[section].map((row) => [row.id, row]));
    for (const row of after.rows[section]) {
      const name = sections[section].nameOf(row);
      // A mail template gets another id with each change.
      const old = byId.get(row.id) ?? (sections[section].isShared ? undefined : known.get(name));
      if (old !== undefined) plan.push(...changed(section, name, picked(old, fields), picked(row, fields)));
      else plan.push({ change: 'added', section, name, field: null, from: null, to: entryOf(section, row) });
    }
  }
  return plan;
}

const refusal = (errors: Record<string, string[]>) =>
  new DeskError('invalid', 'The file cannot be imported. Nothing was changed.', { errors });

/** Says where in the file it is what a verb refuses. */
function under(path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    const errors = Object.entries(error.errors ?? { '': [error.message] });
    throw refusal(
      Object.fromEntries(errors.map(([field, said]) => [[path, field].filter((part) => part !== '').join('.'), said])),
    );
  }
}

/** Carries the plan out of a transaction that is to change nothing. */
class NotApplied extends Error {
  readonly plan: PlannedChange[];
  constructor(plan: PlannedChange[]) {
    super('The plan is only shown.');
    this.plan = plan;
  }
}

/** In a transaction that ends with it, unless the plan is wanted. */
export function importWanted(
  tx: Tx,
  ctx: Context,
  name: string,
  file: SettingsFile,
  isWanted: (plan: PlannedChange[]) => boolean,
): PlannedChange[] {
  const plan = importSettings(tx, ctx, name, file);
  // A file that says what is so already leaves no trace.
  if (plan.length === 0 || !isWanted(plan)) throw new NotApplied(plan);
  return plan;
}

/** Of a transaction that failed because its plan was not wanted. */
export function planIn(error: unknown): PlannedChange[] {
  if (error instanceof NotApplied) return error.plan;
  throw error;
}
