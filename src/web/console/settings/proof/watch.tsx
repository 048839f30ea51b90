// How the desk watches over a mailbox: what is wrong now, the canary, the daily count, what ends, and who hears of it.

import type * as z from 'zod';
import type { webhookEvents } from '../../../../domain/event.ts';
import type { Expiring, MailboxAlarm } from '../../../../domain/mail/mailbox-alarms.ts';
import type { canaryShape } from '../../../../http/wire/mail/mailbox.ts';
import type { Answer } from '../../../shared/api.ts';
import { now } from '../../../shared/clock.ts';
import { SwitchField } from '../../../shared/field.tsx';
import { count, dateAndTime, day, duration } from '../../../shared/format.ts';
import { Icon } from '../../../shared/icons.tsx';
import { announceRefusal, Notice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { can } from '../../session.ts';
import { offerUndo } from '../../undo.ts';
import { EqualCommand } from '../equal-command.tsx';
import { useLiveData, type Versioned } from '../live-data.ts';
import type { Mailbox } from '../mailboxes/wire.ts';
import type { SectionProps } from '../settings-route.ts';
import { t } from './messages.ts';

type Canary = z.output<typeof canaryShape>;

const alarmTexts: Readonly<Record<MailboxAlarm, () => string>> = {
  failing: () => t.alarmFailing,
  refused: () => t.alarmRefused,
  consent_needed: () => t.alarmConsent,
  canary: () => t.alarmCanary,
  missing_mail: () => t.alarmMissing,
  quiet: () => t.alarmQuiet,
  incoming_certificate: () => t.alarmCertificateIn,
  outgoing_certificate: () => t.alarmCertificateOut,
  client_secret: () => t.alarmSecret,
  consent: () => t.alarmConsentEnds,
};

export function Alarms({ alarms }: Pick<Mailbox, 'alarms'>) {
  return (
    <div role="alert" class="mailbox-alarms">
      {alarms.map(({ kind, reason, since }) => (
        <Notice key={kind} kind="problem">
          <p>
            <strong>{alarmTexts[kind]()}</strong> <span class="soft">{t.alarmSince(dateAndTime(since))}</span>
          </p>
          <p class="soft">
            <bdi lang="en">{reason}</bdi>
          </p>
        </Notice>
      ))}
    </div>
  );
}

interface WatchProps extends Pick<SectionProps, 'site'> {
  path: string;
  found: Versioned<Mailbox>;
  reload: () => Promise<void>;
}

export function Watch({ site, path, found, reload }: WatchProps) {
  const { id, incoming, outgoing } = found.data;
  return (
    <section class="panel watch" aria-labelledby="watch">
      <h2 id="watch">{t.watch}</h2>
      {incoming !== null && outgoing !== null && <CanaryPart {...{ path, found, reload }} />}
      {incoming !== null && <CountPart mailbox={found.data} />}
      <Expiries expiries={found.data.expiries} />
      {can('manage') && <SecondWay site={site} />}
      <EqualCommand
        words={
          incoming === null || outgoing === null
            ? ['helpdesk', 'mailbox', 'show', String(id), '--site', site.slug]
            : [
                ...['helpdesk', 'mailbox', 'update', String(id), '--site', site.slug],
                ...['--has-canary', found.data.has_canary ? 'yes' : 'no'],
              ]
        }
      />
    </section>
  );
}

function CanaryPart({ path, found, reload }: Omit<WatchProps, 'site'>) {
  const { has_canary: hasCanary, last_canary: last } = found.data;

  async function set(isOn: boolean, etag: string): Promise<Answer<unknown>> {
    const answer = await ask('PATCH', path, { has_canary: isOn }, { 'If-Match': etag });
    if (!answer.isOk) announceRefusal(answer.refusal);
    await reload();
    return answer;
  }
  async function choose(isOn: boolean): Promise<void> {
    const answer = await set(isOn, found.etag);
    if (!answer.isOk) return;
    offerUndo(isOn ? t.canaryOn : t.canaryOff, async () => void (await set(!isOn, answer.etag ?? '')));
  }

  return (
    <div class="watch-part">
      <fieldset class="bare" disabled={!can('manage')}>
        <SwitchField label={t.canary} hint={t.canaryHint} value={hasCanary} onValue={(isOn) => void choose(isOn)} />
      </fieldset>
      {last !== null && last.seconds !== null && (
        <p>{t.canaryBack(duration(last.seconds), dateAndTime(last.seen_at ?? last.sent_at))}</p>
      )}
      {hasCanary && last === null && <p class="soft">{t.canaryNoneYet}</p>}
      {(hasCanary || last !== null) && <CanaryGraph path={path} />}
    </div>
  );
}

const lostAfterMs = 15 * 60_000;
const bars = 72;

/** The newest, a bar for each: its height is how long it took, and one that is not back reaches the top. */
function CanaryGraph({ path }: { path: string }) {
  const { shown } = useLiveData<Canary[]>(`${path}/canaries`);
  const canaries = (shown.value?.data ?? []).slice(-bars);
  if (canaries.length < 2) return null;
  const isLost = ({ sent_at: sent, seconds }: Canary) => seconds === null && now() - Date.parse(sent) > lostAfterMs;
  const slowest = Math.max(1, ...canaries.map(({ seconds }) => seconds ?? 0));
  const lost = canaries.filter(isLost).length;
  const said = t.canaryGraph(count(canaries.length), duration(slowest), count(lost));
  return (
    <figure class="canary-graph">
      <svg viewBox={`0 0 ${bars * 4} 40`} preserveAspectRatio="none" role="img" aria-label={said}>
        {canaries.map((canary, at) => {
          const share = isLost(canary) ? 1 : (canary.seconds ?? 0) / slowest;
          const height = Math.max(2, share * 40);
          return (
            <rect
              key={canary.sent_at}
              class={isLost(canary) ? 'lost' : undefined}
              x={(bars - canaries.length + at) * 4}
              y={40 - height}
              width={3}
              height={height}
            >
              <title>{dateAndTime(canary.sent_at)}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption class="soft">{said}</figcaption>
    </figure>
  );
}

function CountPart({ mailbox }: { mailbox: Mailbox }) {
  const { count: last } = mailbox;
  return (
    <div class="watch-part">
      <h3>{t.dailyCount}</h3>
      <p>
        {last === null
          ? t.notCountedYet
          : last.missing === 0
            ? t.countedAll(count(last.messages), dateAndTime(last.at))
            : t.countedMissing(count(last.messages), count(last.missing), dateAndTime(last.at))}
      </p>
      <p class="soft">{t.quietHint}</p>
    </div>
  );
}

const soonDays = 30;

const expiryTexts: Readonly<Record<Expiring, () => string>> = {
  incoming_certificate: () => t.endsCertificateIn,
  outgoing_certificate: () => t.endsCertificateOut,
  client_secret: () => t.endsSecret,
  consent: () => t.endsConsent,
};

function Expiries({ expiries }: Pick<Mailbox, 'expiries'>) {
  if (expiries.length === 0) return null;
  return (
    <div class="watch-part">
      <h3>{t.expiries}</h3>
      <dl class="expiries">
        {expiries.map(({ of, at, days_left: days }) => (
          <div key={of}>
            <dt>{expiryTexts[of]()}</dt>
            <dd class={days === 0 ? 'bad' : days <= soonDays ? 'warning' : undefined}>
              {days <= soonDays && <Icon name="warning" />}
              {days === 0 ? t.hasEnded(day(at)) : t.endsInDays(count(days), day(at), days)}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

interface Channel {
  id: number;
  name: string;
  is_active: boolean;
  events: (typeof webhookEvents)[number][];
}

const alarmEvent = 'mailbox.alarm';

/** Besides the mail to the owners: the channels of the site. */
function SecondWay({ site }: Pick<SectionProps, 'site'>) {
  const path = `/sites/${site.id}/webhook-channels`;
  const { shown, reload } = useLiveData<Channel[]>(path);
  const channels = shown.value?.data ?? null;

  async function set(channel: Channel, isOn: boolean, isUndo = false): Promise<void> {
    const { id, name } = channel;
    // Of the newest channel: another change of its events stays.
    const newest = await ask<{ data: Channel }>('GET', `${path}/${id}`);
    const events = newest.isOk ? newest.data.data.events.filter((event) => event !== alarmEvent) : [];
    const answer = newest.isOk
      ? await ask(
          'PATCH',
          `${path}/${id}`,
          { events: isOn ? [...events, alarmEvent] : events },
          { 'If-Match': newest.etag ?? '' },
        )
      : newest;
    await reload();
    if (!answer.isOk) return announceRefusal(answer.refusal);
    if (!isUndo)
      offerUndo(isOn ? t.alarmsGoTo(name) : t.alarmsNoLongerGoTo(name), () =>
        set({ ...newest, id, name } as never, !isOn, true),
      );
  }

  return (
    <div class="watch-part">
      <h3>{t.whoHears}</h3>
      <p>{t.ownersHear}</p>
      {channels?.length === 0 && <p class="soft">{t.noChannels}</p>}
      {channels?.map((channel) => {
        const isOn = channel.events.includes(alarmEvent);
        // A channel without any event would never be told anything.
        const isLast = isOn && channel.events.length === 1;
        return (
          <fieldset key={channel.id} class="bare" disabled={isLast}>
            <SwitchField
              label={t.alarmsTo(channel.name)}
              hint={isLast ? t.onlyEvent : channel.is_active ? undefined : t.channelIsOff}
              value={isOn}
              onValue={(wanted) => void set(channel, wanted)}
            />
          </fieldset>
        );
      })}
    </div>
  );
}
