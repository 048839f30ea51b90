// A recurring ticket as its form has it, and as the API takes it.

import type * as z from 'zod';
import type { recurringTicketShape } from '../../../../http/wire/rules/automation.ts';
import { t } from './messages.ts';
import { tags as tagsPart } from './value-parts.tsx';

export type Recurring = z.output<typeof recurringTicketShape>;

const ids = ['category_id', 'priority_id', 'assigned_to', 'team_id'] as const;
export type Ids = (typeof ids)[number];

/** All are texts, as fields have them; an empty one is not sent. */
export interface RecurringValues extends Record<Ids, string> {
  name: string;
  schedule: string;
  email: string;
  person: string;
  subject: string;
  message: string;
  tags: string;
  /** `true`: from the team. `false`: a note. Empty: as if the customer had written. */
  notify: string;
  /** JSON of what the form does not show, such as custom fields. */
  rest: string;
}

export const emptyRecurring: RecurringValues = {
  ...{ name: '', schedule: '0 9 * * 1', email: '', person: '', subject: '', message: '', tags: '', notify: 'false' },
  ...{ category_id: '', priority_id: '', assigned_to: '', team_id: '', rest: '{}' },
};

export const text = (value: unknown) => (value == null ? '' : String(value));

export function valuesOf({ name, schedule, ticket }: Recurring): RecurringValues {
  const { email, name: person, subject, message, tags, notify_author: notify, ...others } = ticket;
  const rest = Object.fromEntries(Object.entries(others).filter(([key]) => !ids.some((one) => one === key)));
  return {
    ...{ name, schedule, rest: JSON.stringify(rest) },
    ...{ email: text(email), person: text(person), subject: text(subject), message: text(message) },
    ...{ notify: text(notify), tags: tagsPart.write(tags) },
    ...(Object.fromEntries(ids.map((id) => [id, text(ticket[id])])) as Record<Ids, string>),
  };
}

export function bodyOf(values: RecurringValues) {
  const { name, schedule, email, person, subject, message, tags, notify, rest } = values;
  const given = {
    ...{ email: email.trim(), name: person.trim(), subject: subject.trim(), message },
    ...{ tags: tags.trim() === '' ? '' : tagsPart.read(tags), notify_author: notify === '' ? '' : notify === 'true' },
    ...Object.fromEntries(ids.map((id) => [id, values[id] === '' ? '' : Number(values[id])])),
  };
  const ticket = { ...JSON.parse(rest), ...Object.fromEntries(Object.entries(given).filter(([, one]) => one !== '')) };
  return { name: name.trim(), schedule: schedule.trim(), ticket };
}

export function problemsIn({ name, schedule, email, subject, message, tags }: RecurringValues): Record<string, string> {
  const missing = { name, schedule, 'ticket.email': email, 'ticket.subject': subject, 'ticket.message': message };
  const wrongTags = tags.trim() === '' || tagsPart.problem === undefined ? null : tagsPart.problem(tags);
  return {
    ...Object.fromEntries(
      Object.entries(missing).flatMap(([path, value]) => (value.trim() === '' ? [[path, t.required]] : [])),
    ),
    ...(wrongTags === null ? {} : { 'ticket.tags': wrongTags }),
  };
}
