// What DNS says of each address that the site writes from: whether its mail is aligned, and the record to publish.

import { useSignal } from '@preact/signals';
import type * as z from 'zod';
import type { RecordReason } from '../../../../domain/mail/sender.ts';
import type { senderShape } from '../../../../http/wire/sites/sender.ts';
import { Button } from '../../../shared/button.tsx';
import { now } from '../../../shared/clock.ts';
import { ago, dateAndTime } from '../../../shared/format.ts';
import type { IconName } from '../../../shared/icon-paths.ts';
import { Icon } from '../../../shared/icons.tsx';
import { announceRefusal, Notice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { Link } from '../../route.ts';
import { can } from '../../session.ts';
import { tensOfSeconds } from '../../ticking.ts';
import { copyLine, EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { SectionHead } from '../section-head.tsx';
import { type SectionProps, settingsPath } from '../settings-route.ts';
import { t } from './messages.ts';

type Sender = z.output<typeof senderShape>;
type Checks = NonNullable<Sender['checks']>;
type Kind = 'spf' | 'dkim' | 'dmarc';
type RecordCheck = Checks[Kind];

const kinds: readonly Kind[] = ['spf', 'dkim', 'dmarc'];

export function RecordsSection({ site }: SectionProps) {
  const path = `/sites/${site.id}/senders`;
  const live = useLiveData<Sender[]>(path);
  const busy = useSignal<ReadonlySet<number>>(new Set());
  const senders = live.shown.value?.data ?? null;
  // Read, so that the times stay true.
  tensOfSeconds.value;

  async function check(ids: readonly number[]): Promise<void> {
    busy.value = new Set([...busy.value, ...ids]);
    for (const id of ids) {
      const answer = await ask('POST', `${path}/${id}/check`);
      busy.value = new Set([...busy.value].filter((one) => one !== id));
      if (!answer.isOk) {
        busy.value = new Set();
        announceRefusal(answer.refusal);
        break;
      }
      await live.reload();
    }
  }

  return (
    <>
      <SectionHead title={t.mailInDns} lead={t.mailInDnsLead}>
        {can('manage') && senders !== null && senders.length > 1 && (
          <Button isBusy={busy.value.size > 0} onClick={() => void check(senders.map(({ id }) => id))}>
            {t.checkAll}
          </Button>
        )}
      </SectionHead>
      {!can('manage') && <Notice kind="hint">{t.onlyManagersChange}</Notice>}
      <Loading of={live} />
      {senders?.map((sender) => (
        <SenderPanel
          key={sender.id}
          sender={sender}
          isBusy={busy.value.has(sender.id)}
          onCheck={() => void check([sender.id])}
        />
      ))}
      {senders !== null && (
        <>
          <LastChange
            siteId={site.id}
            actions={['sender.checked']}
            targetId={null}
            version={senders.map(({ checks }) => checks?.checked_at).join()}
          />
          <EqualCommand words={['helpdesk', 'sender', 'check', String(senders[0]?.id ?? 1), '--site', site.slug]} />
        </>
      )}
    </>
  );
}

function SenderPanel({ sender, isBusy, onCheck }: { sender: Sender; isBusy: boolean; onCheck: () => void }) {
  const { from, is_default: isDefault, checks } = sender;
  const id = `sender-${sender.id}`;
  return (
    <section class="panel records" aria-labelledby={id}>
      <header>
        <div>
          <h2 id={id}>
            <Link href={settingsPath('writing', sender.id)}>
              <bdi>{from.address}</bdi>
            </Link>
          </h2>
          <p class="soft">
            <bdi>{from.name}</bdi>
            {isDefault && <span>{t.defaultSender}</span>}
            {checks !== null && (
              <time dateTime={checks.checked_at} title={dateAndTime(checks.checked_at)}>
                {t.lookedAt(ago(checks.checked_at, now()))}
              </time>
            )}
          </p>
        </div>
        {can('manage') && (
          <Button label={t.checkSender(from.address)} isBusy={isBusy} onClick={onCheck}>
            {t.checkNow}
          </Button>
        )}
      </header>
      <div role="status">
        {checks === null ? (
          <p class="panel-note">{t.notChecked}</p>
        ) : (
          <ul>
            {kinds.map((kind) => (
              <Record key={kind} kind={kind} check={checks[kind]} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

const looks: Readonly<Record<RecordCheck['status'], { icon: IconName; tone: string; text: () => string }>> = {
  ok: { icon: 'done', tone: 'good', text: () => t.recordAligned },
  missing: { icon: 'alert', tone: 'bad', text: () => t.recordMissing },
  wrong: { icon: 'alert', tone: 'bad', text: () => t.recordWrong },
  unknown: { icon: 'help', tone: 'warning', text: () => t.recordUnknown },
};

const explained: Readonly<Record<RecordReason, (about: string) => string>> = {
  dns_silent: () => t.dnsSilent,
  several_records: () => t.severalRecords,
  spf_missing: () => t.spfMissing,
  spf_names_none: () => t.spfNamesNone,
  spf_broken: () => t.spfBroken,
  spf_covers: (about) => t.spfCovers(about),
  spf_unjudged: () => t.spfUnjudged,
  spf_lacks_provider: (about) => t.spfLacksProvider(about),
  spf_lacks_server: (about) => t.spfLacksServer(about),
  dkim_key: (about) => t.dkimKey(about),
  dkim_of_provider: () => t.dkimOfProvider,
  dkim_revoked: (about) => t.dkimRevoked(about),
  dkim_missing: () => t.dkimMissing,
  dkim_off_at_provider: (about) => t.dkimOff(about),
  dkim_not_found: () => t.dkimNotFound,
  dmarc_missing: () => t.dmarcMissing,
  dmarc_passes: (about) => t.dmarcPasses(about),
  dmarc_unsure: (about) => t.dmarcUnsure(about),
  dmarc_fails: (about) => (about === 'none' ? t.dmarcFailsMildly : t.dmarcFails(about)),
};

function Record({ kind, check }: { kind: Kind; check: RecordCheck }) {
  const { status, reason, about, found, add } = check;
  const { icon, tone, text } = looks[status];
  return (
    <li>
      <p class="record-head">
        <strong>{kind.toUpperCase()}</strong>
        <span class={`mailbox-state ${tone}`}>
          <Icon name={icon} />
          {text()}
        </span>
      </p>
      <p>{explained[reason](about ?? '')}</p>
      {found !== null && (
        <p class="record-found soft">
          {t.recordFound} <code>{found}</code>
        </p>
      )}
      {add !== null && (
        <div class="record-add">
          <p>{found === null ? t.recordToAdd : t.recordToChange}</p>
          <dl>
            <Part name={t.recordName} value={add.name} />
            <Part name={t.recordType} value={add.type} />
            {add.value === null ? (
              <div>
                <dt class="soft">{t.recordValue}</dt>
                <dd>{t.valueFromServer}</dd>
              </div>
            ) : (
              <Part name={t.recordValue} value={add.value} />
            )}
          </dl>
        </div>
      )}
    </li>
  );
}

function Part({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt class="soft">{name}</dt>
      <dd>
        <code>{value}</code>
        <Button kind="quiet" label={t.copyPart(name, value)} onClick={() => void copyLine(value, t.partCopied(name))}>
          {t.copyShort}
        </Button>
      </dd>
    </div>
  );
}
