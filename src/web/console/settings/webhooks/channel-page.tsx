// One webhook: how it goes, what can be done with it, its settings, and its delivery log.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Answer } from '../../../shared/api.ts';
import { Button } from '../../../shared/button.tsx';
import { announce, announceRefusal } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { go } from '../../route.ts';
import { can } from '../../session.ts';
import { tensOfSeconds } from '../../ticking.ts';
import { offerUndo } from '../../undo.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData, type Versioned } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { t } from '../messages.ts';
import { RemoveButton } from '../remove-button.tsx';
import { RotateDialog } from '../rotate-dialog.tsx';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import { type SectionProps, settingsPath } from '../settings-route.ts';
import { ChannelFields, platformTexts } from './channel-fields.tsx';
import { ChannelState, healthOf, LastDelivery } from './channel-state.tsx';
import { bodyOf, type ChannelValues, channelCommand, channelProblems, missingIn, valuesOf } from './channel-values.ts';
import { AttemptText, DeliveryLog } from './delivery-log.tsx';
import { ReceiverGuide } from './receiver-guide.tsx';
import { ShownSecret, shownSecret } from './secret.tsx';
import type { Channel, Delivery } from './wire.ts';

export function ChannelPage({ site, id }: SectionProps) {
  const path = `/sites/${site.id}/webhook-channels/${encodeURIComponent(id ?? '')}`;
  const live = useLiveData<Channel>(path);
  const found = live.shown.value;
  if (found === null) return <Loading of={live} isOne />;
  return <LoadedChannel {...{ site, path, found }} reload={live.reload} />;
}

interface LoadedProps extends Pick<SectionProps, 'site'> {
  path: string;
  found: Versioned<Channel>;
  reload: () => Promise<void>;
}

function names(): Readonly<Record<keyof ChannelValues, string>> {
  return {
    ...{ name: t.name, type: t.webhookPlatform, webhook_url: t.webhookUrl, events: t.webhookEvents },
    ...{ header_prefix: t.headerPrefix, include_test: t.includeTest },
  };
}

function LoadedChannel({ site, path, found, reload }: LoadedProps) {
  const channel = found.data;
  const { id, name, type, header_prefix: prefix } = channel;
  const tested = useSignal<Delivery | null>(null);
  const testing = useSubmission();
  useEffect(
    () => () => {
      shownSecret.value = null;
    },
    [id],
  );

  async function test(): Promise<void> {
    tested.value = null;
    tested.value = await testing.send(() => testChannel(path));
    if (testing.refusal.value !== null) announceRefusal(testing.refusal.value);
    await reload();
  }

  return (
    <>
      <SectionHead title={name} lead={platformTexts[type]()}>
        {can('manage') && (
          <Actions {...{ site, path, channel, reload }} isTesting={testing.isBusy.value} onTest={() => void test()} />
        )}
      </SectionHead>
      <ShownSecret channel={id} />
      <Now channel={channel} />
      <Tested delivery={tested.value} isBusy={testing.isBusy.value} />
      <SectionForm<ChannelValues, Channel>
        label={t.webhookSettings}
        name={`webhook.${id}`}
        {...{ found, reload, valuesOf, names: names() }}
        readOnly={can('manage') ? null : t.onlyManagersChange}
        problemsIn={channelProblems}
        check={missingIn}
        put={(values, etag) => ask('PATCH', path, bodyOf(values), { 'If-Match': etag })}
        said={(saved) => t.webhookSaved(saved.name)}
      >
        {(form) => <ChannelFields form={form} isNew={false} />}
      </SectionForm>
      {prefix !== null && <ReceiverGuide prefix={prefix} />}
      <LastChange
        siteId={site.id}
        actions={['webhook_channel.created', 'webhook_channel.updated', 'webhook_channel.secret_rotated']}
        targetId={id}
        version={found.etag}
      />
      {can('manage') && <EqualCommand words={channelCommand(site.slug, ['update', String(id)], valuesOf(channel))} />}
      <DeliveryLog {...{ path, channel, site }} />
    </>
  );
}

function Now({ channel }: { channel: Channel }) {
  const advice = {
    ...{ delivering: null, unused: t.adviceUnused, failing: t.adviceFailingWebhook },
    ...{ disabled: t.adviceDisabled, paused: t.advicePausedWebhook },
  }[healthOf(channel)];
  // Read, so that the times stay true.
  tensOfSeconds.value;
  return (
    <div class="panel mailbox-now" role="status">
      <p>
        <ChannelState channel={channel} />
        <LastDelivery channel={channel} />
      </p>
      {advice !== null && <p>{advice}</p>}
      {healthOf(channel) === 'disabled' && (
        <p class="soft">
          <bdi lang="en">{channel.disabled_reason}</bdi>
        </p>
      )}
    </div>
  );
}

function Tested({ delivery, isBusy }: { delivery: Delivery | null; isBusy: boolean }) {
  const attempt = delivery?.attempts.at(-1);
  const isFine = delivery?.status === 'delivered';
  return (
    <div class="trial" role="status">
      {isBusy && <p class="soft">{t.testRuns}</p>}
      {delivery !== null && (
        <div class={`notice ${isFine ? 'done' : 'problem'}`}>
          <div>
            <p>
              <strong>{attempt === undefined ? t.testWaits : isFine ? t.testWorked : t.testFailed}</strong>{' '}
              {attempt !== undefined && <AttemptText attempt={attempt} />}
            </p>
          </div>
        </div>
      )}
    </div>
  );
}

interface ActionsProps extends Pick<LoadedProps, 'site' | 'path' | 'reload'> {
  channel: Channel;
  isTesting: boolean;
  onTest: () => void;
}

function Actions({ site, path, channel, reload, isTesting, onTest }: ActionsProps) {
  const acting = useSubmission();
  const isRotating = useSignal(false);
  const close = () => {
    isRotating.value = false;
  };

  async function setActive(isActive: boolean): Promise<boolean> {
    const isDone = (await acting.send(() => ask('PATCH', path, { is_active: isActive }))) !== null;
    if (acting.refusal.value !== null) announceRefusal(acting.refusal.value);
    await reload();
    return isDone;
  }
  async function pause(): Promise<void> {
    if (await setActive(false)) offerUndo(t.webhookPaused(channel.name), async () => void (await setActive(true)));
  }

  return (
    <>
      <Button isBusy={isTesting} onClick={onTest}>
        {t.testWebhook}
      </Button>
      {channel.is_active ? (
        <Button isBusy={acting.isBusy.value} onClick={() => void pause()}>
          {t.pause}
        </Button>
      ) : (
        <Button
          kind="primary"
          isBusy={acting.isBusy.value}
          onClick={() => void setActive(true).then((isDone) => isDone && announce(t.webhookResumed))}
        >
          {t.resume}
        </Button>
      )}
      {channel.type === 'custom' && (
        <Button
          onClick={() => {
            isRotating.value = true;
          }}
        >
          {t.rotateSecret}
        </Button>
      )}
      <RemoveButton
        title={t.removeWebhookTitle(channel.name)}
        text={t.removeWebhookText}
        action={t.removeWebhook}
        send={() => ask('DELETE', path)}
        onDone={() => {
          announce(t.webhookRemoved(channel.name));
          go(settingsPath('webhooks', undefined, site), { replace: true });
        }}
      />
      {isRotating.value && (
        <RotateDialog<{ signing_secret: string }>
          title={t.rotateSecretTitle}
          text={t.rotateSecretText}
          graceLabel={t.graceLabel}
          action={t.rotateSecret}
          send={(body) => ask('POST', `${path}/secret`, body)}
          onClose={close}
          onDone={({ signing_secret: secret }) => {
            shownSecret.value = { channel: channel.id, secret };
            close();
            void reload();
          }}
        />
      )}
    </>
  );
}

const askAgainMs = 500;
/** Together longer than a receiver may take (HELPDESK_WEBHOOK_TIMEOUT). */
const mostAsked = 60;

/** Sends a test event and waits for its one attempt. Still queued if the desk has not come to it. */
async function testChannel(path: string): Promise<Answer<Delivery>> {
  const queued = await ask<{ data: Delivery }>('POST', `${path}/test`);
  if (!queued.isOk) return queued;
  const { data } = queued.data;
  for (let asked = 0; asked < mostAsked; asked += 1) {
    await new Promise((resolve) => setTimeout(resolve, askAgainMs));
    const log = await ask<{ data: Delivery[] }>('GET', `${path}/deliveries?per_page=25`);
    if (!log.isOk) return log;
    const found = log.data.data.find(({ id }) => id === data.id);
    if (found !== undefined && found.status !== 'queued') return { ...log, data: found };
  }
  return { ...queued, data };
}
