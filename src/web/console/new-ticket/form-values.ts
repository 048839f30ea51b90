// What the form for a new ticket holds, as its draft keeps it and as the desk takes it.

import { agentSources, type TicketStatus, ticketStatuses } from '../../../domain/tickets/ticket.ts';
import { fillIn, variablesIn } from '../../../domain/variables.ts';
import type { FormFields } from '../composer/draft-types.ts';
import type { NamedAddress } from '../customers/add-person.tsx';
import { me } from '../session.ts';
import type { Macro } from '../wire.ts';

export interface FormValues {
  site_id: number;
  email: string;
  name: string;
  cc: readonly NamedAddress[];
  from: number | null;
  subject: string;
  isTold: boolean;
  source: (typeof agentSources)[number];
  priority_id: number | null;
  category_id: number | null;
  assigned_to: number | null;
  status: TicketStatus;
  tags: string;
  custom_fields: Record<string, unknown>;
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const id = (value: unknown) => (typeof value === 'number' ? value : null);

function addressesIn(cc: unknown): NamedAddress[] {
  if (!Array.isArray(cc)) return [];
  return cc.flatMap((one: Partial<NamedAddress> | null) =>
    typeof one?.email === 'string' && one.email.includes('@') ? [{ email: one.email, name: one.name ?? null }] : [],
  );
}

/** A draft can come from another version of the console. */
export function valuesIn(fields: FormFields, siteId: number): FormValues {
  const own = fields.custom_fields;
  return {
    site_id: id(fields.site_id) ?? siteId,
    email: text(fields.email),
    name: text(fields.name),
    cc: addressesIn(fields.cc),
    from: id(fields.from),
    subject: text(fields.subject),
    isTold: fields.isTold !== false,
    source: agentSources.find((one) => one === fields.source) ?? 'phone',
    priority_id: id(fields.priority_id),
    category_id: id(fields.category_id),
    assigned_to: id(fields.assigned_to),
    status: ticketStatuses.find((one) => one === fields.status) ?? 'open',
    tags: text(fields.tags),
    custom_fields:
      typeof own === 'object' && own !== null && !Array.isArray(own) ? (own as Record<string, unknown>) : {},
  };
}

/** @param authorId of the customer who was found by this address */
export function bodyOf(
  values: FormValues,
  message: string,
  attachmentIds: readonly number[],
  authorId: number | undefined,
) {
  const { isTold, tags, email, name, cc, ...rest } = values;
  return {
    ...rest,
    email: email.trim(),
    cc: cc.map(({ email: address, name: called }) => ({
      email: address,
      ...(called === null ? {} : { name: called }),
    })),
    ...(authorId === undefined ? { name: name.trim() || null } : { author_id: authorId }),
    message,
    body_format: 'markdown',
    notify_author: isTold,
    tags: tagsIn(tags),
    attachment_ids: attachmentIds,
  };
}

const tagsIn = (typed: string) => [
  ...new Set(
    typed
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  ),
];

/** Filled in here, because there is no ticket yet that the desk could read. A gap shows where its number will be. */
export function filledMacro({ body, body_format: format, changes }: Macro, values: FormValues, siteName: string) {
  const known: Record<string, string> = {
    'author.name': values.name.trim() || values.email.trim(),
    'agent.name': me.peek()?.name ?? '',
    'site.name': siteName,
    'ticket.reference': '…',
  };
  const own = (name: string) => text(values.custom_fields[name.replace(/^field\./, '')]);
  const { status, priority_id, category_id, assigned_to: assignee, add_tags: added, remove_tags: removed } = changes;
  const assigned_to = assignee === 'me' ? (me.peek()?.id ?? null) : assignee;
  const kept = tagsIn(values.tags).filter((tag) => !removed?.includes(tag));
  const tags = [...new Set([...kept, ...(added ?? [])])].join(' ');
  const hasTags = added !== undefined || removed !== undefined;
  const set = { status, priority_id, category_id, assigned_to, ...(hasTags ? { tags } : {}) };
  return {
    snoozeHours: changes.snooze_hours,
    isWithoutNumber: variablesIn(body).includes('ticket.reference'),
    body: fillIn(body, format, (name) => known[name] ?? own(name)),
    values: Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined)) as Partial<FormValues>,
  };
}
