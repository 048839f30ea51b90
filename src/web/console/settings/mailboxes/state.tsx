// How reading a mailbox goes: in a word, with a shape and a colour, and when the desk looked.

import { now } from '../../../shared/clock.ts';
import { ago, dateAndTime } from '../../../shared/format.ts';
import type { IconName } from '../../../shared/icon-paths.ts';
import { Icon } from '../../../shared/icons.tsx';
import { t } from '../messages.ts';
import type { Mailbox } from './wire.ts';

type State = Mailbox['state'];

const looks: Readonly<
  Record<State, { text: () => string; icon: IconName; tone: 'good' | 'bad' | 'warning' | 'soft' }>
> = {
  connected: { text: () => t.stateConnected, icon: 'done', tone: 'good' },
  waiting: { text: () => t.stateWaiting, icon: 'clock', tone: 'soft' },
  failing: { text: () => t.stateFailing, icon: 'warning', tone: 'warning' },
  refused: { text: () => t.stateRefused, icon: 'alert', tone: 'bad' },
  consent_needed: { text: () => t.stateConsentNeeded, icon: 'key', tone: 'bad' },
  paused: { text: () => t.statePaused, icon: 'pause', tone: 'soft' },
  send_only: { text: () => t.stateSendOnly, icon: 'out', tone: 'soft' },
};

export function MailboxState({ state }: { state: State }) {
  const { text, icon, tone } = looks[state];
  return (
    <span class={`mailbox-state ${tone}`}>
      <Icon name={icon} />
      {text()}
    </span>
  );
}

/** A server that says nothing for so long is behind, although it may only have nothing new. */
const lateAfterMs = 10 * 60_000;

export function LastTimes({ mailbox }: { mailbox: Mailbox }) {
  if (mailbox.incoming === null) return null;
  const { last_look_at: look, last_message_at: message } = mailbox;
  const isLate = look !== null && !mailbox.is_paused && now() - Date.parse(look) > lateAfterMs;
  return (
    <span class="mailbox-times soft">
      {look !== null && (
        <time dateTime={look} title={dateAndTime(look)} class={isLate ? 'late' : undefined}>
          {t.lookedAt(ago(look, now()))}
        </time>
      )}
      {message === null ? (
        <span>{t.noMailYet}</span>
      ) : (
        <time dateTime={message} title={dateAndTime(message)}>
          {t.lastMailAt(ago(message, now()))}
        </time>
      )}
    </span>
  );
}
