// Which notifications arrive where, quiet hours, and mail. Each choice is saved immediately.

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type * as z from 'zod';
import type { preferencesShape } from '../../../http/wire/notifications/preferences.ts';
import type { Refusal } from '../../shared/api.ts';
import { Button } from '../../shared/button.tsx';
import { now } from '../../shared/clock.ts';
import { ChoiceField, SwitchField, TextField } from '../../shared/field.tsx';
import { dateAndTime } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { announce, SubmissionNotice } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { useSubmission } from '../../shared/submission.ts';
import { Matrix } from '../notifications/matrix.tsx';
import { can, visibleSites } from '../session.ts';
import { Refused } from '../shell/refused.tsx';
import { DesktopNotices } from './desktop-notices.tsx';
import { t } from './messages.ts';
import { PushDevicesPart } from './push-devices.tsx';
import { Row, Section } from './section.tsx';

type Preferences = z.output<typeof preferencesShape>;
type Save = (change: object) => Promise<void>;

const path = '/me/notification-preferences';
const preferences = signal<Preferences | null>(null);
const refusal = signal<Refusal | null>(null);

async function load(): Promise<void> {
  const answer = await ask<{ data: Preferences }>('GET', path);
  refusal.value = answer.isOk ? null : answer.refusal;
  if (answer.isOk) preferences.value = answer.data.data;
}

export function Notifications() {
  const submission = useSubmission();
  useEffect(() => {
    void load();
  }, []);
  const loaded = preferences.value;
  async function save(change: object): Promise<void> {
    const saved = await submission.send(() => ask<{ data: Preferences }>('PATCH', path, change));
    if (saved === null) return;
    preferences.value = saved.data;
    announce(t.saved);
  }
  return (
    <Section id="notifications" title={t.notifications} lead={t.notificationsLead}>
      <SubmissionNotice submission={submission} />
      {loaded === null && refusal.value !== null && <Refused refusal={refusal.value} onRetry={() => void load()} />}
      {loaded === null && refusal.value === null && (
        <span class="skeleton" aria-hidden="true">
          <span class="skeleton-bar panel-skeleton" />
        </span>
      )}
      {loaded !== null && (
        <>
          <Matrix
            events={loaded.events}
            isWhole={can('manage')}
            isFixed={(name) => loaded.fixed.some((one) => one === name)}
            onSwitch={(kind, place, isOn) => void save({ events: { [kind]: { [place]: isOn } } })}
          />
          {loaded.fixed.length > 0 && <p class="soft">{t.someFixed}</p>}
          <DesktopNotices />
          <Quiet own={loaded} save={save} />
          <Mail own={loaded} save={save} />
        </>
      )}
    </Section>
  );
}

/** A part of its own, with its name in the list of sections. */
export function PushSection() {
  return (
    <Section id="push" title={t.pushDevices} lead={t.pushDevicesLead}>
      <PushDevicesPart />
    </Section>
  );
}

interface PartProps {
  own: Preferences;
  save: Save;
}

const hourMs = 3_600_000;
const usualQuiet = { from: '22:00', until: '07:00', lets_urgent_through: true };

function nextAt(hour: number, days: number): Date {
  const at = new Date(now());
  at.setDate(at.getDate() + days);
  at.setHours(hour, 0, 0, 0);
  return at;
}

/** What the desk has fixed is shown, and cannot be changed. */
function Fixed({ own, name, children }: { own: Preferences; name: string; children: ComponentChildren }) {
  const isFixed = own.fixed.some((one) => one === name);
  return (
    <fieldset class="fixable" disabled={isFixed} title={isFixed ? t.fixedByDesk : undefined}>
      {children}
    </fieldset>
  );
}

function Quiet({ own, save }: PartProps) {
  const { quiet_hours: quiet, paused_until: pausedUntil } = own;
  const isPaused = pausedUntil !== null && Date.parse(pausedUntil) > now();
  const pauseUntil = (at: Date | null) => void save({ paused_until: at === null ? null : at.toISOString() });
  const change = (part: Partial<typeof usualQuiet>) =>
    void save({ quiet_hours: { ...(quiet ?? usualQuiet), ...part } });
  return (
    <>
      <Row
        icon={<Icon name="clock" />}
        title={t.pauseNotices}
        detail={isPaused ? t.pausedUntil(dateAndTime(pausedUntil)) : t.pauseLead}
      >
        {isPaused ? (
          <Button onClick={() => pauseUntil(null)}>{t.resumeNotices}</Button>
        ) : (
          <>
            <Button onClick={() => pauseUntil(new Date(now() + hourMs))}>{t.pauseHour}</Button>
            <Button onClick={() => pauseUntil(nextAt(8, 1))}>{t.pauseTomorrow}</Button>
          </>
        )}
      </Row>
      <Fixed own={own} name="quiet_hours">
        <div class="choices">
          <SwitchField
            label={t.quietHours}
            hint={t.quietHoursHint}
            value={quiet !== null}
            onValue={(isOn) => void save({ quiet_hours: isOn ? usualQuiet : null })}
          />
          {quiet !== null && (
            <>
              <TimeField label={t.quietFrom} name="from" value={quiet.from} onTime={(from) => change({ from })} />
              <TimeField label={t.quietUntil} name="until" value={quiet.until} onTime={(until) => change({ until })} />
              <SwitchField
                label={t.quietUrgent}
                value={quiet.lets_urgent_through}
                onValue={(isOn) => change({ lets_urgent_through: isOn })}
              />
            </>
          )}
        </div>
      </Fixed>
      {visibleSites.value.length > 1 && (
        <div class="choices">
          {visibleSites.value.map(({ id, name }) => (
            <SwitchField
              key={id}
              label={t.hearOfSite(name)}
              value={!own.muted_sites.includes(id)}
              onValue={(isOn) => {
                const others = own.muted_sites.filter((one) => one !== id);
                void save({ muted_sites: isOn ? others : [...others, id] });
              }}
            />
          ))}
        </div>
      )}
    </>
  );
}

interface TimeProps {
  label: string;
  name: string;
  value: string;
  onTime(value: string): void;
}

/** A time that is being typed is not a time yet. */
function TimeField({ label, name, value, onTime }: TimeProps) {
  const isTime = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
  return (
    <TextField
      label={label}
      name={name}
      type="time"
      value={value}
      onValue={(typed) => {
        if (isTime(typed) && typed !== value) onTime(typed);
      }}
    />
  );
}

const waits = [0, 2, 5, 15, 60];

function Mail({ own, save }: PartProps) {
  const { mail_mode: mode, mail_after_minutes: after } = own;
  const choices = waits.includes(after) ? waits : [...waits, after].sort((a, b) => a - b);
  return (
    <>
      <div class="choices">
        <Fixed own={own} name="mail_mode">
          <ChoiceField<Preferences['mail_mode']>
            label={t.mailMode}
            value={mode}
            options={[
              { value: 'at_once', text: t.mailAtOnce },
              { value: 'collected', text: t.mailCollected },
              { value: 'digest', text: t.mailDigest },
            ]}
            onValue={(value) => void save({ mail_mode: value })}
          />
        </Fixed>
        {mode === 'digest' ? (
          <Fixed own={own} name="digest_at">
            <TimeField
              label={t.digestAt}
              name="digest"
              value={own.digest_at}
              onTime={(at) => void save({ digest_at: at })}
            />
          </Fixed>
        ) : (
          <Fixed own={own} name="mail_after_minutes">
            <ChoiceField<string>
              label={t.mailAfter}
              value={String(after)}
              options={choices.map((minutes) => ({ value: String(minutes), text: t.afterMinutes(minutes) }))}
              onValue={(value) => void save({ mail_after_minutes: Number(value) })}
            />
          </Fixed>
        )}
      </div>
      <div class="choices">
        <Fixed own={own} name="follow_when_answering">
          <SwitchField
            label={t.followAnswering}
            value={own.follow_when_answering}
            onValue={(isOn) => void save({ follow_when_answering: isOn })}
          />
        </Fixed>
        <Fixed own={own} name="follow_when_mentioned">
          <SwitchField
            label={t.followMentioned}
            value={own.follow_when_mentioned}
            onValue={(isOn) => void save({ follow_when_mentioned: isOn })}
          />
        </Fixed>
      </div>
    </>
  );
}
