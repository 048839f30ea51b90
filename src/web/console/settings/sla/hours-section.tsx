// When a site works: its week, its time zone and its holidays.

import { useSignal } from '@preact/signals';
import { weekdays } from '../../../../domain/sla/calendar.ts';
import { Button } from '../../../shared/button.tsx';
import { now } from '../../../shared/clock.ts';
import { ChoiceField, SwitchField } from '../../../shared/field.tsx';
import { count } from '../../../shared/format.ts';
import { ask } from '../../../shared/signed-in.ts';
import { can } from '../../session.ts';
import { dayName, inZone, nextClockChange } from '../../zone.ts';
import type { Edited } from '../edited.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import type { SectionProps } from '../settings-route.ts';
import { Holidays } from './holiday-list.tsx';
import { commandOf, type HoursValues, hoursOf, hoursProblems, policyOf } from './hours-form.ts';
import { t } from './messages.ts';
import { Preview } from './preview.tsx';
import { minutesInWeek } from './week.ts';
import { WeekDrawing } from './week-drawing.tsx';
import { WeekTimes } from './week-times.tsx';
import type { SiteWithPolicy } from './wire.ts';

export function HoursSection({ site }: SectionProps) {
  const path = `/sites/${site.id}`;
  const { shown, refusal, reload } = useLiveData<SiteWithPolicy>(path);
  const found = shown.value;
  return (
    <>
      <SectionHead title={t.workingHours} lead={t.workingHoursLead} />
      <Loading of={{ shown, refusal, reload }} />
      {found !== null && (
        <>
          <SectionForm<HoursValues, SiteWithPolicy>
            label={t.workingHours}
            name={`hours.${site.id}`}
            {...{ found, reload, names: names() }}
            valuesOf={hoursOf}
            problemsIn={hoursProblems}
            fields="all"
            put={(values, etag) => ask('PATCH', path, { sla_policy: policyOf(values) }, { 'If-Match': etag })}
            said={() => t.workingHoursSaved}
            readOnly={can('manage') ? null : t.onlyManagersChange}
          >
            {(form) => <Fields form={form} site={site} />}
          </SectionForm>
          <LastChange siteId={site.id} actions={['sla_policy.updated']} targetId={site.id} version={found.etag} />
        </>
      )}
    </>
  );
}

function names(): Record<keyof HoursValues, string> {
  const days = Object.fromEntries(weekdays.map((day, index) => [day, dayName(index)]));
  return {
    ...(days as Record<(typeof weekdays)[number], string>),
    ...{ isAlways: t.alwaysOpen, timezone: t.siteTimeZone, holidays: t.holidays },
  };
}

type View = 'week' | 'times';
const narrow = '(width < 600px)';

function Fields({ form, site }: { form: Edited<HoursValues>; site: SectionProps['site'] }) {
  const { values } = form;
  const problems = form.problems.value;
  const view = useSignal<View>(matchMedia(narrow).matches ? 'times' : 'week');
  const isReadOnly = !can('manage');
  const week = {
    week: values,
    problems,
    isReadOnly,
    onChange(day: (typeof weekdays)[number], hours: string) {
      form.change({ [day]: hours });
      for (const one of weekdays) form.forget(one);
    },
  };
  return (
    <>
      <SwitchField label={t.alwaysOpen} hint={t.alwaysOpenHint} {...form.field('isAlways')} />
      {!values.isAlways && (
        <>
          <div class="form-part">
            <div class="week-head">
              <h2>{t.week}</h2>
              <Button
                kind="quiet"
                onClick={() => {
                  view.value = view.value === 'week' ? 'times' : 'week';
                }}
              >
                {view.value === 'week' ? t.enterTimes : t.drawWeek}
              </Button>
            </div>
            {view.value === 'week' ? <WeekDrawing {...week} /> : <WeekTimes {...week} />}
            <p class="soft">{t.weekSum(hoursText(minutesInWeek(values)))}</p>
          </div>
          <div class="form-part">
            <TimeZone form={form} />
          </div>
          <div class="form-part">
            <Holidays
              text={values.holidays}
              problem={problems.holidays}
              isReadOnly={isReadOnly}
              onChange={(holidays) => {
                form.change({ holidays });
                form.forget('holidays');
              }}
            />
          </div>
        </>
      )}
      <div class="form-part">
        <Preview siteId={site.id} zone={values.isAlways ? 'UTC' : values.timezone} policy={policyOf(values)} />
      </div>
      <p class="soft">{t.hoursCountFor}</p>
      <EqualCommand words={commandOf(site.slug, values)} />
    </>
  );
}

const hoursText = (minutes: number) => count(Math.round(minutes / 6) / 10);

function TimeZone({ form }: { form: Edited<HoursValues> }) {
  const { timezone: zone } = form.values;
  const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), zone])].sort();
  return (
    <ChoiceField<string>
      {...form.field('timezone')}
      label={t.siteTimeZone}
      hint={clockChangeText(zone)}
      options={zones.map((value) => ({ value, text: value.replaceAll('_', ' ') }))}
    />
  );
}

function clockChangeText(zone: string): string {
  try {
    const change = nextClockChange(zone, now());
    if (change === null) return t.clocksStay;
    const when = inZone(change.at, zone, { dateStyle: 'long' });
    return change.minutes > 0 ? t.clocksForward(when) : t.clocksBack(when);
  } catch {
    // The desk knows a zone that this browser does not.
    return t.zoneUnknownHere;
  }
}
