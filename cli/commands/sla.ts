// helpdesk sla: what the clocks of a ticket counted, and the scan that warns and breaches.

import type { Command } from 'commander';
import { toWire } from '../../src/base/clock.ts';
import { type DueSignal, previewScan } from '../../src/desk/sla/sla.ts';
import type { SlaClock } from '../../src/domain/sla/clock.ts';
import { whenInWords } from '../../src/domain/sla/deadline.ts';
import type { LedgerEntryKind } from '../../src/domain/sla/ledger.ts';
import { referenceOf } from '../../src/domain/tickets/ticket.ts';
import type { presentLedger } from '../../src/http/wire/sla/sla.ts';
import { scanDue } from '../../src/jobs/ticket-scans.ts';
import { addCommand, type CommonOptions, show } from '../command.ts';
import { momentOf } from '../flags.ts';
import { withDesk } from '../opened-desk.ts';
import { operationGroup } from '../operation-command.ts';
import { bold, table } from '../output/text.ts';

function inZone(text: string | null, timezone: string): string {
  if (text === null) return 'now';
  const zoned = Temporal.Instant.from(text).toZonedDateTimeISO(timezone);
  return zoned.toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ');
}

function duration(seconds: number | null): string {
  if (seconds === null) return '–';
  const whole = Math.abs(Math.round(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${seconds < 0 ? '-' : ''}${parts.join(':')}`;
}

const titles: Record<SlaClock, string> = { first_response: 'First response', resolution: 'Resolution' };

const meanings: Record<LedgerEntryKind, string> = {
  counted: 'counted',
  outside_hours: 'outside working hours',
  paused: 'paused',
  resolved: 'resolved',
  spam: 'spam',
};

function describe(ledger: ReturnType<typeof presentLedger>): string {
  const timezone = ledger.timezone ?? 'UTC';
  const clocks = ledger.clocks.map((clock) => {
    const title = titles[clock.clock];
    if (clock.target_minutes === null) return bold(`${title}: no target`);
    const state = clock.stopped_at
      ? `stopped ${inZone(clock.stopped_at, timezone)}`
      : clock.is_paused
        ? 'paused'
        : 'running';
    const lines = [
      bold(`${title}: due ${inZone(clock.due_at, timezone)}, ${state}`),
      `target ${duration(clock.target_minutes * 60)}, counted ${duration(clock.elapsed_seconds)}, left ${duration(clock.remaining_seconds)}, paused ${duration(clock.paused_seconds)}`,
    ];
    if (clock.warned_at) lines.push(`warned ${inZone(clock.warned_at, timezone)}`);
    if (clock.breached_at) lines.push(`breached ${inZone(clock.breached_at, timezone)}`);
    const rows = clock.intervals.map((entry) => [
      inZone(entry.from, timezone),
      inZone(entry.to, timezone),
      `${meanings[entry.kind]}${entry.is_projected ? ' (expected)' : ''}`,
      duration(entry.working_seconds),
      entry.event_seq === null ? '' : `event ${entry.event_seq}`,
    ]);
    return [...lines, table(['from', 'to', 'what', 'working time', 'started by'], rows)].join('\n');
  });
  return [
    `${ledger.reference} is ${ledger.status}. Times are in ${timezone}; durations are hours:minutes:seconds.`,
    ...clocks,
  ].join('\n\n');
}

function presentSignal({ ticket, clock, kind, dueAt, minutesRemaining }: DueSignal) {
  return {
    ticket_ulid: ticket.ulid,
    reference: referenceOf(ticket.id),
    sla_type: clock,
    kind,
    due_at: toWire(dueAt),
    minutes_remaining: minutesRemaining,
  };
}

export const slaCommands = operationGroup(
  'sla',
  'SLA deadlines',
  'helpdesk sla explain 41',
  [
    {
      usage: 'explain <ticket>',
      does: 'explain how the deadlines of a ticket were computed',
      example: 'helpdesk sla explain 41',
      operation: 'sla/explainSla',
      print: ({ data }: { data: ReturnType<typeof presentLedger> }) => describe(data),
    },
  ],
  addScan,
);

function addScan(group: Command): void {
  addCommand(
    group,
    'scan',
    'record the warnings and breaches that are due, now or at another time',
    'helpdesk sla scan --at 2026-09-11T17:00:00Z --dry-run',
  )
    .option('--at <time>', 'scan as if it were this time')
    .option('--dry-run', 'show what would be recorded, and change nothing')
    .action((flags: CommonOptions & { at?: string; dryRun?: boolean }) =>
      withDesk(flags, async (opened) => {
        const at = flags.at === undefined ? null : momentOf(flags.at, '--at', 1);
        const ctx = () => ({
          ...opened.data.desk.context({ kind: 'scan' }, 'cli'),
          ...(at === null ? {} : { now: at }),
        });
        const { signals, failed } = flags.dryRun
          ? opened.read((tx) => previewScan(tx, ctx()))
          : await scanDue(opened.data.desk, ctx).then((ran) => ({
              signals: ran.done,
              failed: ran.failed.map(({ ticketId }) => ticketId),
            }));
        const shown = signals.map(presentSignal);
        const references = failed.map(referenceOf);
        show(flags, {
          json: { data: shown, meta: { dry_run: flags.dryRun ?? false, failed: references } },
          text: () => {
            const due =
              shown.length === 0
                ? 'Nothing is due.'
                : table(
                    ['ticket', 'clock', flags.dryRun ? 'would be' : 'is', 'due', ''],
                    shown.map((one) => [
                      one.reference,
                      one.sla_type,
                      one.kind,
                      one.due_at,
                      whenInWords(one.minutes_remaining),
                    ]),
                  );
            return references.length === 0
              ? due
              : `${due}\n\nThese tickets could not be scanned and were skipped: ${references.join(', ')}`;
          },
        });
      }),
    );
}
