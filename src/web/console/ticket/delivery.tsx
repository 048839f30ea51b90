// Whether a reply is on its way: held, scheduled, sent by mail, or failed with the reason.

import { useSignal } from '@preact/signals';
import { Button } from '../../shared/button.tsx';
import { now } from '../../shared/clock.ts';
import { dateAndTime } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { can } from '../session.ts';
import type { Message } from '../wire.ts';
import { sendAgain, withdraw } from './calls.ts';
import { t } from './messages.ts';
import { TicketIcon } from './ticket-icons.tsx';
import { moment } from './times.ts';

const soonMs = 61_000;

export function Delivery({ ticket, message }: { ticket: string; message: Message }) {
  if (message.send_at != null) return <Waiting ticket={ticket} message={message} sendAt={message.send_at} />;
  if (message.delivery === null) return null;
  const { status, error, at } = message.delivery;
  if (status === 'queued' || status === 'sent') {
    return (
      <p class="delivery" title={dateAndTime(at)}>
        <TicketIcon name="mail" />
        {status === 'sent' ? t.deliverySent : t.deliveryQueued}
      </p>
    );
  }
  return <Failed ticket={ticket} message={message} status={status} error={error} />;
}

interface FailedProps {
  ticket: string;
  message: Message;
  status: 'failed' | 'bounced';
  error: string | null;
}

function Failed({ ticket, message, status, error }: FailedProps) {
  return (
    <div class="delivery failed">
      <Icon name="alert" />
      <span>
        <strong>{status === 'failed' ? t.deliveryFailed : t.deliveryBounced}</strong>
        {error !== null && <bdi> {error}</bdi>}
      </span>
      <Act text={t.sendAgain} act={() => sendAgain(ticket, message.ulid)} />
    </div>
  );
}

function Waiting({ ticket, message, sendAt }: { ticket: string; message: Message; sendAt: string }) {
  const isSoon = Date.parse(sendAt) < now() + soonMs;
  return (
    <div class="delivery waiting">
      <TicketIcon name="snooze" />
      <span title={dateAndTime(sendAt)}>{isSoon ? t.sendsSoon : t.sendsAt(moment(sendAt))}</span>
      <Act text={t.withdraw} act={() => withdraw(ticket, message.ulid)} />
    </div>
  );
}

/** For those who may write to the customer. */
function Act({ text, act }: { text: string; act: () => Promise<unknown> }) {
  const isBusy = useSignal(false);
  if (!can('write')) return null;
  return (
    <Button
      kind="quiet"
      isBusy={isBusy.value}
      onClick={() => {
        isBusy.value = true;
        void act().finally(() => {
          isBusy.value = false;
        });
      }}
    >
      {text}
    </Button>
  );
}
