// Gauges that are read from other rooms when someone asks for /metrics.

import { type Instant, systemClock } from '../base/clock.ts';
import type { Cluster } from '../cluster/membership.ts';
import { lastBackup } from '../data/last-backup.ts';
import type { RegularSnapshots } from '../data/regular-snapshots.ts';
import type { Desk } from '../desk/desk.ts';
import { expiriesOf } from '../desk/mail/mailbox-alarms.ts';
import type { ReadingState } from '../domain/mail/mailbox.ts';
import type { SpamFilter } from '../domain/mail/spam-check.ts';
import type { Tx } from '../engine/database.ts';
import type { Scanner } from '../files/clamav.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { newestSeenCanary } from '../store/mail/canaries.ts';
import { alarmsOfMailbox } from '../store/mail/mailbox-alarms.ts';
import { allMailboxes, type MailboxReading, readMailboxes } from '../store/mail/mailboxes.ts';
import type { Mailbox } from '../store/sites/catalogue.ts';
import { removals } from '../store/sites/removals.ts';
import { scanFigures } from '../store/tickets/file-scans.ts';

interface Sources {
  desk: Desk;
  path: string;
  cluster: Cluster | null;
  snapshots: RegularSnapshots;
  scanner: Scanner | null;
  spamFilter: SpamFilter | null;
}

const secondsSince = (at: number | null | undefined) =>
  at === null || at === undefined ? null : (systemClock.now() - at) / 1000;

export function addGauges(metrics: Metrics, { desk, path, cluster, snapshots, scanner, spamFilter }: Sources): void {
  metrics.gauge('helpdesk_site_removal_tickets', 'Tickets of removed sites that are still to be deleted.', () =>
    desk.read((tx) => removals(tx).reduce((sum, { left }) => sum + left, 0)),
  );
  metrics.gauge('helpdesk_backup_age_seconds', 'Age of the last backup.', () => secondsSince(lastBackup(path)?.at));
  metrics.gauge('helpdesk_snapshot_age_seconds', 'Age of the newest snapshot.', () =>
    secondsSince(snapshots.newestAt()),
  );
  addMailboxGauges(metrics, desk);
  const wasUp = (service: Scanner | SpamFilter) => () => {
    const answered = service.wasUp();
    return answered === null ? null : Number(answered);
  };
  if (spamFilter !== null)
    metrics.gauge('helpdesk_spam_filter_up', '1 if the spam filter answered last.', wasUp(spamFilter));
  if (scanner !== null) {
    const figures = () => desk.read(scanFigures);
    metrics.gauge('helpdesk_scanner_up', '1 if the virus scanner answered last.', wasUp(scanner));
    metrics.gauge(
      'helpdesk_files_unchecked',
      'Files that the virus scanner has not judged.',
      () => figures().unchecked,
    );
    metrics.gauge('helpdesk_files_infected', 'Files that are infected.', () => figures().infected);
  }
  if (cluster === null) return;
  metrics.gauge('helpdesk_node_is_primary', '1 if this machine is the primary.', () => (cluster.isPrimary() ? 1 : 0));
  metrics.gauge('helpdesk_replication_lag_seconds', 'How far this machine is behind the primary.', () => {
    const ms = cluster.node.replicationLagMs();
    return ms === null ? null : ms / 1000;
  });
}

function addMailboxGauges(metrics: Metrics, desk: Desk): void {
  const read = () => desk.read((tx) => readMailboxes(tx));
  const count = (state: ReadingState) => read().filter(({ reading }) => reading?.state === state).length;
  metrics.gauge('helpdesk_mailboxes', 'Mailboxes that the desk reads.', () => read().length);
  metrics.gauge('helpdesk_mailboxes_failing', 'Mailboxes that cannot be read now.', () => count('failing'));
  metrics.gauge('helpdesk_mailboxes_refused', 'Mailboxes whose password was refused.', () => count('refused'));
  const since = (at: (reading: MailboxReading) => Instant | null) => () =>
    read().flatMap(({ mailbox: { id }, reading }) => {
      const seconds = reading === undefined ? null : secondsSince(at(reading));
      return seconds === null ? [] : [[String(id), seconds] as const];
    });
  metrics.gauges(
    'helpdesk_mailbox_look_age_seconds',
    'Time since the mailbox was looked into.',
    'mailbox',
    since(({ lookedAt }) => lookedAt),
  );
  metrics.gauges(
    'helpdesk_mailbox_message_age_seconds',
    'Time since the newest message of the mailbox was stored.',
    'mailbox',
    since(({ messageAt }) => messageAt),
  );
  const ofEach = (tell: (tx: Tx, mailbox: Mailbox) => number | null) => () =>
    desk.read((tx) =>
      allMailboxes(tx).flatMap((mailbox) => {
        const figure = tell(tx, mailbox);
        return figure === null ? [] : [[String(mailbox.id), figure] as const];
      }),
    );
  metrics.gauges(
    'helpdesk_mailbox_alarms',
    'What is wrong with the mailbox now, or ends soon.',
    'mailbox',
    ofEach((tx, { id }) => alarmsOfMailbox(tx, id).length),
  );
  metrics.gauges(
    'helpdesk_mailbox_canary_seconds',
    'How long the newest canary that came back was under way.',
    'mailbox',
    ofEach((tx, { id }) => {
      const canary = newestSeenCanary(tx, id);
      return canary?.seenAt == null ? null : (canary.seenAt - canary.sentAt) / 1000;
    }),
  );
  metrics.gauges(
    'helpdesk_mailbox_expires_seconds',
    'Time until the first certificate or secret of the mailbox ends.',
    'mailbox',
    ofEach((tx, mailbox) => {
      const ends = expiriesOf(tx, mailbox).map(({ at }) => at);
      return ends.length === 0 ? null : (Math.min(...ends) - systemClock.now()) / 1000;
    }),
  );
}
