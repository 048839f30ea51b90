// The lists in a file of settings: how each is read from a site, and changed by the verbs of the API.

import { invalid, invalidFields } from '../../domain/errors.ts';
import { recurringTicketBody } from '../../domain/input/automation.ts';
import { fieldErrors } from '../../domain/input/issues.ts';
import type { SectionName } from '../../domain/input/settings-file.ts';
import { type NamedKind, type Rename, renamedActions, renameInTicket } from '../../domain/rules/action-values.ts';
import type { RuleCondition } from '../../domain/rules/rule.ts';
import type { TriggerAction } from '../../domain/rules/trigger.ts';
import { renameInConditions } from '../../domain/rules/trigger-references.ts';
import type { Tx } from '../../engine/database.ts';
import { agentsOfSite } from '../../store/people/agents.ts';
import { allTeams, isOfSite } from '../../store/people/teams.ts';
import {
  categoryRows,
  channelRows,
  customFieldRows,
  inboundRuleRows,
  priorityRows,
  recurringTicketRows,
  senderRows,
  type TriggerRow,
  timedRuleRows,
  triggerRows,
} from '../../store/sites/catalogue.ts';
import { templatesOfSite } from '../../store/sites/mail-templates.ts';
import type { Site } from '../../store/sites/sites.ts';
import { macrosOfSite } from '../../store/tickets/macros.ts';
import type { Context } from '../context.ts';
import { addChannel, channels } from '../outbox/channels.ts';
import { recurringTickets } from '../rules/recurring-tickets.ts';
import { inboundRules } from '../rules/rules.ts';
import { timedRules } from '../rules/timed-rules.ts';
import { triggers } from '../rules/triggers.ts';
import { categories } from '../sites/catalogue/categories.ts';
import { customFields } from '../sites/catalogue/custom-fields.ts';
import { priorities } from '../sites/catalogue/priorities.ts';
import type { Catalogue } from '../sites/catalogue/verbs.ts';
import { putMailTemplate } from '../sites/mail-templates.ts';
import { senders } from '../sites/senders.ts';
import { asSender } from '../sites/site-senders.ts';
import { addMacro, changeMacro } from '../tickets/macros.ts';
import { unknownAddress, withoutAddress } from './export-site.ts';
import { lineNames } from './line-names.ts';

/** In the names of the file. */
export type Entry = Record<string, unknown>;
export type Row = Entry & { id: number };

interface Section {
  rows(tx: Tx, site: Site): Row[];
  /** What tells one entry from another. */
  nameOf(entry: Entry): string;
  /** Entries can share a name; then the first one is meant by the first one of the file, and so on. */
  isShared?: true;
  /** What a new entry must say. */
  needs: readonly string[];
  add(tx: Tx, ctx: Context, site: Site, entry: Entry): void;
  /** @param change what differs @param whole the entry with it */
  change(tx: Tx, ctx: Context, site: Site, id: number, change: Entry, whole: Entry): void;
}

type Kind = NamedKind;

/** By the ids of this desk. Null: the sender with the desk's own address. */
function namesOf(tx: Tx, site: Site, kind: Kind): Map<number, string | null> {
  switch (kind) {
    case 'channel':
      return new Map(channelRows.list(tx, site.id).map(({ id, name }) => [id, name]));
    case 'category':
      return new Map(categoryRows.list(tx, site.id).map(({ id, slug }) => [id, slug]));
    case 'priority':
      return new Map(priorityRows.list(tx, site.id).map(({ id, slug }) => [id, slug]));
    case 'sender':
      return new Map(senderRows.list(tx, site.id).map((row) => [row.id, asSender(site, row).address]));
    case 'agent':
      return new Map(agentsOfSite(tx, site.id).map(({ id, email }) => [id, email]));
    case 'team':
      return new Map(
        allTeams(tx)
          .filter((team) => isOfSite(team, site.id))
          .map(({ id, name }) => [id, name]),
      );
  }
}

/** A removed thing keeps its id, which an import cannot resolve. */
function named(tx: Tx, site: Site, kind: Kind, value: unknown): unknown {
  const name = typeof value === 'number' ? namesOf(tx, site, kind).get(value) : value;
  return name === undefined ? value : name;
}

function numbered(tx: Tx, site: Site, kind: Kind, value: unknown, path: string): unknown {
  // Round robin, and the agent who applies a macro.
  if (kind === 'agent' && typeof value === 'string' && !value.includes('@')) return value;
  if (value === null && kind !== 'sender') return value;
  const found = [...namesOf(tx, site, kind)].find(([, name]) => name === value);
  if (found === undefined) throw invalid(path, `does not name a ${kind} of this site.`);
  return found[0];
}

/** Conditions can name a category by its id too. */
function withSlugs(tx: Tx, site: Site, condition: RuleCondition): Entry {
  const { field, value } = condition;
  if (field !== 'site_category') return { ...condition };
  const slugOf = (one: unknown) => named(tx, site, 'category', /^\d+$/.test(String(one)) ? Number(one) : one);
  return { ...condition, value: Array.isArray(value) ? value.map(slugOf) : slugOf(value) };
}

function namedParts(tx: Tx, site: Site, { conditions, actions }: Pick<TriggerRow, 'conditions' | 'actions'>): Entry {
  const rename: Rename = (kind, value) => named(tx, site, kind, value);
  return { conditions: renameInConditions(conditions, rename), actions: renamedActions(actions, rename) };
}

/** An address that is not an agent's is one to mail to. */
function numberedParts(tx: Tx, site: Site, { conditions, actions, ...rule }: Entry): Entry {
  const rename: Rename = (kind, value, path) =>
    kind === 'agent' && path.includes('.to.') && ![...namesOf(tx, site, kind).values()].some((name) => name === value)
      ? value
      : numbered(tx, site, kind, value, path);
  return {
    ...rule,
    // Words in conditions are names on any desk.
    ...(conditions === undefined ? {} : { conditions }),
    ...(actions === undefined ? {} : { actions: renamedActions(actions as TriggerAction[], rename) }),
  };
}

function numberedTicket(tx: Tx, site: Site, { ticket, ...entry }: Entry): Entry {
  if (ticket === undefined) return entry;
  const meant = renameInTicket(ticket as Entry, (kind, value, path) => numbered(tx, site, kind, value, path));
  const parsed = recurringTicketBody.safeParse(meant);
  if (!parsed.success) throw invalidFields(fieldErrors(parsed.error.issues, meant, 'ticket'));
  return { ...entry, ticket: parsed.data };
}

/** The names of a macro's changes in the file, by those of the API. */
const macroNames = {
  priority_id: ['priority', 'priority'],
  category_id: ['category', 'category'],
  assigned_to: ['assigned_to', 'agent'],
  team_id: ['team', 'team'],
} as const;

function macroEntry(tx: Tx, site: Site, changes: Entry): Entry {
  const written = { ...changes };
  for (const [field, [name, kind]] of Object.entries(macroNames)) {
    if (changes[field] === undefined) continue;
    delete written[field];
    const value = named(tx, site, kind, changes[field]);
    // Removed things are left out, as when a site is moved.
    if (typeof value !== 'number') written[name] = value;
  }
  return written;
}

function withChanges(tx: Tx, site: Site, { changes, ...macro }: Entry): Entry {
  if (changes === undefined) return macro;
  const meant = { ...(changes as Entry) };
  for (const [field, [name, kind]] of Object.entries(macroNames)) {
    const value = meant[name];
    if (value === undefined) continue;
    delete meant[name];
    meant[field] = numbered(tx, site, kind, value, `changes.${name}`);
  }
  return { ...macro, changes: meant };
}

/** One whose entries are the rows of a catalogue. */
function ofCatalogue<Input, Change>(
  { add, change }: Catalogue<{ id: number; version: number }, Input, Change>,
  section: Pick<Section, 'rows' | 'nameOf' | 'needs' | 'isShared'>,
  meant: (tx: Tx, site: Site, entry: Entry) => Entry = (_tx, _site, entry) => entry,
): Section {
  return {
    ...section,
    add: (tx, ctx, site, entry) => void add(tx, ctx, site.slug, meant(tx, site, entry) as Input),
    change: (tx, ctx, site, id, entry) => void change(tx, ctx, site.slug, id, meant(tx, site, entry) as Change, null),
  };
}

const bySlug = ({ slug }: Entry) => String(slug);
const byName = ({ name }: Entry) => String(name);

/** In the order in which they are changed: what rules and macros name comes before them. */
export const sections: Readonly<Record<SectionName, Section>> = {
  senders: ofCatalogue(senders, {
    rows: (tx, site) => senderRows.list(tx, site.id).map((row) => lineNames(asSender(site, row))),
    nameOf: ({ address }) => String(address ?? ''),
    needs: ['address'],
  }),
  categories: ofCatalogue(categories, {
    rows: (tx, site) => categoryRows.list(tx, site.id).map(lineNames),
    nameOf: bySlug,
    needs: ['name'],
  }),
  priorities: ofCatalogue(priorities, {
    rows: (tx, site) =>
      priorityRows
        .list(tx, site.id)
        .map((row) => ({ ...lineNames(row), is_default: row.id === site.defaultPriorityId })),
    nameOf: bySlug,
    needs: ['name'],
  }),
  custom_fields: (() => {
    const section = ofCatalogue(customFields, {
      rows: (tx, site) => customFieldRows.list(tx, site.id).map(lineNames),
      nameOf: ({ key }) => String(key),
      needs: ['label', 'type'],
    });
    return {
      ...section,
      change(tx, ctx, site, id, change, whole) {
        if (change.type !== undefined) throw invalid('type', 'cannot be changed: tickets have values of the old one.');
        section.change(tx, ctx, site, id, change, whole);
      },
    };
  })(),
  mail_templates: {
    rows: (tx, site) => templatesOfSite(tx, site.id).map(lineNames),
    nameOf: ({ name, locale }) => `${name} ${locale}`,
    needs: [],
    add: (tx, ctx, site, entry) => putTemplate(tx, ctx, site, entry),
    change: (tx, ctx, site, _id, _change, whole) => putTemplate(tx, ctx, site, whole),
  },
  webhook_channels: {
    rows: (tx, site) => channelRows.list(tx, site.id).map(lineNames),
    nameOf: byName,
    isShared: true,
    needs: ['type', 'events'],
    add(tx, ctx, site, entry) {
      const input = { ...entry, webhook_url: unknownAddress, is_active: false } as Parameters<typeof addChannel>[3];
      const { channel } = addChannel(tx, ctx, site.slug, input);
      channelRows.update(tx, channel.id, { disabledAt: ctx.now, disabledReason: withoutAddress });
    },
    change: (tx, ctx, site, id, change) => void channels.change(tx, ctx, site.slug, id, change, null),
  },
  inbound_rules: ofCatalogue(
    inboundRules,
    {
      rows: (tx, site) =>
        inboundRuleRows.list(tx, site.id).map((row) => ({
          ...lineNames(row),
          conditions: row.conditions.map((condition) => withSlugs(tx, site, condition)),
          actions: renamedActions(row.actions, (kind, value) => named(tx, site, kind, value)),
        })),
      nameOf: byName,
      isShared: true,
      needs: ['conditions', 'actions'],
    },
    numberedParts,
  ),
  triggers: ofCatalogue(
    triggers,
    {
      rows: (tx, site) =>
        triggerRows.list(tx, site.id).map(({ events, ...row }) => ({
          ...lineNames(row),
          on: events,
          ...namedParts(tx, site, row),
        })),
      nameOf: byName,
      isShared: true,
      needs: ['on', 'actions'],
    },
    numberedParts,
  ),
  timed_rules: ofCatalogue(
    timedRules,
    {
      rows: (tx, site) =>
        timedRuleRows.list(tx, site.id).map((row) => ({ ...lineNames(row), ...namedParts(tx, site, row) })),
      nameOf: byName,
      isShared: true,
      needs: ['since', 'minutes', 'actions'],
    },
    numberedParts,
  ),
  recurring_tickets: ofCatalogue(
    recurringTickets,
    {
      rows: (tx, site) =>
        recurringTicketRows.list(tx, site.id).map((row) => ({
          ...lineNames(row),
          ticket: renameInTicket(row.ticket, (kind, value) => named(tx, site, kind, value)),
        })),
      nameOf: byName,
      isShared: true,
      needs: ['schedule', 'ticket'],
    },
    numberedTicket,
  ),
  macros: {
    rows: (tx, site) =>
      macrosOfSite(tx, site.id)
        .filter(({ isShared }) => isShared)
        .map((row) => ({ ...lineNames(row), changes: macroEntry(tx, site, { ...row.changes }) })),
    nameOf: byName,
    isShared: true,
    needs: [],
    add(tx, ctx, site, entry) {
      const input = { ...withChanges(tx, site, entry), site_id: site.id, is_shared: true };
      addMacro(tx, ctx, input as unknown as Parameters<typeof addMacro>[2]);
    },
    change: (tx, ctx, site, id, change) => void changeMacro(tx, ctx, id, withChanges(tx, site, change), null),
  },
};

function putTemplate(tx: Tx, ctx: Context, site: Site, entry: Entry): void {
  const { name, locale, subject, body } = entry as { name: string; locale: string; subject?: string; body: string };
  putMailTemplate(tx, ctx, site.slug, { name, locale }, { subject, body });
}
