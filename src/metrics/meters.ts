// The metrics, with their labels and buckets. No label has a value that a client can choose.

import { readdirSync } from 'node:fs';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type Instant, monotonicMs } from '../base/clock.ts';
import { processStartedAt } from '../base/process.ts';
import { version } from '../base/version.ts';
import { channelTypes } from '../domain/channel.ts';
import { attemptOutcomes } from '../domain/delivery.ts';
import { inboundOutcomes } from '../domain/inbound.ts';
import type { Measures } from '../store/database-figures.ts';
import type { Batch } from '../store/writer.ts';

interface Readings {
  /** Null while the database cannot be read. */
  database: Measures | null;
  diskFreeBytes: number;
  requestsInFlight: number;
}

const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const commitSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const commitSteps = [1, 2, 4, 8, 16, 32, 64, 128];
const trySeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const scanSeconds = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 30, 60];
const delaySeconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const delayEveryMs = 250;

export type Meters = ReturnType<typeof createMeters>;

export function createMeters() {
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[], labelNames: string[] = []) =>
    new Histogram({ name, help, labelNames, buckets, registers });

  const requests = counter('helpdesk_http_requests_total', 'Requests answered.', ['operation', 'status']);
  const requestDuration = histogram(
    'helpdesk_http_request_duration_seconds',
    'Time from the request headers to the start of the response.',
    requestSeconds,
    ['operation'],
  );
  const inFlight = gauge('helpdesk_http_requests_in_flight', 'Requests being answered now.');

  const steps = histogram('helpdesk_commit_steps', 'Write steps in one commit.', commitSteps);
  const commits = histogram(
    'helpdesk_commit_duration_seconds',
    'Duration of a write transaction, including its commit to disk.',
    commitSeconds,
  );
  const lostCommits = counter(
    'helpdesk_commits_failed_total',
    'Transactions that failed to commit; none of their changes were kept.',
  );

  const queued = gauge('helpdesk_outbox_queued', 'Deliveries waiting to be sent, counted up to 100,000.', ['kind']);
  const oldestDue = gauge('helpdesk_outbox_oldest_due_seconds', 'How long the oldest due delivery has been waiting.', [
    'kind',
  ]);
  const tries = counter('helpdesk_delivery_tries_total', 'Delivery attempts.', ['kind', 'outcome']);
  for (const kind of ['mail', ...channelTypes]) for (const outcome of attemptOutcomes) tries.inc({ kind, outcome }, 0);
  const tryDuration = histogram(
    'helpdesk_delivery_try_duration_seconds',
    'Duration of a delivery attempt.',
    trySeconds,
    ['kind'],
  );

  const mail = counter('helpdesk_inbound_mail_total', 'Inbound mail by outcome.', ['outcome']);
  for (const outcome of inboundOutcomes) mail.inc({ outcome }, 0);
  const slowRules = counter(
    'helpdesk_inbound_mail_slow_rules_total',
    'Inbound mail for which the inbound rules ran out of time.',
  );
  const unfiled = gauge('helpdesk_inbound_mail_unfiled', 'Inbound mail that is stored but not filed yet.');

  const scans = histogram('helpdesk_sla_scan_duration_seconds', 'Duration of a whole SLA scan.', scanSeconds);
  const signals = counter('helpdesk_sla_signals_total', 'Warnings and breaches recorded by SLA scans.');
  const scanLag = gauge(
    'helpdesk_sla_scan_lag_seconds',
    'How long the most overdue SLA clock has been waiting for a scan.',
  );
  const faulty = gauge(
    'helpdesk_tickets_set_aside',
    'Tickets that a recurring job skips for an hour because they made it fail.',
  );
  const lastScan = gauge('helpdesk_sla_last_scan_timestamp_seconds', 'Time when the last SLA scan ended.');
  lastScan.remove();

  const isReadable = gauge('helpdesk_database_readable', '1 if the database could be read for this response.');
  const files = gauge('helpdesk_database_file_bytes', 'Size of the database and its write-ahead log.', ['file']);
  const pages = gauge('helpdesk_database_pages', 'Pages in the database.');
  const freePages = gauge('helpdesk_database_free_pages', 'Unused pages in the database, which it will reuse.');
  const pageBytes = gauge('helpdesk_database_page_bytes', 'Size of a database page.');
  const diskFree = gauge('helpdesk_disk_free_bytes', 'Free space on the disk of the data directory.');

  gauge('helpdesk_build_info', 'Always 1; the version is in the label.', ['version']).set({ version }, 1);
  gauge('process_start_time_seconds', 'Time when the process started.').set(processStartedAt / 1000);
  const rss = gauge('process_resident_memory_bytes', 'Resident memory of the process, including shared memory.');
  const heap = gauge('process_heap_bytes', 'JavaScript heap in use.');
  const cpu = counter('process_cpu_seconds_total', 'CPU time used by the process.');
  const descriptors = gauge('process_open_fds', 'Open file descriptors, if the system reports them.');
  const delay = histogram(
    'helpdesk_event_loop_delay_seconds',
    'How late a timer fires that is due four times a second, which is how long requests had to wait.',
    delaySeconds,
  );

  let expectedAt = monotonicMs() + delayEveryMs;
  const ticker = setInterval(() => {
    const now = monotonicMs();
    delay.observe(Math.max(0, now - expectedAt) / 1000);
    expectedAt = now + delayEveryMs;
  }, delayEveryMs);
  ticker.unref();

  const added: { meter: Gauge; read: () => number | null }[] = [];
  const setOrLeaveOut = (meter: Gauge, value: number | null) => {
    if (value === null) meter.remove();
    else meter.set(value);
  };

  function openDescriptors(): number | null {
    return process.platform === 'linux' ? readdirSync('/proc/self/fd').length : null;
  }

  function show({ database, diskFreeBytes, requestsInFlight }: Readings): void {
    inFlight.set(requestsInFlight);
    isReadable.set(database === null ? 0 : 1);
    for (const kind of ['mail', 'webhook'] as const) {
      if (database === null) {
        queued.remove({ kind });
        oldestDue.remove({ kind });
      } else {
        queued.set({ kind }, database.queued[kind]);
        oldestDue.set({ kind }, database.oldestDueMs[kind] / 1000);
      }
    }
    setOrLeaveOut(unfiled, database?.unfiledMail ?? null);
    setOrLeaveOut(faulty, database?.faultyTickets ?? null);
    setOrLeaveOut(scanLag, database === null ? null : database.slaLagMs / 1000);
    setOrLeaveOut(pages, database?.pages ?? null);
    setOrLeaveOut(freePages, database?.freePages ?? null);
    setOrLeaveOut(pageBytes, database?.pageBytes ?? null);
    if (database === null) files.reset();
    else {
      files.set({ file: 'database' }, database.databaseBytes);
      files.set({ file: 'wal' }, database.walBytes);
    }
    diskFree.set(diskFreeBytes);
    const { heapUsed, rss: resident } = process.memoryUsage();
    rss.set(resident);
    heap.set(heapUsed);
    const { user, system } = process.cpuUsage();
    cpu.reset();
    cpu.inc((user + system) / 1e6);
    setOrLeaveOut(descriptors, openDescriptors());
    for (const { meter, read } of added) setOrLeaveOut(meter, read());
  }

  return {
    answered({ operation, status, durationMs }: { operation: string | null; status: number; durationMs: number }) {
      requests.inc({ operation: operation ?? 'none', status });
      requestDuration.observe({ operation: operation ?? 'none' }, durationMs / 1000);
    },
    batch({ steps: count, durationMs, isCommitted }: Batch) {
      if (!isCommitted) {
        lostCommits.inc();
        return;
      }
      steps.observe(count);
      commits.observe(durationMs / 1000);
    },
    tried({ kind, outcome, durationMs }: { kind: string; outcome: string; durationMs: number }) {
      tries.inc({ kind, outcome });
      tryDuration.observe({ kind }, durationMs / 1000);
    },
    filed(outcome: string, hasSlowRules: boolean) {
      if (hasSlowRules) slowRules.inc();
      mail.inc({ outcome });
    },
    scanned({ durationMs, signalled }: { durationMs: number; signalled: number }, at: Instant) {
      scans.observe(durationMs / 1000);
      signals.inc(signalled);
      lastScan.set(at / 1000);
    },
    addGauge(name: string, help: string, read: () => number | null) {
      added.push({ meter: gauge(name, help), read });
    },
    text(readings: Readings): Promise<string> {
      show(readings);
      return registry.metrics();
    },
    stop() {
      clearInterval(ticker);
    },
  };
}
