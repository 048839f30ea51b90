// How mail goes, from what the desk keeps of it: the inbound log, the outbox and the canaries (docs/spec/reports.md#mail).

import { canaryLateMs } from '../../domain/mail/canary.ts';
import {
  type Cell,
  cellOf,
  type MailGroup,
  type MailMetricName,
  mailMetricNames,
  mailMetrics,
  type ReportRow,
} from '../../domain/reports/metrics.ts';
import { bucketAt, bucketsOf, type Period } from '../../domain/reports/periods.ts';
import { query, type Tx } from '../../engine/database.ts';

interface MailQuestion {
  siteIds: readonly number[];
  period: Period;
  groupBy: MailGroup;
  now: number;
}

type Values = (string | number | null)[];
type Step = (tx: Tx) => boolean;
type Cells = Map<MailMetricName, ReturnType<typeof cellOf>>;

const rowsAtOnce = 1000;

const sentBefore = `SELECT id, created_at, status, mailbox_id FROM deliveries INDEXED BY deliveries_by_site
  WHERE site_id = ? AND channel_id IS NULL AND recipient IS NOT NULL AND id < ? ORDER BY id DESC LIMIT ${rowsAtOnce}`;

const blank: ReportRow = {
  ...{ ticketId: 0, number: 0, at: 0, untilAt: null, createdAt: 0, agentId: null },
  ...{ calendarMs: null, workingMs: null, amount: null, isLast: false, group: null },
};
const newCells = (): Cells =>
  new Map(
    mailMetricNames.map((name) => [
      name,
      cellOf({ shape: mailMetrics[name], isHit: ({ amount }) => amount === 1 }, 'calendar'),
    ]),
  );

export function createMailReport({ siteIds, period, groupBy, now }: MailQuestion) {
  const buckets = groupBy === 'day' || groupBy === 'week' || groupBy === 'month' ? bucketsOf(period, groupBy) : [];
  const total = newCells();
  const rows = new Map<string | number | null, Cells>(buckets.map(({ key }) => [key, newCells()]));

  function cellsOf(at: number, siteId: number, mailboxId: number | null): Cells[] {
    if (groupBy === 'none') return [total];
    const key = groupBy === 'site' ? siteId : groupBy === 'mailbox' ? mailboxId : buckets[bucketAt(buckets, at)]?.key;
    const own = rows.get(key ?? null) ?? newCells();
    rows.set(key ?? null, own);
    return [total, own];
  }
  const add = (cells: readonly Cells[], name: MailMetricName, row: Partial<ReportRow> = {}) => {
    for (const one of cells) one.get(name)?.add({ ...blank, ...row });
  };
  const share = (cells: readonly Cells[], name: MailMetricName, isHit: boolean) =>
    add(cells, name, { amount: isHit ? 1 : 0 });

  const inbound = (siteId: number) =>
    inSteps(
      `SELECT received_at, id, outcome, processed_at, mailbox_id, held_for,
         outcome = 'ticket_created' AND EXISTS (SELECT 1 FROM tickets WHERE tickets.id = ticket_id AND is_spam = 1)
       FROM inbound_mail INDEXED BY inbound_mail_by_time
       WHERE provider <> 'form' AND silent_date IS NULL AND site_id = ? AND received_at < ? AND (received_at, id) > (?, ?)
       ORDER BY received_at, id LIMIT ${rowsAtOnce}`,
      [siteId, period.toAt],
      [period.fromAt, -1],
      ([at, , outcome, processedAt, mailboxId, heldFor, isSpam]) => {
        const cells = cellsOf(Number(at), siteId, mailboxId as number | null);
        add(cells, 'received');
        if (outcome === 'bounce_recorded') add(cells, 'bounces');
        if (processedAt === null) return;
        add(cells, 'lag', { calendarMs: Number(processedAt) - Number(at) });
        share(cells, 'held', outcome === 'held' || heldFor !== null);
        share(cells, 'spam', heldFor === 'spam' || isSpam === 1);
        share(cells, 'not_filed', outcome === 'failed');
      },
    );

  // The outbox has no index by time. Its newest rows come first, and an import begins a site.
  const sent = (siteId: number): Step => {
    let before = Number.MAX_SAFE_INTEGER;
    return (tx) => {
      const found = query(tx, sentBefore).values(siteId, before) as Values[];
      for (const [, at, status, mailboxId] of found) {
        const isIn = Number(at) >= period.fromAt && Number(at) < period.toAt;
        if (isIn && (status === 'delivered' || status === 'failed'))
          share(cellsOf(Number(at), siteId, mailboxId as number | null), 'sent', status === 'delivered');
      }
      before = Number(found.at(-1)?.[0] ?? 0);
      return found.length < rowsAtOnce || found.every(([, at]) => Number(at) < period.fromAt);
    };
  };

  const canaries = (siteId: number) =>
    inSteps(
      `SELECT sent_at, mailbox_canaries.id, seen_at, mailbox_id FROM mailboxes CROSS JOIN mailbox_canaries ON mailbox_id = mailboxes.id
       WHERE site_id = ? AND sent_at < ? AND (sent_at, mailbox_canaries.id) > (?, ?)
       ORDER BY sent_at, mailbox_canaries.id LIMIT ${rowsAtOnce}`,
      [siteId, period.toAt],
      [period.fromAt, -1],
      ([at, , seenAt, mailboxId]) => {
        const cells = cellsOf(Number(at), siteId, Number(mailboxId));
        if (seenAt !== null) add(cells, 'canary', { calendarMs: Number(seenAt) - Number(at) });
        // What can still come back is not late yet.
        if (seenAt !== null || Number(at) + canaryLateMs <= now) share(cells, 'canary_returned', seenAt !== null);
      },
    );

  const steps: Step[] = siteIds.flatMap((id) => [inbound(id), sent(id), canaries(id)]);
  const valuesOf = (cells: Cells) => new Map<string, Cell>([...cells].map(([name, cell]) => [name, cell.value()]));
  return {
    step(tx: Tx): boolean {
      if (steps[0]?.(tx) === true) steps.shift();
      return steps.length === 0;
    },
    result: () => ({
      rows: [...rows].map(([group, cells]) => ({ group, cells: valuesOf(cells) })),
      total: valuesOf(total),
    }),
  };
}

/** Each step reads at most a thousand rows, from behind the key of the last one; returns whether it was the last step. */
function inSteps(
  text: string,
  values: readonly (string | number)[],
  first: (string | number)[],
  each: (row: Values) => void,
): Step {
  let from = first;
  return (tx) => {
    const found = query(tx, text).values(...values, ...from) as Values[];
    for (const row of found) each(row);
    from = (found.at(-1) ?? []).slice(0, first.length) as (string | number)[];
    return found.length < rowsAtOnce;
  };
}
