// What leaves the desk: how much waits or failed, each with its reason, sent again or now.

import { useSignal } from '@preact/signals';
import type { Outgoing, System } from '../../../../http/wire/system.ts';
import { Button } from '../../../shared/button.tsx';
import { now } from '../../../shared/clock.ts';
import { ChoiceField } from '../../../shared/field.tsx';
import { ago, count, dateAndTime, duration } from '../../../shared/format.ts';
import { announceRefusal } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { EqualCommand } from '../equal-command.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { t as ofWebhooks } from '../messages.ts';
import { announceRequeued, Resend } from '../resend.tsx';
import { t } from './messages.ts';
import { Part } from './part.tsx';

type Status = 'queued' | 'failed';

const onOnePage = 20;

/** Null: nothing is due. */
const dueFor = ({ oldest_due_seconds: seconds }: System['outbox']['mail']) =>
  seconds === 0 ? null : duration(seconds);

export function Outbox({ system }: { system: System }) {
  const { mail, webhook, failed } = system.outbox;
  const status = useSignal<Status>(failed > 0 ? 'failed' : 'queued');
  const page = useSignal(1);
  const live = useLiveData<Outgoing[]>(
    `/system/outbox?status=${status.value}&page=${page.value}&per_page=${onOnePage}`,
  );
  const rows = live.shown.value?.data ?? null;
  const turn = (by: number) => {
    page.value += by;
  };
  return (
    <Part
      id="outbox"
      title={t.systemOutbox}
      lead={t.outboxLead}
      actions={<RetryAll status={status.value} hasSome={rows !== null && rows.length > 0} reload={live.reload} />}
    >
      <ul class="panel environment">
        <li>{t.outboxMail(count(mail.queued), dueFor(mail))}</li>
        <li>{t.outboxWebhooks(count(webhook.queued), dueFor(webhook))}</li>
        <li>{t.outboxFailed(count(failed))}</li>
        <li>{t.outboxUnfiled(count(system.unfiled_mail))}</li>
      </ul>
      <ChoiceField
        label={t.outboxShown}
        name="outbox"
        value={status.value}
        options={[
          { value: 'failed', text: t.outboxShowFailed },
          { value: 'queued', text: t.outboxShowQueued },
        ]}
        onValue={(value) => {
          status.value = value;
          page.value = 1;
        }}
      />
      <Loading of={live} />
      {rows?.length === 0 && <p class="panel panel-note">{t.outboxNone}</p>}
      {rows !== null && rows.length > 0 && (
        <ul class="panel environment" aria-label={t.outboxShown}>
          {rows.map((row) => (
            <OutgoingItem key={row.id} row={row} reload={live.reload} />
          ))}
        </ul>
      )}
      {(page.value > 1 || rows?.length === onOnePage) && (
        <nav class="delivery-pages" aria-label={t.outboxShown}>
          <Button isDisabled={page.value === 1} onClick={() => turn(-1)}>
            {ofWebhooks.newerDeliveries}
          </Button>
          <Button isDisabled={rows === null || rows.length < onOnePage} onClick={() => turn(1)}>
            {ofWebhooks.olderDeliveries}
          </Button>
        </nav>
      )}
      <EqualCommand words={['helpdesk', 'outbox', 'retry', '--status', status.value]} />
    </Part>
  );
}

interface RetryAllProps {
  status: Status;
  hasSome: boolean;
  reload: () => Promise<void>;
}

function RetryAll({ status, hasSome, reload }: RetryAllProps) {
  const sending = useSubmission();
  const isAsked = useSignal(false);
  const retry = (since?: string) =>
    ask<{ data: { requeued: number } }>('POST', '/system/outbox/retry', { status, since });

  async function now(): Promise<void> {
    const done = await sending.send(() => retry());
    if (done !== null) announceRequeued(done.data.requeued);
    else if (sending.refusal.value !== null) announceRefusal(sending.refusal.value);
    await reload();
  }

  if (!hasSome) return null;
  if (status === 'queued')
    return (
      <Button isBusy={sending.isBusy.value} onClick={() => void now()}>
        {t.outboxNow}
      </Button>
    );
  return (
    <>
      <Button
        onClick={() => {
          isAsked.value = true;
        }}
      >
        {ofWebhooks.redeliverFailed}
      </Button>
      {isAsked.value && (
        <Resend
          title={ofWebhooks.redeliverFailed}
          text={t.outboxAgainText}
          send={retry}
          reload={reload}
          onClose={() => {
            isAsked.value = false;
          }}
        />
      )}
    </>
  );
}

function OutgoingItem({ row, reload }: { row: Outgoing; reload: () => Promise<void> }) {
  const { id, event, status, recipient, channel_name: channel, attempts, last_error: error, created_at: at } = row;
  const sending = useSubmission();
  const to = recipient ?? t.outboxChannel(channel ?? '');

  async function again(): Promise<void> {
    const done = await sending.send(() =>
      ask<{ data: { is_requeued: boolean } }>('POST', `/system/outbox/${id}/retry`),
    );
    if (done !== null) announceRequeued(Number(done.data.is_requeued));
    else if (sending.refusal.value !== null) announceRefusal(sending.refusal.value);
    await reload();
  }

  return (
    <li>
      <p>
        <bdi>{to}</bdi>
        <time class="soft" dateTime={at} title={dateAndTime(at)}>
          {ago(at, now())}
        </time>
      </p>
      <p class="soft">
        <code>{event}</code> · {t.outboxTries(attempts)}
        {status === 'queued' && row.next_attempt_at !== null && (
          <> · {ofWebhooks.nextAttempt(dateAndTime(row.next_attempt_at))}</>
        )}
      </p>
      {error !== null && <bdi lang="en">{error}</bdi>}
      {(status === 'failed' || attempts > 0) && (
        <p>
          <Button isBusy={sending.isBusy.value} label={t.outboxAgainTo(to)} onClick={() => void again()}>
            {status === 'failed' ? ofWebhooks.redeliver : t.outboxOneNow}
          </Button>
        </p>
      )}
    </li>
  );
}
