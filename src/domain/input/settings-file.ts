// The settings of a site as a file: what it may hold, by names and never by ids (docs/operations/settings-file.md).

import * as z from 'zod';
import { DeskError, type FieldErrors } from '../errors.ts';
import { templateNames } from '../mail/template.ts';
import { locales } from '../people/preferences.ts';
import { mostMacros, mostOnSite } from '../sites/limits.ts';
import { recurringTicketChangeInput, timedRuleChangeInput, triggerChangeInput } from './automation.ts';
import { brandInput } from './brand.ts';
import { channelChangeInput, ruleChangeInput } from './channels.ts';
import { fieldErrors } from './issues.ts';
import { macroChangeInput, macroInput } from './macros.ts';
import { mailTemplateInput } from './mail-templates.ts';
import { senderChangeInput } from './senders.ts';
import {
  categoryChangeInput,
  customFieldChangeInput,
  customFieldInput,
  priorityChangeInput,
  settingsInput,
  siteChangeInput,
  slaPolicyInput,
} from './sites.ts';

export const settingsFileVersion = 1;

// Another one becomes the default when it says so, so no entry needs to say that it is none.
const is_default = z.literal(true).optional();

const {
  priority_id: _,
  category_id: __,
  assigned_to: ___,
  team_id: ____,
  ...plainChanges
} = macroInput.shape.changes.unwrap().unwrap().shape;
const name = z.string().max(320);

const entries = {
  senders: senderChangeInput.required({ address: true }).extend({ is_default }),
  categories: categoryChangeInput.required({ slug: true }),
  priorities: priorityChangeInput.omit({ sla_hours: true }).required({ slug: true }).extend({ is_default }),
  custom_fields: z.object({
    key: customFieldInput.shape.key,
    type: customFieldInput.shape.type.optional(),
    ...customFieldChangeInput.shape,
  }),
  mail_templates: z.object({ name: z.enum(templateNames), locale: z.enum(locales), ...mailTemplateInput.shape }),
  webhook_channels: channelChangeInput.omit({ webhook_url: true, is_active: true }).required({ name: true }),
  inbound_rules: ruleChangeInput.required({ name: true }),
  triggers: triggerChangeInput.required({ name: true }),
  timed_rules: timedRuleChangeInput.required({ name: true }),
  // What the ticket names is named by slugs and addresses here.
  recurring_tickets: recurringTicketChangeInput
    .omit({ ticket: true })
    .required({ name: true })
    .extend({ ticket: z.record(z.string().max(64), z.unknown()).optional() }),
  macros: macroChangeInput
    .omit({ site_id: true, is_shared: true })
    .required({ name: true })
    .extend({
      changes: z
        .object({
          ...plainChanges,
          priority: name.optional(),
          category: name.nullable().optional(),
          assigned_to: name.nullable().optional(),
          team: name.nullable().optional(),
        })
        .optional(),
    }),
};
export type SectionName = keyof typeof entries;

export const fieldsOf = (section: SectionName): readonly string[] => Object.keys(entries[section].shape);

/** Without the address of mail, which is the default sender's, the logo, whose image is not text, and what an owner skipped. */
const settings = settingsInput
  .omit({ mail_from_name: true, mail_from_address: true, skipped_steps: true })
  .extend({ brand: brandInput.omit({ logo: true }).optional() });
export const settingNames: readonly string[] = Object.keys(settings.shape);

const list = <Entry extends z.ZodType>(entry: Entry, most: number) => z.array(entry).max(most).optional();

const settingsFile = z.object({
  version: z.literal(settingsFileVersion),
  name: siteChangeInput.shape.name,
  description: siteChangeInput.shape.description,
  settings: settings.optional(),
  sla_policy: slaPolicyInput.optional(),
  senders: list(entries.senders, mostOnSite.sender),
  categories: list(entries.categories, mostOnSite.category),
  priorities: list(entries.priorities, mostOnSite.priority),
  custom_fields: list(entries.custom_fields, mostOnSite['custom field']),
  mail_templates: list(entries.mail_templates, templateNames.length * locales.length),
  webhook_channels: list(entries.webhook_channels, mostOnSite['webhook channel']),
  inbound_rules: list(entries.inbound_rules, mostOnSite['inbound rule']),
  triggers: list(entries.triggers, mostOnSite.trigger),
  timed_rules: list(entries.timed_rules, mostOnSite['timed rule']),
  recurring_tickets: list(entries.recurring_tickets, mostOnSite['recurring ticket']),
  macros: list(entries.macros, mostMacros.imported),
});
export type SettingsFile = z.output<typeof settingsFile>;

const refused = (errors: FieldErrors, reason?: string) =>
  new DeskError('invalid', 'The file cannot be imported. Nothing was changed.', { errors, reason });

/** Names each path that is not known or not valid. Nothing is read as another type than it has. */
export function readSettingsFile(value: unknown): SettingsFile {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refused({ file: ['must be YAML with lines such as "version: 1".'] }, 'no_settings');
  const parsed = settingsFile.safeParse(value);
  const errors: FieldErrors = parsed.success
    ? Object.fromEntries(strayPaths(value, parsed.data).map((path) => [path, ['is not known here.']]))
    : fieldErrors(parsed.error.issues, value, 'file');
  if (parsed.success && Object.keys(errors).length === 0) return parsed.data;
  throw refused(errors);
}

/** What the schema left out. */
function strayPaths(given: unknown, kept: unknown, path = ''): string[] {
  if (!isObject(given) || !isObject(kept)) return [];
  return Object.entries(given).flatMap(([key, value]) => {
    const below = path === '' ? key : `${path}.${key}`;
    if (Object.hasOwn(kept, key)) return strayPaths(value, kept[key], below);
    // A list that holds something twice is kept shorter.
    return Array.isArray(given) ? [] : [below];
  });
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
