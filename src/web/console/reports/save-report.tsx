// Asks for the name of a saved report, whether colleagues see it, and when it is mailed to whom.

import { useSignal } from '@preact/signals';
import { lastDayOfMonth } from '../../../domain/reports/schedule.ts';
import { type Weekday, weekdays } from '../../../domain/sla/calendar.ts';
import type { Answer } from '../../shared/api.ts';
import { Button, Submit } from '../../shared/button.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { ChoiceField, TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { count, formatDate } from '../../shared/format.ts';
import { SubmissionNotice } from '../../shared/notices.tsx';
import { useForm } from '../../shared/submission.ts';
import { agents } from '../catalogue.ts';
import { can, session, visibleSites } from '../session.ts';
import { t } from './messages.ts';
import type { SavedReport } from './saved.ts';

interface Input {
  name: string;
  is_shared: boolean;
  schedule: object | null;
}

interface SaveReportProps {
  title: string;
  /** The desk's. */
  timeZone: string;
  saved?: SavedReport;
  onSave: (input: Input) => Promise<Answer<unknown>>;
  onSaved: () => void;
  onClose: () => void;
}

type Often = 'never' | 'week' | 'month';

// A Monday, from which the names of the days are told.
const someMonday = Date.UTC(2024, 0, 1, 12);
const dayMs = 86_400_000;
const weekdayName = (day: Weekday) =>
  formatDate(someMonday + weekdays.indexOf(day) * dayMs, { weekday: 'long', timeZone: 'UTC' });

export function SaveReport({ title, timeZone, saved, onSave, onSaved, onClose }: SaveReportProps) {
  const own = session.value?.agent.id ?? 0;
  const before = saved?.schedule ?? null;
  const form = useForm({
    name: saved?.name ?? '',
    every: (before?.every ?? 'never') as Often,
    weekday: before?.weekday ?? ('mon' as Weekday),
    day: String(before?.day ?? 1),
    at: before?.at ?? '08:00',
  });
  const isShared = useSignal(saved?.is_shared ?? false);
  const readers = useSignal<ReadonlySet<number>>(new Set(before?.agent_ids ?? [own]));
  const { name, every, weekday, day, at } = form.values;

  async function send(): Promise<void> {
    if (name.trim() === '') return form.refuse({ name: t.required });
    const schedule =
      every === 'never'
        ? null
        : {
            ...{ every, weekday, day: Number(day), at, time_zone: before?.time_zone ?? timeZone },
            agent_ids: [...readers.value],
          };
    const input = { name: name.trim(), is_shared: isShared.value, schedule };
    if ((await form.send(() => onSave(input))) === null) return;
    onSaved();
    onClose();
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <Form submission={form} onSubmit={() => void send()}>
        <SubmissionNotice submission={form} fields={['name']} />
        <TextField label={t.name} isRequired isFirst isProse {...form.field('name')} name="report-name" />
        {can('write') && (saved?.is_own ?? true) && (
          <label class="check">
            <input
              type="checkbox"
              checked={isShared.value}
              onChange={(event) => {
                isShared.value = event.currentTarget.checked;
                if (!isShared.value) readers.value = new Set([own]);
              }}
            />
            <span>{t.shareReport}</span>
          </label>
        )}
        <ChoiceField<Often>
          label={t.mailReport}
          {...form.field('every')}
          options={[
            { value: 'never', text: t.mailNever },
            { value: 'week', text: t.mailWeekly },
            { value: 'month', text: t.mailMonthly },
          ]}
        />
        {every !== 'never' && (
          <>
            <div class="schedule-when">
              {every === 'week' ? (
                <ChoiceField<Weekday>
                  label={t.mailOn}
                  {...form.field('weekday')}
                  options={weekdays.map((value) => ({ value, text: weekdayName(value) }))}
                />
              ) : (
                <ChoiceField
                  label={t.mailOnDay}
                  {...form.field('day')}
                  options={Array.from({ length: lastDayOfMonth }, (_, index) => ({
                    value: String(index + 1),
                    text: count(index + 1),
                  }))}
                />
              )}
              <TextField label={t.mailAt} type="time" isRequired {...form.field('at')} />
            </div>
            <p class="soft">{t.mailZone((before?.time_zone ?? timeZone).replaceAll('_', ' '))}</p>
            {isShared.value ? <Readers chosen={readers} /> : <p class="soft">{t.mailOnlyYou}</p>}
          </>
        )}
        <div class="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Submit submission={form}>{t.save}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}

/** Colleagues are asked for by site; more sites than these are rare. */
const mostSites = 10;

function Readers({ chosen }: { chosen: { value: ReadonlySet<number> } }) {
  const known = new Map<number, string>();
  const me = session.value?.agent;
  if (me !== undefined) known.set(me.id, me.name);
  for (const { id: siteId } of visibleSites.value.slice(0, mostSites))
    for (const { id, name } of agents(siteId).value ?? []) known.set(id, name);
  const sorted = [...known].sort(([, one], [, other]) => one.localeCompare(other));
  return (
    <fieldset class="schedule-readers">
      <legend>{t.reportMailTo}</legend>
      {sorted.map(([id, name]) => (
        <label key={id} class="check">
          <input
            type="checkbox"
            checked={chosen.value.has(id)}
            onChange={(event) => {
              const next = new Set(chosen.value);
              if (event.currentTarget.checked) next.add(id);
              else next.delete(id);
              chosen.value = next;
            }}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}
