// What the desk counts about itself, for /metrics.

import { statfsSync } from 'node:fs';
import { errorFields, type Log } from '../base/log.ts';
import type { Desk } from '../desk/desk.ts';
import type { InboundOutcome } from '../domain/mail/inbound.ts';
import type { CheckVerdict } from '../domain/mail/sender-checks.ts';
import type { Batch } from '../engine/writer.ts';
import { type Measures, measures } from '../store/database-figures.ts';
import type { Meters } from './meters.ts';

export interface Metrics {
  onAnswered(answered: { operation: string | null; status: number; durationMs: number }): void;
  onBatch(batch: Batch): void;
  onAttempt(report: { kind: string; outcome: string; durationMs: number }): void;
  onFiled(outcome: InboundOutcome, hasSlowRules: boolean): void;
  onSenderChecked(verdict: CheckVerdict): void;
  onScan(scanned: { durationMs: number; signalled: number }): void;
  /** Adds a gauge that is read for each response. If `read` returns null or throws, the gauge is left out. */
  gauge(name: string, meaning: string, read: () => number | null): void;
  /** One for each value of a label. */
  gauges(name: string, meaning: string, label: string, read: () => readonly (readonly [string, number])[]): void;
  text(): Promise<string>;
  stop(): void;
}

interface MetricsOptions {
  desk: Desk;
  log: Log;
  path: string;
  requestsInFlight: () => number;
  loadAfterMs?: number;
}

/** Loads the metrics library a moment later, so that the start does not wait for it. Nothing counted before is lost. */
export function createMetrics({ desk, log, path, requestsInFlight, loadAfterMs = 1000 }: MetricsOptions): Metrics {
  let meters: Meters | null = null;
  let loading: Promise<Meters> | null = null;
  const early: ((meters: Meters) => void)[] = [];

  function load(): Promise<Meters> {
    loading ??= import('./meters.ts').then(({ createMeters }) => {
      meters = createMeters();
      for (const count of early.splice(0)) count(meters);
      return meters;
    });
    return loading;
  }
  const timer = setTimeout(() => {
    load().catch((error) => log.error(errorFields(error), 'metrics could not be started'));
  }, loadAfterMs);
  timer.unref();

  function tell(count: (meters: Meters) => void): void {
    if (meters === null) early.push(count);
    else count(meters);
  }

  function readDatabase(): Measures | null {
    try {
      return desk.read((tx) => measures(tx, desk.now()));
    } catch (error) {
      log.warn(errorFields(error), 'metrics of the database could not be read');
      return null;
    }
  }

  function readOrLeaveOut<Value>(name: string, read: () => Value): Value | null {
    try {
      return read();
    } catch (error) {
      log.warn({ metric: name, ...errorFields(error) }, 'a metric could not be read');
      return null;
    }
  }

  return {
    onAnswered: (answered) => tell((to) => to.answered(answered)),
    onBatch: (batch) => tell((to) => to.batch(batch)),
    onAttempt: (report) => tell((to) => to.tried(report)),
    onFiled: (outcome, hasSlowRules) => tell((to) => to.filed(outcome, hasSlowRules)),
    onSenderChecked: (verdict) => tell((to) => to.senderChecked(verdict)),
    onScan: (scanned) => tell((to) => to.scanned(scanned, desk.now())),
    gauge: (name, meaning, read) => tell((to) => to.addGauge(name, meaning, () => readOrLeaveOut(name, read))),
    gauges: (name, meaning, label, read) =>
      tell((to) => to.addGauges(name, meaning, label, () => readOrLeaveOut(name, read) ?? [])),
    async text() {
      const { bavail, bsize } = statfsSync(path);
      const readings = {
        database: readDatabase(),
        diskFreeBytes: bavail * bsize,
        requestsInFlight: requestsInFlight(),
      };
      return (await load()).text(readings);
    },
    stop() {
      clearTimeout(timer);
      meters?.stop();
    },
  };
}
