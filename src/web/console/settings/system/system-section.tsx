// How the system is: its check, backups, storage and queues, each asked for again while an owner looks.

import type { System } from '../../../../http/wire/system.ts';
import { Button } from '../../../shared/button.tsx';
import { now } from '../../../shared/clock.ts';
import { fileSize } from '../../../shared/file-size.ts';
import { ago, count, dateAndTime, day, duration, percent } from '../../../shared/format.ts';
import { announceRefusal, Notice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { Link } from '../../route.ts';
import { visibleSites } from '../../session.ts';
import { t as ofDesk } from '../desk/messages.ts';
import { EqualCommand } from '../equal-command.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { MailboxState } from '../mailboxes/state.tsx';
import type { Mailbox } from '../mailboxes/wire.ts';
import { t as proof } from '../proof/messages.ts';
import { SectionHead } from '../section-head.tsx';
import { settingsPath } from '../settings-route.ts';
import { t } from './messages.ts';
import { Outbox } from './outbox.tsx';
import { Part } from './part.tsx';
import { Services } from './services.tsx';
import { Upgrade } from './upgrade.tsx';

interface PartProps {
  system: System;
  reload: () => Promise<void>;
}

export function SystemSection() {
  const { shown, refusal, reload } = useLiveData<System>('/system');
  const system = shown.value?.data ?? null;
  return (
    <>
      <SectionHead title={t.system} lead={t.systemLead} />
      <Loading of={{ shown, refusal, reload }} />
      {system !== null && (
        <>
          <div role="status">
            {system.trouble === null ? (
              <Notice kind="done">
                {t.systemWell} {t.systemVersion(system.version, String(system.schema))}
              </Notice>
            ) : (
              <Notice kind="problem">
                {t.systemTrouble} <bdi lang="en">{system.trouble}</bdi>
              </Notice>
            )}
          </div>
          <Check {...{ system, reload }} />
          <Backups {...{ system, reload }} />
          <Figures system={system} />
          <Mailboxes mailboxes={system.mailboxes} />
          <Upgrade system={system} />
        </>
      )}
    </>
  );
}

function useStart(path: string, reload: () => Promise<void>) {
  const starting = useSubmission();
  const start = async (body?: object) => {
    await starting.send(() => ask('POST', path, body));
    if (starting.refusal.value !== null) announceRefusal(starting.refusal.value);
    await reload();
  };
  return { isBusy: starting.isBusy.value, start };
}

function Failed({ message }: { message: string | null }) {
  return (
    <Notice kind="problem">
      {t.commandFailed} <bdi lang="en">{message}</bdi>
    </Notice>
  );
}

function Check({ system, reload }: PartProps) {
  const { isBusy, start } = useStart('/system/doctor', reload);
  const backup = useStart('/system/backup', reload);
  const run = system.last_doctor;
  const isRunning = run?.state === 'running';
  const found = run?.data ?? null;
  const when = run?.ended_at == null ? '' : ago(run.ended_at, now());
  return (
    <Part
      id="check"
      title={t.systemCheck}
      lead={t.systemCheckLead}
      actions={
        <Button isBusy={isBusy || isRunning} onClick={() => void start({})}>
          {t.systemCheckNow}
        </Button>
      }
    >
      <div role="status">
        {run === null && <p class="soft">{t.checkNever}</p>}
        {isRunning && <p class="soft">{t.checkRuns(ago(run.started_at, now()))}</p>}
        {run?.state === 'failed' && <Failed message={run.message} />}
        {found !== null && (
          <Notice kind={found.is_sound ? 'done' : 'problem'}>
            {found.is_sound ? t.checkSound(when) : t.checkUnsound(when)}
          </Notice>
        )}
      </div>
      {found !== null && found.findings.length > 0 && (
        <ul class="panel environment">
          {found.findings.map((finding) => (
            <FoundItem
              key={finding.code}
              {...{ finding, isBusy }}
              onRepair={() => void start({ fix: true, only: [finding.code] })}
              backup={backup}
            />
          ))}
        </ul>
      )}
      <EqualCommand words={['helpdesk', 'doctor']} />
    </Part>
  );
}

/** Where in the settings it can be put right. */
const sections = [
  { findings: /^base_url_/, id: 'addresses', title: () => ofDesk.addresses },
  { findings: /^(?:store_unreachable|folder_foreign)$/, id: 'bucket', title: () => ofDesk.bucket },
  { findings: /^mail_server_unset$/, id: 'mail-server', title: () => ofDesk.mailServer },
  { findings: /^sender_/, id: 'mail-dns', title: () => proof.mailInDns },
  { findings: /^mailbox_/, id: 'mailboxes', title: () => t.mailboxes },
];

type Finding = NonNullable<NonNullable<System['last_doctor']>['data']>['findings'][number];

interface FoundItemProps {
  finding: Finding;
  isBusy: boolean;
  onRepair: () => void;
  backup: ReturnType<typeof useStart>;
}

function FoundItem({ finding, isBusy, onRepair, backup }: FoundItemProps) {
  const { code, level, meaning, examples, fixed, can_fix: canFix, run } = finding;
  const said = t.findingText(code, meaning);
  const section = sections.find(({ findings }) => findings.test(code));
  const isFixed = fixed === finding.count;
  return (
    <li>
      <p>
        <strong>{said.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}</strong>
        <span class={`mailbox-state ${isFixed ? 'good' : level === 'wrong' ? 'bad' : 'soft'}`}>
          {isFixed ? t.findingFixed : level === 'wrong' ? t.findingWrong : t.findingNotice}
        </span>
      </p>
      {examples.map((example) => (
        <p key={example} class="soft" lang="en">
          {example}
        </p>
      ))}
      {canFix && !isFixed && (
        <p>
          <Button isBusy={isBusy} label={t.repairOf(said)} onClick={onRepair}>
            {t.repair}
          </Button>
        </p>
      )}
      {section !== undefined && (
        <p>
          <Link href={settingsPath(section.id)}>{section.title()}</Link>
        </p>
      )}
      {code.startsWith('backup_') ? (
        <p>
          <Button isBusy={backup.isBusy} onClick={() => void backup.start()}>
            {t.backUpNow}
          </Button>
        </p>
      ) : (
        run !== null && <EqualCommand lead={t.findingRun} words={run.split(' ')} />
      )}
    </li>
  );
}

function Backups({ system, reload }: PartProps) {
  const { isBusy, start } = useStart('/system/backup', reload);
  const { backup, last_backup: run } = system;
  const isRunning = run?.state === 'running';

  /** Asks for the identity first: a browser that downloads cannot. */
  async function download(): Promise<void> {
    const found = await ask('GET', '/system/backup');
    if (found.isOk) location.assign('/api/v1/system/backup/file');
    else announceRefusal(found.refusal);
  }

  return (
    <Part
      id="backups"
      title={t.systemBackups}
      lead={t.backupLead}
      actions={
        <>
          {system.can_download_backup && <Button onClick={() => void download()}>{t.backupDownload}</Button>}
          <Button isBusy={isBusy || isRunning} onClick={() => void start()}>
            {t.backUpNow}
          </Button>
        </>
      }
    >
      <div role="status">
        {isRunning && <p class="soft">{t.backupRuns(ago(run.started_at, now()))}</p>}
        {run?.state === 'failed' && <Failed message={run.message} />}
        {(run?.data?.unsound ?? []).map((one) => (
          <p key={one} lang="en">
            {one}
          </p>
        ))}
        <p class="soft">
          {backup === null ? t.backupNever : t.backupLast(ago(backup.at, now()), fileSize(backup.bytes), backup.path)}
        </p>
      </div>
      <EqualCommand words={['helpdesk', 'backup', 'desk.tar.zst']} />
      <RestoreTest {...{ system, reload }} />
    </Part>
  );
}

/** A backup counts once it was restored. */
function RestoreTest({ system, reload }: PartProps) {
  const { isBusy, start } = useStart('/system/restore-test', reload);
  const { backup, restore_test: tested, last_restore_test: run } = system;
  const isRunning = run?.state === 'running';
  return (
    <>
      <div role="status">
        {isRunning && <p class="soft">{t.restoreRuns(ago(run.started_at, now()))}</p>}
        {run?.state === 'failed' && <Failed message={run.message} />}
        <p class="soft">
          {tested === null
            ? t.restoreNever
            : t.restoreTested(ago(tested.at, now()), dateAndTime(tested.created_at), count(tested.tickets))}
        </p>
      </div>
      {(backup !== null || system.can_download_backup) && (
        <div>
          <Button isBusy={isBusy || isRunning} onClick={() => void start()}>
            {t.restoreTest}
          </Button>
        </div>
      )}
      <EqualCommand words={['helpdesk', 'restore', 'desk.tar.zst', '--test']} />
    </>
  );
}

function Figures({ system }: Pick<PartProps, 'system'>) {
  const { disk, database, cluster, growth, file_bytes: files } = system;
  return (
    <>
      <Part id="storage" title={t.systemStorage}>
        <ul class="panel environment">
          <li>{t.storageDisk(percent(disk.used_share), fileSize(disk.free_bytes))}</li>
          <li>{t.storageDatabase(fileSize(database.bytes), fileSize(database.free_bytes))}</li>
          {files !== null && <li>{t.storageFiles(fileSize(files))}</li>}
          <li>
            {growth === null
              ? t.growthLater
              : t.growthADay(
                  signed(growth.database_bytes_a_day),
                  signed(growth.file_bytes_a_day),
                  count(growth.days),
                )}{' '}
            {growth !== null && (growth.full_at === null ? t.growthNeverFull : t.growthFull(day(growth.full_at)))}
          </li>
        </ul>
      </Part>
      <Services />
      <Outbox system={system} />
      <Jobs jobs={system.jobs} />
      <Cluster cluster={cluster} />
    </>
  );
}

// A replica asks every few seconds.
const silentMs = 60_000;

function Cluster({ cluster }: Pick<System, 'cluster'>) {
  if (cluster === null)
    return (
      <Part id="cluster" title={t.systemCluster}>
        <p class="panel panel-note">{t.clusterSingle}</p>
      </Part>
    );
  const { role, host, primary, replicas, former_primaries: former } = cluster;
  return (
    <Part id="cluster" title={t.systemCluster} lead={t.clusterLead}>
      <ul class="panel environment">
        <li>
          <p>
            <bdi>{host}</bdi>
            <span class={`mailbox-state ${role === 'primary' ? 'good' : 'bad'}`}>
              {clusterRoles[role as keyof typeof clusterRoles]?.() ?? role}
            </span>
          </p>
          {primary !== null && <p class="soft">{t.clusterPrimary(primary)}</p>}
        </li>
        {replicas.map(({ host: name, version, lag_ms: lagMs, heard_at: at }) => {
          const isSilent = Date.parse(at) < now() - silentMs;
          return (
            <li key={name}>
              <p>
                <bdi>{name}</bdi>
                <span class={`mailbox-state ${isSilent ? 'bad' : 'good'}`}>
                  {isSilent ? t.clusterSilent(ago(at, now())) : t.clusterReplica}
                </span>
              </p>
              <p class="soft">
                {t.clusterVersion(version)} ·{' '}
                {lagMs === null ? t.clusterLagUnknown : t.clusterLag(duration(lagMs / 1000))}
                {!isSilent && ` · ${t.clusterHeard(ago(at, now()))}`}
              </p>
            </li>
          );
        })}
      </ul>
      {replicas.length === 0 && <p class="soft">{t.clusterAlone}</p>}
      {former.length > 0 && <p class="soft">{t.clusterFormer(former.join(', '))}</p>}
    </Part>
  );
}

const clusterRoles = {
  primary: () => t.rolePrimary,
  replica: () => t.clusterReplica,
  conflict: () => t.roleConflict,
  unknown: () => t.roleUnknown,
};

/** Those that failed come first. */
function Jobs({ jobs }: Pick<System, 'jobs'>) {
  const sorted = jobs.toSorted(
    (one, other) =>
      Number(one.error === null) - Number(other.error === null) ||
      t.jobName(one.name).localeCompare(t.jobName(other.name)),
  );
  const failed = sorted.filter(({ error }) => error !== null).length;
  return (
    <Part id="jobs" title={t.systemJobs} lead={failed === 0 ? t.jobsWell : t.jobsFailed(count(failed))}>
      <div class="panel releases">
        <details open={failed > 0}>
          <summary>{t.jobsAll(count(jobs.length))}</summary>
          <ul class="environment">
            {sorted.map(({ name, ended_at: at, error }) => (
              <li key={name}>
                <p>
                  <span>{t.jobName(name)}</span>
                  <span class={`mailbox-state ${error === null ? 'soft' : 'bad'}`}>
                    {error === null ? t.jobRan(ago(at, now())) : t.jobFailed(ago(at, now()))}
                  </span>
                </p>
                {error !== null && (
                  <p class="soft">
                    <bdi lang="en">
                      {name}: {error}
                    </bdi>
                  </p>
                )}
              </li>
            ))}
          </ul>
        </details>
      </div>
    </Part>
  );
}

const signed = (bytes: number) => `${bytes < 0 ? '−' : '+'}${fileSize(Math.abs(bytes))}`;

function Mailboxes({ mailboxes }: Pick<System, 'mailboxes'>) {
  if (mailboxes.length === 0) return null;
  return (
    <Part id="mailboxes" title={t.mailboxes}>
      <ul class="panel environment">
        {mailboxes.map(({ id, name, state, site_id: siteId }) => (
          <li key={id}>
            <p>
              <Link href={settingsPath('mailboxes', id, visibleSites.value.find((site) => site.id === siteId) ?? null)}>
                <bdi>{name}</bdi>
              </Link>
              <MailboxState state={state as Mailbox['state']} />
            </p>
          </li>
        ))}
      </ul>
    </Part>
  );
}
