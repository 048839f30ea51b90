// The fields of a webhook: the platform, its address, and the events in words.

import { useId } from 'preact/hooks';
import type { WebhookEvent } from '../../../../domain/event.ts';
import { FieldNotes, SwitchField, TextField } from '../../../shared/field.tsx';
import type { FormState } from '../../../shared/submission.ts';
import { t } from '../messages.ts';
import { type ChannelValues, isSent, typeOf, withEvent } from './channel-values.ts';
import type { Channel } from './wire.ts';

export const platformTexts: Readonly<Record<Channel['type'], () => string>> = {
  custom: () => t.ownReceiver,
  slack: () => 'Slack',
  discord: () => 'Discord',
  teams: () => 'Microsoft Teams',
};
const platforms = Object.keys(platformTexts) as Channel['type'][];

export const eventTexts: Readonly<Record<WebhookEvent, () => string>> = {
  'ticket.created': () => t.eventCreated,
  'ticket.replied': () => t.eventReplied,
  'ticket.status_changed': () => t.eventStatus,
  'ticket.assigned': () => t.eventAssigned,
  'ticket.participants_changed': () => t.eventParticipants,
  'ticket.sla_warning': () => t.eventSlaWarning,
  'ticket.sla_breached': () => t.eventSlaBreached,
  'ticket.rated': () => t.eventRated,
  'mailbox.alarm': () => t.eventMailboxAlarm,
  'inbound.held': () => t.eventMailHeld,
  'channel.disabled': () => t.eventChannelDisabled,
  'backup.failed': () => t.eventBackupFailed,
  'disk.low': () => t.eventDiskLow,
};
const events = Object.keys(eventTexts) as WebhookEvent[];

interface FieldsProps {
  form: FormState<ChannelValues>;
  isNew: boolean;
}

export function ChannelFields({ form, isNew }: FieldsProps) {
  const name = useId();
  const { type } = form.values;
  const hints = { custom: t.ownReceiverHint, slack: t.slackHint, discord: t.discordHint, teams: t.teamsHint };
  return (
    <>
      <fieldset class="cards">
        <legend>{t.webhookPlatform}</legend>
        {platforms.map((platform) => (
          <label key={platform}>
            <input
              type="radio"
              name={name}
              checked={type === platform}
              onChange={() => form.change({ type: platform })}
            />
            <span>
              <strong>{platformTexts[platform]()}</strong>
              <span class="soft">{hints[platform]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {isNew && type !== 'custom' && <PlatformGuide type={type} />}
      <TextField
        label={t.name}
        hint={t.webhookNameHint}
        isRequired
        isFirst={isNew}
        maxLength={255}
        {...form.field('name')}
      />
      <TextField
        label={t.webhookUrl}
        hint={t.webhookUrlHint}
        type="url"
        isRequired
        maxLength={2048}
        {...form.field('webhook_url')}
        onValue={(webhook_url) => {
          form.forget('webhook_url');
          const known = isNew ? typeOf(webhook_url) : null;
          form.change({ webhook_url, ...(known === null ? {} : { type: known }) });
        }}
      />
      <Events form={form} />
      {type === 'custom' && (
        <TextField label={t.headerPrefix} hint={t.headerPrefixHint} maxLength={64} {...form.field('header_prefix')} />
      )}
      <SwitchField label={t.includeTest} hint={t.includeTestHint} {...form.field('include_test')} />
    </>
  );
}

function Events({ form }: Pick<FieldsProps, 'form'>) {
  const id = useId();
  const { problem, onValue } = form.field('events');
  return (
    <fieldset class="webhook-events" aria-describedby={problem === undefined ? undefined : `${id}-problem`}>
      <legend>{t.webhookEvents}</legend>
      {events.map((event, at) => (
        <label key={event}>
          <input
            type="checkbox"
            checked={isSent(form.values, event)}
            aria-invalid={(problem !== undefined && at === 0) || undefined}
            onChange={({ currentTarget }) => onValue(withEvent(form.values, event, currentTarget.checked))}
          />
          <span>
            {eventTexts[event]()} <code>{event}</code>
          </span>
        </label>
      ))}
      <FieldNotes id={id} hint={undefined} problem={problem} />
    </fieldset>
  );
}

function PlatformGuide({ type }: { type: Exclude<Channel['type'], 'custom'> }) {
  const steps = {
    slack: [t.slackStep1, t.slackStep2, t.slackStep3],
    discord: [t.discordStep1, t.discordStep2, t.discordStep3],
    teams: [t.teamsStep1, t.teamsStep2, t.teamsStep3],
  }[type];
  return (
    <div class="notice hint">
      <ol class="webhook-steps">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </div>
  );
}
