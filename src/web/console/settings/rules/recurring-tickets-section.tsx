// The recurring tickets of a site: opened by the desk on a schedule.

import { useSignal } from '@preact/signals';
import { ChoiceField, TextArea, TextField } from '../../../shared/field.tsx';
import { count, dateAndTime } from '../../../shared/format.ts';
import type { FormState } from '../../../shared/submission.ts';
import type { SectionProps } from '../settings-route.ts';
import { Line, Pick } from './inputs.tsx';
import { jsonCommands } from './json-commands.ts';
import type { RuleKind } from './kind.ts';
import { t } from './messages.ts';
import { type Choice, choicesOf, chosenText, inQuotes, type Names } from './names.ts';
import {
  bodyOf,
  emptyRecurring,
  type Ids,
  problemsIn,
  type Recurring,
  type RecurringValues,
  text,
  valuesOf,
} from './recurring-ticket.ts';
import { RuleRuns } from './rule-counts.tsx';
import { RulePart } from './rule-fields.tsx';
import { RuleScreens } from './rule-screens.tsx';
import { cronOf, type SchedulePace, scheduleOf, schedulePaces, scheduleText, weekdayName } from './schedule.ts';

const paceWords: Readonly<Record<SchedulePace, () => string>> = {
  day: () => t.paceDay,
  weekdays: () => t.paceWorkdays,
  week: () => t.paceWeek,
  month: () => t.paceMonth,
  own: () => t.paceOwn,
};

const daysOfMonth = Array.from({ length: 31 }, (_, at) => String(at + 1));
const weekdays = [1, 2, 3, 4, 5, 6, 0];
const usualTime = '09:00';

function When({ form }: { form: FormState<RecurringValues> }) {
  const { problem, value, onValue } = form.field('schedule');
  const isOwn = useSignal(false);
  const schedule = scheduleOf(value);
  const pace = isOwn.value ? 'own' : schedule.pace;
  const put = (changed: Partial<typeof schedule>) => onValue(cronOf({ ...schedule, ...changed }));
  const named = (label: string) => ({ label, isWrong: false, described: undefined });
  return (
    <RulePart label={t.recurringWhen} problem={problem}>
      {(described) => (
        <div class="rule-row">
          <Pick
            {...named(t.recurringPace)}
            value={pace}
            put={(chosen) => {
              isOwn.value = chosen === 'own';
              if (chosen !== 'own') put({ pace: chosen as SchedulePace });
            }}
            options={schedulePaces.map((one) => ({ value: one, text: paceWords[one]() }))}
          />
          {pace === 'week' && (
            <Pick
              {...named(t.recurringWeekday)}
              value={String(schedule.weekday)}
              put={(day) => put({ weekday: Number(day) })}
              options={weekdays.map((day) => ({ value: String(day), text: weekdayName(day) }))}
            />
          )}
          {pace === 'month' && (
            <Pick
              {...named(t.recurringDay)}
              value={String(schedule.dayOfMonth)}
              put={(day) => put({ dayOfMonth: Number(day) })}
              options={daysOfMonth.map((day) => ({ value: day, text: t.recurringDayOf(day) }))}
            />
          )}
          {pace === 'own' ? (
            <Line
              label={t.recurringCron}
              value={value}
              put={onValue}
              isWrong={problem !== undefined}
              described={described}
              placeholder={emptyRecurring.schedule}
              isCode
            />
          ) : (
            <input
              type="time"
              aria-label={t.recurringTime}
              aria-invalid={problem !== undefined || undefined}
              aria-describedby={described}
              value={schedule.time}
              onInput={({ currentTarget }) => put({ time: currentTarget.value || usualTime })}
            />
          )}
        </div>
      )}
    </RulePart>
  );
}

const notifyChoices = (): Choice[] => [
  { value: 'false', text: t.recurringAsNote },
  { value: 'true', text: t.recurringAsTeam },
  { value: '', text: t.recurringAsCustomer },
];

const usual = (choices: readonly Choice[]): Choice[] => [{ value: '', text: t.recurringUsual }, ...choices];

function Ticket({ form, names }: { form: FormState<RecurringValues>; names: Names }) {
  /** The desk names it within the ticket. */
  const field = <Name extends keyof RecurringValues>(name: Name, path: string = name) => ({
    ...form.field(name),
    problem: form.problems.value[`ticket.${path}`] ?? form.problems.value[path],
    onValue(value: string) {
      form.forget(`ticket.${path}`);
      form.forget(path);
      form.change({ [name]: value });
    },
  });
  const choice = (name: Ids, rows: Names['agent']) => {
    const { value, ...others } = field(name);
    const choices = usual(choicesOf(rows));
    const isKnown = choices.some((one) => one.value === value);
    return { ...others, value, options: isKnown ? choices : [...choices, { value, text: t.ruleGone(value) }] };
  };
  return (
    <fieldset class="rule-part recurring-ticket">
      <legend>{t.recurringTicket}</legend>
      <div class="field-row">
        <TextField label={t.recurringEmail} type="email" isRequired hint={t.recurringEmailHint} {...field('email')} />
        <TextField label={t.recurringPerson} isProse maxLength={255} {...field('person', 'name')} />
      </div>
      <TextField label={t.rulePartSubject} isRequired isProse maxLength={255} {...field('subject')} />
      <TextArea label={t.rulePartText} isRequired rows={5} maxLength={10_000} {...field('message')} />
      <ChoiceField label={t.recurringAs} options={notifyChoices()} {...field('notify', 'notify_author')} />
      <div class="field-row">
        <ChoiceField label={t.recurringCategory} {...choice('category_id', names.category)} />
        <ChoiceField label={t.recurringPriority} {...choice('priority_id', names.priority)} />
      </div>
      <div class="field-row">
        <ChoiceField label={t.recurringAssignee} {...choice('assigned_to', names.agent)} />
        {(names.team.length > 0 || form.values.team_id !== '') && (
          <ChoiceField label={t.recurringTeam} {...choice('team_id', names.team)} />
        )}
      </div>
      <TextField label={t.rulePartTags} hint={t.recurringTagsHint} {...field('tags')} />
    </fieldset>
  );
}

const labels = () => ({
  ...{ name: t.name, schedule: t.recurringWhen, email: t.recurringEmail, person: t.recurringPerson },
  ...{ subject: t.rulePartSubject, message: t.rulePartText, tags: t.rulePartTags, notify: t.recurringAs },
  ...{ category_id: t.recurringCategory, priority_id: t.recurringPriority },
  ...{ assigned_to: t.recurringAssignee, team_id: t.recurringTeam, rest: t.recurringTicket },
});

const rowsOf: Readonly<Record<Ids, 'category' | 'priority' | 'agent' | 'team'>> = {
  ...{ category_id: 'category', priority_id: 'priority', assigned_to: 'agent', team_id: 'team' },
};

const recurringTickets: RuleKind<Recurring, RecurringValues> = {
  section: 'recurring-tickets',
  path: 'recurring-tickets',
  noun: 'recurring_ticket',
  words: {
    title: () => t.recurringTickets,
    lead: () => t.recurringTicketsLead,
    add: () => t.addRecurringTicket,
    none: () => t.noRecurringTickets,
    noneText: () => t.noRecurringTicketsText,
  },
  empty: emptyRecurring,
  ...{ valuesOf, bodyOf, problemsIn, labels },
  sentenceOf: ({ schedule, ticket }) =>
    t.recurringSentence(scheduleText(schedule), inQuotes(text(ticket.subject)), text(ticket.email)),
  shown(part, values, names) {
    if (part === 'schedule') return scheduleText(values.schedule);
    if (part === 'notify') return chosenText(notifyChoices(), values.notify, names);
    const rows = rowsOf[part as Ids];
    return rows === undefined ? null : chosenText(usual(choicesOf(names[rows])), values[part], names);
  },
  fields: (form, names, isNew) => (
    <>
      <TextField label={t.name} isRequired isFirst={isNew} maxLength={255} {...form.field('name')} />
      <When form={form} />
      <Ticket form={form} names={names} />
    </>
  ),
  countsOf: ({ runs, next_at: next }) => ({
    ...runs,
    said: [
      ...(runs.ran === 0 ? [] : [t.recurringOpened(count(runs.matched))]),
      ...(next === null ? [] : [t.recurringNext(dateAndTime(next))]),
    ],
  }),
  brokenOf: ({ broken }) => broken,
  did: (site, rule, names) => <RuleRuns {...{ site, rule, names }} kind={recurringTickets} vocabulary={null} />,
  commands: jsonCommands('recurring-ticket', bodyOf),
};

export const RecurringTicketsSection = (props: SectionProps) => <RuleScreens kind={recurringTickets} {...props} />;
