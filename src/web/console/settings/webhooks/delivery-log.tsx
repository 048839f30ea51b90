// What a webhook sent and what came back: each delivery with its request and its attempts, and sending again.

import { useSignal } from '@preact/signals';
import { Button } from '../../../shared/button.tsx';
import { now } from '../../../shared/clock.ts';
import { ChoiceField } from '../../../shared/field.tsx';
import { ago, count, dateAndTime, timeToTheSecond } from '../../../shared/format.ts';
import type { IconName } from '../../../shared/icon-paths.ts';
import { Icon } from '../../../shared/icons.tsx';
import { announce, announceRefusal } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { can } from '../../session.ts';
import { tensOfSeconds } from '../../ticking.ts';
import { EqualCommand } from '../equal-command.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { t } from '../messages.ts';
import { Resend } from '../resend.tsx';
import type { SectionProps } from '../settings-route.ts';
import { eventTexts } from './channel-fields.tsx';
import { ScrolledCode } from './scrolled-code.tsx';
import type { Channel, Delivery } from './wire.ts';

const onOnePage = 25;
const filters = ['all', 'failed', 'queued', 'delivered'] as const;
type Filter = (typeof filters)[number];

interface LogProps extends Pick<SectionProps, 'site'> {
  path: string;
  channel: Channel;
}

export function DeliveryLog({ path, channel, site }: LogProps) {
  const filter = useSignal<Filter>('all');
  const page = useSignal(1);
  const isAsked = useSignal(false);
  const query = new URLSearchParams({ per_page: String(onOnePage), page: String(page.value) });
  if (filter.value !== 'all') query.set('status', filter.value);
  const { shown, refusal, reload } = useLiveData<Delivery[]>(`${path}/deliveries?${query}`);
  const deliveries = shown.value?.data ?? null;
  const turn = (by: number) => {
    page.value += by;
  };
  const texts = {
    ...{ all: t.allDeliveries, failed: t.deliveriesFailed },
    ...{ queued: t.deliveriesQueued, delivered: t.deliveriesDone },
  };
  // Read, so that the times stay true.
  tensOfSeconds.value;
  return (
    <section class="delivery-log" aria-labelledby="delivery-log">
      <header>
        <div>
          <h2 id="delivery-log">{t.deliveryLog}</h2>
          <p class="soft">{t.deliveryLogLead}</p>
        </div>
        <ChoiceField
          label={t.showDeliveries}
          value={filter.value}
          options={filters.map((value) => ({ value, text: texts[value] }))}
          onValue={(value) => {
            filter.value = value;
            page.value = 1;
          }}
        />
        {can('manage') && (
          <Button
            onClick={() => {
              isAsked.value = true;
            }}
          >
            {t.redeliverFailed}
          </Button>
        )}
      </header>
      <Loading of={{ shown, refusal, reload }} />
      {deliveries?.length === 0 && <p class="panel panel-note">{t.noDeliveries}</p>}
      {deliveries !== null && deliveries.length > 0 && (
        <ul class="panel deliveries" aria-label={t.deliveryLog}>
          {deliveries.map((delivery) => (
            <Row key={delivery.id} {...{ delivery, path, reload }} />
          ))}
        </ul>
      )}
      {(page.value > 1 || deliveries?.length === onOnePage) && (
        <nav class="delivery-pages" aria-label={t.deliveryLog}>
          <Button isDisabled={page.value === 1} onClick={() => turn(-1)}>
            {t.newerDeliveries}
          </Button>
          <Button isDisabled={deliveries === null || deliveries.length < onOnePage} onClick={() => turn(1)}>
            {t.olderDeliveries}
          </Button>
        </nav>
      )}
      <EqualCommand words={['helpdesk', 'channel', 'deliveries', String(channel.id), '--site', site.slug]} />
      {isAsked.value && (
        <Resend
          title={t.redeliverFailed}
          text={channel.is_active ? t.redeliverText : t.redeliverPaused}
          send={(since) => ask('POST', `${path}/redeliver`, { since })}
          reload={reload}
          onClose={() => {
            isAsked.value = false;
          }}
        />
      )}
    </section>
  );
}

const looks: Readonly<Record<Delivery['status'], { text: () => string; icon: IconName; tone: string }>> = {
  delivered: { text: () => t.deliveryDone, icon: 'done', tone: 'good' },
  failed: { text: () => t.deliveryHasFailed, icon: 'alert', tone: 'bad' },
  queued: { text: () => t.deliveryWaits, icon: 'clock', tone: 'soft' },
};

function eventText(event: string): string {
  if (event === 'channel.test') return t.eventTest;
  return eventTexts[event as keyof typeof eventTexts]?.() ?? event;
}

interface RowProps {
  delivery: Delivery;
  path: string;
  reload: () => Promise<void>;
}

function Row({ delivery, path, reload }: RowProps) {
  const { id, event, status, created_at: at, attempts } = delivery;
  const isOpen = useSignal(false);
  const { text, icon, tone } = looks[status];
  const last = attempts.at(-1);
  return (
    <li>
      <details
        onToggle={({ currentTarget }) => {
          isOpen.value = currentTarget.open;
        }}
      >
        <summary>
          <span class={`mailbox-state ${tone}`}>
            <Icon name={icon} />
            {text()}
          </span>
          <span class="delivery-event">{eventText(event)}</span>
          {last?.response_status != null && <code>{last.response_status}</code>}
          <time class="soft" dateTime={at} title={dateAndTime(at)}>
            {ago(at, now())}
          </time>
        </summary>
        {isOpen.value && <Opened key={id} {...{ delivery, path, reload }} />}
      </details>
    </li>
  );
}

function Opened({ delivery, path, reload }: RowProps) {
  const { id, status, request, attempts, next_attempt_at: next, ulid } = delivery;
  const sending = useSubmission();

  async function again(): Promise<void> {
    const isDone = (await sending.send(() => ask('POST', `${path}/deliveries/${id}/redeliver`))) !== null;
    if (isDone) announce(t.requeuedOne);
    else if (sending.refusal.value !== null) announceRefusal(sending.refusal.value);
    await reload();
  }

  return (
    <div class="delivery-open">
      <h3>{t.deliveryRequest}</h3>
      {request === null ? (
        <p class="soft">{t.requestGone}</p>
      ) : (
        <>
          <p>
            <code>
              {request.method} {request.url}
            </code>
          </p>
          <ScrolledCode label={t.deliveryRequest} text={JSON.stringify(JSON.parse(request.body), null, 2)} />
        </>
      )}
      <p class="soft">
        {t.deliveryId} <code>{ulid}</code>
      </p>
      <h3>{t.deliveryAttempts}</h3>
      {attempts.length === 0 && <p class="soft">{t.noAttempt}</p>}
      <ol>
        {attempts.map((attempt) => (
          <li key={attempt.at}>
            <p>
              <time dateTime={attempt.at} title={dateAndTime(attempt.at)}>
                {timeToTheSecond(attempt.at)}
              </time>{' '}
              <AttemptText attempt={attempt} />
            </p>
            {attempt.response_excerpt !== '' && (
              <ScrolledCode label={t.deliveryAnswer} text={attempt.response_excerpt} />
            )}
          </li>
        ))}
      </ol>
      {status === 'queued' && <p>{next === null ? t.waitsForOthers : t.nextAttempt(dateAndTime(next))}</p>}
      {can('manage') && status !== 'queued' && (
        <Button isBusy={sending.isBusy.value} onClick={() => void again()}>
          {t.redeliver}
        </Button>
      )}
    </div>
  );
}

/** In words: what the receiver answered, or why it did not, and what to do. */
export function AttemptText({ attempt }: { attempt: Delivery['attempts'][number] }) {
  const { response_status: status, error, duration_ms: ms } = attempt;
  if (status !== null)
    return (
      <>
        {t.receiverAnswered(String(status), count(ms))} {answerAdvice(status)}
      </>
    );
  return (
    <>
      {t.receiverSilent} {error !== null && <bdi lang="en">{error}</bdi>}
    </>
  );
}

function answerAdvice(status: number): string {
  if (status < 300) return t.answerFine;
  if (status < 400) return t.answerRedirect;
  if (status === 401 || status === 403) return t.answerSignature;
  if (status === 404) return t.answerNotFound;
  if (status === 410) return t.answerGone;
  if (status === 429) return t.answerTooMany;
  return status >= 500 ? t.answerBroken : t.answerRefused;
}
