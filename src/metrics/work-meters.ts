// Metrics of the work behind the requests: deliveries, inbound mail and SLA scans.

import type { Instant } from '../base/clock.ts';
import { inboundOutcomes } from '../domain/mail/inbound.ts';
import { checkVerdicts } from '../domain/mail/sender-checks.ts';
import { channelTypes } from '../domain/outbox/channel.ts';
import { attemptOutcomes } from '../domain/outbox/delivery.ts';
import type { Measures } from '../store/database-figures.ts';
import { type MeterMaker, setOrLeaveOut } from './make-meters.ts';

const trySeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const scanSeconds = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 30, 60];

export function createDeliveryMeters({ counter, gauge, histogram }: MeterMaker) {
  const queued = gauge('helpdesk_outbox_queued', 'Deliveries waiting to be sent, counted up to 100,000.', ['kind']);
  const oldestDue = gauge('helpdesk_outbox_oldest_due_seconds', 'How long the oldest due delivery has been waiting.', [
    'kind',
  ]);
  const tries = counter('helpdesk_delivery_tries_total', 'Delivery attempts.', ['kind', 'outcome']);
  for (const kind of ['mail', 'push', ...channelTypes])
    for (const outcome of attemptOutcomes) tries.inc({ kind, outcome }, 0);
  const tryDuration = histogram(
    'helpdesk_delivery_try_duration_seconds',
    'Duration of a delivery attempt.',
    trySeconds,
    ['kind'],
  );
  return {
    tried({ kind, outcome, durationMs }: { kind: string; outcome: string; durationMs: number }) {
      tries.inc({ kind, outcome });
      tryDuration.observe({ kind }, durationMs / 1000);
    },
    show(database: Measures | null) {
      for (const kind of ['mail', 'webhook'] as const) {
        if (database === null) {
          queued.remove({ kind });
          oldestDue.remove({ kind });
        } else {
          queued.set({ kind }, database.queued[kind]);
          oldestDue.set({ kind }, database.oldestDueMs[kind] / 1000);
        }
      }
    },
  };
}

export function createMailMeters({ counter, gauge }: MeterMaker) {
  const mail = counter('helpdesk_inbound_mail_total', 'Inbound mail by outcome.', ['outcome']);
  for (const outcome of inboundOutcomes) mail.inc({ outcome }, 0);
  const slowRules = counter(
    'helpdesk_inbound_mail_slow_rules_total',
    'Inbound mail for which the inbound rules ran out of time.',
  );
  const checks = counter('helpdesk_sender_checks_total', "The desk's own checks of who sent a mail.", ['verdict']);
  for (const verdict of checkVerdicts) checks.inc({ verdict }, 0);
  const unfiled = gauge('helpdesk_inbound_mail_unfiled', 'Inbound mail that is stored but not filed yet.');
  return {
    filed(outcome: string, hasSlowRules: boolean) {
      if (hasSlowRules) slowRules.inc();
      mail.inc({ outcome });
    },
    senderChecked(verdict: string) {
      checks.inc({ verdict });
    },
    show(database: Measures | null) {
      setOrLeaveOut(unfiled, database?.unfiledMail ?? null);
    },
  };
}

export function createSlaMeters({ counter, gauge, histogram }: MeterMaker) {
  const scans = histogram('helpdesk_sla_scan_duration_seconds', 'Duration of a whole SLA scan.', scanSeconds);
  const signals = counter('helpdesk_sla_signals_total', 'Warnings and breaches recorded by SLA scans.');
  const scanLag = gauge(
    'helpdesk_sla_scan_lag_seconds',
    'How long the most overdue SLA clock has been waiting for a scan.',
  );
  const setAside = gauge(
    'helpdesk_tickets_set_aside',
    'Tickets that a recurring job skips for an hour because they made it fail.',
  );
  const lastScan = gauge('helpdesk_sla_last_scan_timestamp_seconds', 'Time when the last SLA scan ended.');
  lastScan.remove();
  return {
    scanned({ durationMs, signalled }: { durationMs: number; signalled: number }, at: Instant) {
      scans.observe(durationMs / 1000);
      signals.inc(signalled);
      lastScan.set(at / 1000);
    },
    show(database: Measures | null) {
      setOrLeaveOut(setAside, database?.faultyTickets ?? null);
      setOrLeaveOut(scanLag, database === null ? null : database.slaLagMs / 1000);
    },
  };
}
