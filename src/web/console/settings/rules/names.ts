// What rules name by id, as people call it.

import type { NamedKind } from '../../../../domain/rules/action-values.ts';
import { type TicketStatus, ticketStatuses } from '../../../../domain/tickets/ticket.ts';
import { isolated } from '../../../shared/bidi.ts';
import { locale } from '../../../shared/format.ts';
import { useFetched } from '../../shell/fetched.ts';
import type { Category, Colleague, CustomField, List, Priority, Sender, Team } from '../../wire.ts';
import { type Asked, together } from '../asked.ts';
import { t } from './messages.ts';

export interface Choice {
  value: string;
  text: string;
}

interface Named {
  id: number;
  name: string;
  slug?: string;
}

/** Empty until the desk has answered. */
export interface Names extends Record<NamedKind, readonly Named[]> {
  fields: readonly CustomField[];
  asked: Asked;
}

export function useNames(siteId: number): Names {
  const path = `/sites/${siteId}`;
  const categories = useFetched<List<Category>>(`${path}/categories`);
  const priorities = useFetched<List<Priority>>(`${path}/priorities`);
  const senders = useFetched<List<Sender>>(`${path}/senders`);
  const agents = useFetched<List<Colleague>>(`${path}/agents`);
  const teams = useFetched<List<Team>>(`/teams?site_id=${siteId}`);
  const channels = useFetched<List<Named & { type: string }>>(`${path}/webhook-channels`);
  const fields = useFetched<List<CustomField>>(`${path}/custom-fields`);
  const rows = <Row>({ data }: { data: { value: List<Row> | null } }) => data.value?.data ?? [];
  return {
    category: rows(categories),
    priority: rows(priorities),
    sender: rows(senders).map(({ id, from }) => ({ id, name: from.address })),
    agent: rows(agents).map(({ id, name, email }) => ({ id, name, slug: email })),
    team: rows(teams),
    // Only custom channels take a body.
    channel: rows(channels).filter(({ type }) => type === 'custom'),
    fields: rows(fields),
    asked: together([categories, priorities, senders, agents, teams, channels, fields]),
  };
}

export const choicesOf = (rows: readonly Named[]): Choice[] =>
  rows.map(({ id, name }) => ({ value: String(id), text: name }));

/** By id, short name or name, as the desk finds it. */
export const namedBy = (rows: readonly Named[], value: unknown): Named | undefined =>
  rows.find(({ id, name, slug }) =>
    [String(id), slug?.toLowerCase(), name.toLowerCase()].includes(String(value).toLowerCase()),
  );

/** What is chosen, in words. Until the desk has answered, nothing is gone. */
export function chosenText(choices: readonly Choice[], value: string, names: Names): string {
  const found = choices.find((one) => one.value === value);
  if (found !== undefined) return isolated(found.text);
  return names.asked.shown.value === null ? '…' : t.ruleGone(value);
}

const statuses: Readonly<Record<TicketStatus, () => string>> = {
  open: () => t.statusOpen,
  pending: () => t.statusPending,
  resolved: () => t.statusResolved,
  closed: () => t.statusClosed,
};

/** That of tickets is in a file that is loaded with them. */
export const statusChoices = (): Choice[] => ticketStatuses.map((value) => ({ value, text: statuses[value]() }));

const longestShown = 120;
export const short = (text: string) => (text.length > longestShown ? `${text.slice(0, longestShown)}…` : text);
export const inQuotes = (text: string) => t.ruleQuoted(isolated(short(text)));

export const listed = (parts: readonly string[], type: 'conjunction' | 'disjunction') =>
  new Intl.ListFormat(locale(), { type }).format(parts);

export const inUnit = (value: number, unit: string): string =>
  new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(value);
