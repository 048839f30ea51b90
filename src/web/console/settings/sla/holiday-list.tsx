// The holidays of a site: a list, and a form for one more day or a span of days.

import { useSignal } from '@preact/signals';
import { Button } from '../../../shared/button.tsx';
import { now } from '../../../shared/clock.ts';
import { FieldNotes, TextField } from '../../../shared/field.tsx';
import { count } from '../../../shared/format.ts';
import { announce } from '../../../shared/notices.tsx';
import { dateRange, dateText } from '../../zone.ts';
import { holidaysInCalendar, mostFileBytes } from './calendar-file.ts';
import { type Holiday, holidaysIn, storedHolidays, withHoliday, withoutHoliday } from './holidays.ts';
import { t } from './messages.ts';

interface HolidaysProps {
  text: string;
  problem: string | undefined;
  isReadOnly: boolean;
  onChange: (text: string) => void;
}

const spanText = ({ first, last }: Holiday) => (first === last ? dateText(first) : dateRange(first, last));
const none = { first: '', last: '', name: '' };
/** As many as the desk takes. */
const mostDates = 1000;
const longestDays = 366;
const dayMs = 86_400_000;

export function Holidays({ text, problem, isReadOnly, onChange }: HolidaysProps) {
  const adding = useSignal<Holiday>(none);
  const wrong = useSignal<Partial<Record<keyof Holiday, string>>>({});
  const today = new Date(now()).toISOString().slice(0, 10);
  const all = holidaysIn(text);
  const { first, last, name } = adding.value;
  const field = (part: keyof Holiday) => ({
    name: `holiday-${part}`,
    value: adding.value[part],
    problem: wrong.value[part],
    onValue(value: string) {
      adding.value = { ...adding.value, [part]: value };
      wrong.value = {};
    },
  });

  function add(): void {
    const until = last === '' ? first : last;
    if (first === '') wrong.value = { first: t.required };
    else if (until < first) wrong.value = { last: t.holidayEndRefused };
    else if ((Date.parse(until) - Date.parse(first)) / dayMs >= longestDays) wrong.value = { last: t.holidayTooLong };
    else {
      const holiday = { first, last: until, name: name.trim() };
      const next = withHoliday(text, holiday);
      if (storedHolidays(next).holidays.length > mostDates) {
        wrong.value = { first: t.holidaysFull(count(mostDates)) };
        return;
      }
      onChange(next);
      adding.value = none;
      announce(t.holidayAdded(spanText(holiday)));
    }
  }

  async function addFrom(file: File): Promise<void> {
    const calendar = file.size > mostFileBytes ? null : holidaysInCalendar(await file.text(), today);
    if (calendar === null) return announce(t.calendarRefused, 'problem');
    const { found, leftOut } = calendar;
    const next = found.reduce(withHoliday, text);
    if (storedHolidays(next).holidays.length > mostDates) return announce(t.holidaysFull(count(mostDates)), 'problem');
    onChange(next);
    announce(t.calendarAdded(count(found.length), count(leftOut)));
  }

  return (
    <section class="holidays" aria-labelledby="holidays">
      <h2 id="holidays">{t.holidays}</h2>
      <p class="soft">{t.holidaysLead}</p>
      {all.length === 0 && <p class="soft">{t.noHolidays}</p>}
      {all.length > 0 && (
        <ul tabIndex={all.length > 8 ? 0 : undefined} aria-labelledby="holidays">
          {all.map((holiday) => (
            <li key={holiday.first} class={holiday.last < today ? 'past' : undefined}>
              <span>{spanText(holiday)}</span>
              <bdi>{holiday.name}</bdi>
              {!isReadOnly && (
                <Button
                  kind="quiet"
                  label={t.removeHoliday(spanText(holiday))}
                  onClick={() => onChange(withoutHoliday(text, holiday))}
                >
                  {t.remove}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <FieldNotes id="holidays" hint={undefined} problem={problem} />
      {!isReadOnly && (
        // biome-ignore lint/a11y/noStaticElementInteractions: Enter in one of its fields adds the day, and does not save the form around it
        <div
          class="holiday-form"
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
            event.preventDefault();
            add();
          }}
        >
          <TextField type="date" label={t.holidayFirst} {...field('first')} />
          <TextField type="date" label={t.holidayLast} {...field('last')} />
          <TextField label={t.holidayName} isProse maxLength={100} {...field('name')} />
          <Button onClick={add}>{t.addHoliday}</Button>
        </div>
      )}
      {!isReadOnly && (
        <div class="field">
          <label for="holiday-file">{t.calendarFile}</label>
          <input
            id="holiday-file"
            type="file"
            accept=".ics,text/calendar"
            aria-describedby="holiday-file-hint"
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0];
              if (file === undefined) return;
              void addFrom(file).finally(() => {
                currentTarget.value = '';
              });
            }}
          />
          <FieldNotes id="holiday-file" hint={t.calendarHint} problem={undefined} />
        </div>
      )}
    </section>
  );
}
