// How a webhook goes: in a word, with a shape and a colour, and when it last delivered something.

import { now } from '../../../shared/clock.ts';
import { ago, count, dateAndTime } from '../../../shared/format.ts';
import type { IconName } from '../../../shared/icon-paths.ts';
import { Icon } from '../../../shared/icons.tsx';
import { t } from '../messages.ts';
import type { Channel } from './wire.ts';

type Health = 'delivering' | 'unused' | 'failing' | 'disabled' | 'paused';

/** What the desk says of a channel that an agent paused (src/desk/outbox/channels.ts). */
const byHand = 'Switched off manually.';

export function healthOf(channel: Channel): Health {
  if (!channel.is_active) return channel.disabled_reason === byHand ? 'paused' : 'disabled';
  if (channel.consecutive_failures > 0) return 'failing';
  return channel.last_delivery_at === null ? 'unused' : 'delivering';
}

const looks: Readonly<Record<Health, { text: () => string; icon: IconName; tone: string }>> = {
  delivering: { text: () => t.webhookDelivering, icon: 'done', tone: 'good' },
  unused: { text: () => t.webhookUnused, icon: 'clock', tone: 'soft' },
  failing: { text: () => t.webhookFailing, icon: 'warning', tone: 'warning' },
  disabled: { text: () => t.webhookDisabled, icon: 'alert', tone: 'bad' },
  paused: { text: () => t.statePaused, icon: 'pause', tone: 'soft' },
};

export function ChannelState({ channel }: { channel: Channel }) {
  const { text, icon, tone } = looks[healthOf(channel)];
  return (
    <span class={`mailbox-state ${tone}`}>
      <Icon name={icon} />
      {text()}
    </span>
  );
}

export function LastDelivery({ channel }: { channel: Channel }) {
  const { last_delivery_at: at, consecutive_failures: failures } = channel;
  return (
    <span class="mailbox-times soft">
      {failures > 0 && <span>{failures === 1 ? t.failedOnce : t.failedInRow(count(failures))}</span>}
      {at === null ? (
        <span>{t.neverDelivered}</span>
      ) : (
        <time dateTime={at} title={dateAndTime(at)}>
          {t.deliveredAt(ago(at, now()))}
        </time>
      )}
    </span>
  );
}
