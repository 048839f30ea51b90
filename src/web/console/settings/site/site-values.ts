// A site's settings as a form has them, as the API takes them, and as flags of the command line.

import type * as z from 'zod';
import { refusedTypes } from '../../../../domain/tickets/files.ts';
import type { siteShape } from '../../../../http/wire/sites/site.ts';
import { changedFlags, wordFor } from '../equal-command.tsx';

export type WholeSite = z.output<typeof siteShape>;

/** Numbers and lists as they are typed; an empty text where the desk has none. */
export interface SiteValues {
  name: string;
  slug: string;
  description: string;
  locale: string;
  auto_close_days: string;
  status_after_agent_reply: string;
  acknowledge: boolean;
  notify_resolved: boolean;
  ask_satisfaction: boolean;
  agent_mail: string;
  attachment_types: string;
  refused_attachment_types: string;
  attachment_max_mb: string;
  mail_attachment_max_mb: string;
  attachments_total_mb: string;
  attachment_scan: string;
}

type Key = keyof SiteValues;

/** Of the site itself rather than of its settings. */
const ofSite: readonly string[] = ['name', 'slug', 'description'];
const lists: readonly string[] = ['attachment_types', 'refused_attachment_types'];
const numbers: readonly string[] = [
  ...['auto_close_days', 'attachment_max_mb', 'mail_attachment_max_mb', 'attachments_total_mb'],
];
/** The word of the command line where nothing is chosen. */
const noWord: Readonly<Partial<Record<Key, string>>> = {
  locale: 'none',
  auto_close_days: 'never',
  status_after_agent_reply: 'unchanged',
  refused_attachment_types: 'default',
  attachments_total_mb: 'none',
};

/** What no one can send, unless a site has a list of its own. */
export const usualRefused = refusedTypes({ refused_attachment_types: null }).join(' ');

/** As it is typed: with spaces or commas, and with or without dots. */
const types = (text: string) => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .map((type) => type.replace(/^\./, ''))
      .filter(Boolean),
  ),
];

function typed(value: unknown): string | boolean {
  if (typeof value === 'boolean') return value;
  return Array.isArray(value) ? value.join(' ') : String(value ?? '');
}

export function valuesOf<Names extends Key>(site: WholeSite, names: readonly Names[]): Pick<SiteValues, Names> {
  const from: Readonly<Record<string, unknown>> = { ...site.settings, ...site };
  return Object.fromEntries(names.map((name) => [name, typed(from[name])])) as Pick<SiteValues, Names>;
}

function sent(name: string, value: string | boolean): unknown {
  if (typeof value === 'boolean') return value;
  const text = value.trim();
  if (lists.includes(name)) {
    const list = types(text);
    // The desk's own list stays current.
    return name === 'refused_attachment_types' && list.join(' ') === usualRefused ? null : list;
  }
  if (ofSite.includes(name)) return text;
  if (text === '') return null;
  return numbers.includes(name) ? Number(text) : text;
}

export function bodyOf(values: Partial<SiteValues>): object {
  const all = Object.entries(values).map(([name, value]) => [name, sent(name, value)] as const);
  const settings = Object.fromEntries(all.filter(([name]) => !ofSite.includes(name)));
  return { ...Object.fromEntries(all.filter(([name]) => ofSite.includes(name))), settings };
}

/** The command that changes what is changed. */
export const updateCommand = (slug: string, before: Partial<SiteValues>, values: Partial<SiteValues>): string[] => [
  ...['helpdesk', 'site', 'update', slug],
  ...changedFlags(before, values, (name, value) => wordFor(sent(name, value ?? '') ?? noWord[name])),
];
