// What a site's catalogue has in common: categories, priorities and custom fields.

import type { ComponentType } from 'preact';
import type { AuditEntry } from '../../../../http/wire/audit.ts';
import type { FormState } from '../../../shared/submission.ts';

export interface CatalogueRow {
  id: number;
  is_active: boolean;
}

export interface Noun<Row extends CatalogueRow, Values extends object> {
  /** In the address, and of the API. */
  path: 'categories' | 'priorities' | 'custom-fields';
  command: 'category' | 'priority' | 'field';
  audit: 'category' | 'priority' | 'custom_field';
  texts: () => { title: string; lead: string; add: string; none: string; noneText: string };
  nameOf: (row: Row) => string;
  /** In a new one. */
  empty: Values;
  valuesOf: (row: Row) => Values;
  /** As the API takes it, by the names of its flags. */
  bodyOf: (values: Values, isNew: boolean) => Record<string, unknown>;
  names: () => Readonly<Partial<Record<keyof Values, string>>>;
  check: (values: Values) => Record<string, string>;
  Fields: ComponentType<{ form: Pick<FormState<Values>, 'values' | 'field' | 'change'>; isNew: boolean }>;
  /** Before the name. */
  Mark?: ComponentType<{ row: Row }>;
  /** After the name, in words. */
  about: (row: Row) => string;
  /** The query of the tickets that have it. */
  ticketsOf?: (row: Row) => string;
  /** What goes with it, by how many tickets have it. */
  removal: (row: Row, tickets: string | null) => { text: string; isRefused: boolean };
  /** It is the one that new tickets get: neither taken out of use nor removed. */
  isDefault?: (row: Row) => boolean;
}

const flags: Readonly<Record<string, string>> = {
  is_required: 'required',
  is_author_visible: 'visible',
  is_active: 'active',
};

/** As flags of the command line. */
export function flagsOf(body: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const word = typeof value === 'boolean' ? (value ? 'yes' : 'no') : Array.isArray(value) ? value.join(',') : value;
    return [`--${flags[name] ?? name.replaceAll('_', '-')}`, String(word ?? '')];
  });
}

/** The entries of `after` that differ. */
export function changedIn(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}

export const changes = (audit: Noun<CatalogueRow, object>['audit']): AuditEntry['action'][] => [
  `${audit}.created`,
  `${audit}.updated`,
];
