// Where agents hear of what until they choose otherwise, and what they cannot change.

import type { ComponentChildren } from 'preact';
import type * as z from 'zod';
import type { NotificationKind } from '../../../../domain/notifications/notification.ts';
import type { Fixed } from '../../../../domain/notifications/preferences.ts';
import type { deskNotificationsShape } from '../../../../http/wire/notifications/preferences.ts';
import { ChoiceField, SwitchField, TextField } from '../../../shared/field.tsx';
import { Icon } from '../../../shared/icons.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { type Events, Matrix, switchLabel } from '../../notifications/matrix.tsx';
import { can } from '../../session.ts';
import type { Edited } from '../edited.ts';
import { changedFlags, EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import { t } from './messages.ts';

type DeskNotifications = z.output<typeof deskNotificationsShape>;
type Defaults = DeskNotifications['defaults'];
interface Desk {
  notifications: DeskNotifications;
}

/** Lists are texts, with commas: so a change is seen. */
interface Values extends Omit<Defaults, 'events' | 'quiet_hours'> {
  switched_on: string;
  fixed: string;
  has_quiet_hours: boolean;
  quiet_from: string;
  quiet_until: string;
  lets_urgent_through: boolean;
}

const usualQuiet = { from: '22:00', until: '07:00', lets_urgent_through: true };
const listed = (text: string) => text.split(',').filter((one) => one !== '');

function valuesOf({ notifications: { defaults, fixed } }: Desk): Values {
  const { events, quiet_hours: quiet, ...rest } = defaults;
  const on = Object.entries(events).flatMap(([kind, row]) =>
    Object.entries(row).flatMap(([place, isOn]) => (isOn ? [`${place}.${kind}`] : [])),
  );
  const { from, until, lets_urgent_through } = quiet ?? usualQuiet;
  return {
    ...rest,
    ...{ switched_on: on.sort().join(), fixed: [...fixed].sort().join() },
    ...{ has_quiet_hours: quiet !== null, quiet_from: from, quiet_until: until, lets_urgent_through },
  };
}

function eventsOf(switchedOn: string, all: Events): Events {
  const on = new Set(listed(switchedOn));
  const row = ([kind, places]: [string, Events[NotificationKind]]) =>
    [kind, Object.fromEntries(Object.keys(places ?? {}).map((place) => [place, on.has(`${place}.${kind}`)]))] as const;
  return Object.fromEntries(Object.entries(all).map(row)) as Events;
}

function bodyOf(values: Values, all: Events): object {
  const { switched_on: on, fixed, has_quiet_hours: hasQuiet, quiet_from, quiet_until, ...rest } = values;
  const { lets_urgent_through, ...choices } = rest;
  const quiet = hasQuiet ? { from: quiet_from, until: quiet_until, lets_urgent_through } : null;
  return {
    notifications: { defaults: { ...choices, events: eventsOf(on, all), quiet_hours: quiet }, fixed: listed(fixed) },
  };
}

/** The command that changes what is changed. */
function updateCommand(before: Values, values: Values): string[] {
  const commandValues = ({ switched_on, fixed, has_quiet_hours, quiet_from, quiet_until, ...rest }: Values) => {
    const { lets_urgent_through, ...choices } = rest;
    return {
      ...choices,
      quiet_hours: has_quiet_hours ? `${quiet_from}-${quiet_until}` : 'none',
      quiet_urgent: lets_urgent_through,
      fixed,
    };
  };
  const without = (text: string, other: string) => listed(text).filter((one) => !listed(other).includes(one));
  const flag = (name: string, names: string[]) => (names.length === 0 ? [] : [name, names.join()]);
  return [
    ...['helpdesk', 'desk', 'update'],
    ...flag('--switch-on', without(values.switched_on, before.switched_on)),
    ...flag('--switch-off', without(before.switched_on, values.switched_on)),
    ...changedFlags(commandValues(before), commandValues(values)),
  ];
}

function toggled(text: string, name: string): string {
  const others = listed(text).filter((one) => one !== name);
  return (others.length === listed(text).length ? [...others, name] : others).sort().join();
}

const choiceNames: Readonly<Record<Exclude<Fixed, `${string}.${string}`>, () => string>> = {
  quiet_hours: () => t.quietHours,
  mail_mode: () => t.mailMode,
  digest_at: () => t.digestAt,
  mail_after_minutes: () => t.mailAfter,
  follow_when_answering: () => t.followAnswering,
  follow_when_mentioned: () => t.followMentioned,
};
const nameOf = (name: string) => choiceNames[name as keyof typeof choiceNames]?.() ?? switchLabel(name);

const times = ['quiet_from', 'quiet_until', 'digest_at'] as const;
const waits = [0, 2, 5, 15, 60];

export function NoticesSection() {
  const { shown, refusal, reload } = useLiveData<Desk>('/desk');
  const found = shown.value;
  return (
    <>
      <SectionHead title={t.deskNotices} lead={t.deskNoticesLead} />
      <Loading of={{ shown, refusal, reload }} />
      {found !== null && (
        <>
          <SectionForm<Values, Desk>
            label={t.deskNotices}
            name="desk-notifications"
            {...{ found, reload, valuesOf }}
            names={{
              ...{ switched_on: t.noticesSwitchedOn, fixed: t.noticesFixed, has_quiet_hours: t.quietHours },
              ...{ quiet_from: t.quietFrom, quiet_until: t.quietUntil, lets_urgent_through: t.quietUrgent },
              ...{ mail_mode: t.mailMode, digest_at: t.digestAt, mail_after_minutes: t.mailAfter },
              ...{ follow_when_answering: t.followAnswering, follow_when_mentioned: t.followMentioned },
            }}
            shown={(name, values) =>
              name === 'switched_on' || name === 'fixed' ? listed(values[name]).map(nameOf).join('; ') : null
            }
            put={(values, etag) =>
              ask('PATCH', '/desk', bodyOf(values, found.data.notifications.defaults.events), { 'If-Match': etag })
            }
            check={(values) =>
              Object.fromEntries(times.flatMap((name) => (values[name] === '' ? [[name, t.required]] : [])))
            }
            said={() => t.deskNoticesSaved}
            readOnly={can('own') ? null : t.onlyOwnersChange}
          >
            {(form) => (
              <>
                <Fields form={form} all={found.data.notifications.defaults.events} />
                {form.isChanged && <EqualCommand words={updateCommand(form.base.data, form.values)} />}
              </>
            )}
          </SectionForm>
          <LastChange
            siteId={null}
            actions={['desk.updated']}
            targetId={null}
            fields={['notifications']}
            version={found.etag}
          />
          <EqualCommand words={['helpdesk', 'desk', 'show']} />
        </>
      )}
    </>
  );
}

interface FieldsProps {
  form: Edited<Values>;
  all: Events;
}

function Fields({ form, all }: FieldsProps) {
  const { values } = form;
  const lock = (name: Fixed, label: string) => <Lock {...{ form, name, label }} />;
  return (
    <>
      <Matrix
        events={eventsOf(values.switched_on, all)}
        isWhole
        isFixed={() => false}
        onSwitch={(kind, place) => form.change({ switched_on: toggled(values.switched_on, `${place}.${kind}`) })}
        beside={lock}
      />
      <QuietFields {...{ form, lock }} />
      <MailFields {...{ form, lock }} />
      {(['follow_when_answering', 'follow_when_mentioned'] as const).map((name) => (
        <div class="lockable" key={name}>
          <SwitchField label={choiceNames[name]()} value={values[name]} onValue={form.field(name).onValue} />
          {lock(name, choiceNames[name]())}
        </div>
      ))}
      <p class="soft">
        <Icon name="lock" /> {t.lockHint}
      </p>
    </>
  );
}

interface LockProps {
  form: Edited<Values>;
  name: Fixed;
  label: string;
}

function Lock({ form, name, label }: LockProps) {
  const isFixed = listed(form.values.fixed).includes(name);
  return (
    <button
      type="button"
      class="icon-button lock"
      aria-pressed={isFixed}
      aria-label={t.fixForAll(label)}
      title={isFixed ? t.fixedByDesk : t.fixForAll(label)}
      onClick={() => form.change({ fixed: toggled(form.values.fixed, name) })}
    >
      <Icon name="lock" />
    </button>
  );
}

interface PartProps {
  form: Edited<Values>;
  lock: (name: Fixed, label: string) => ComponentChildren;
}

function QuietFields({ form, lock }: PartProps) {
  const { values } = form;
  return (
    <>
      <div class="lockable">
        <SwitchField label={t.quietHours} hint={t.quietHoursHint} {...form.field('has_quiet_hours')} />
        {lock('quiet_hours', t.quietHours)}
      </div>
      {values.has_quiet_hours && (
        <div class="choices">
          <TextField label={t.quietFrom} type="time" isRequired {...form.field('quiet_from')} />
          <TextField label={t.quietUntil} type="time" isRequired {...form.field('quiet_until')} />
          <SwitchField label={t.quietUrgent} {...form.field('lets_urgent_through')} />
        </div>
      )}
    </>
  );
}

function MailFields({ form, lock }: PartProps) {
  const { mail_mode: mode, mail_after_minutes: after } = form.values;
  const choices = waits.includes(after) ? waits : [...waits, after].sort((a, b) => a - b);
  return (
    <>
      <div class="lockable">
        <ChoiceField<Values['mail_mode']>
          label={t.mailMode}
          options={[
            { value: 'at_once', text: t.mailAtOnce },
            { value: 'collected', text: t.mailCollected },
            { value: 'digest', text: t.mailDigest },
          ]}
          {...form.field('mail_mode')}
        />
        {lock('mail_mode', t.mailMode)}
      </div>
      {mode === 'digest' && (
        <div class="lockable">
          <TextField label={t.digestAt} type="time" isRequired {...form.field('digest_at')} />
          {lock('digest_at', t.digestAt)}
        </div>
      )}
      <div class="lockable">
        <ChoiceField<string>
          label={t.mailAfter}
          value={String(after)}
          options={choices.map((minutes) => ({ value: String(minutes), text: t.afterMinutes(minutes) }))}
          onValue={(value) => form.change({ mail_after_minutes: Number(value) })}
        />
        {lock('mail_after_minutes', t.mailAfter)}
      </div>
    </>
  );
}
