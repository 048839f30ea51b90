// All metrics together, and their text. No label has a value that a client can choose.

import { type Gauge, Registry } from 'prom-client';
import type { Measures } from '../store/database-figures.ts';
import { createDatabaseMeters } from './database-meters.ts';
import { createMeterMaker, setOrLeaveOut } from './make-meters.ts';
import { createProcessMeters } from './process-meters.ts';
import { createCommitMeters, createRequestMeters } from './request-meters.ts';
import { createDeliveryMeters, createMailMeters, createSlaMeters } from './work-meters.ts';

interface Readings {
  database: Measures | null;
  diskFreeBytes: number;
  requestsInFlight: number;
}

export type Meters = ReturnType<typeof createMeters>;

export function createMeters() {
  const registry = new Registry();
  const make = createMeterMaker(registry);
  const requests = createRequestMeters(make);
  const commits = createCommitMeters(make);
  const deliveries = createDeliveryMeters(make);
  const mail = createMailMeters(make);
  const sla = createSlaMeters(make);
  const databaseFile = createDatabaseMeters(make);
  const ownProcess = createProcessMeters(make);
  const added: { meter: Gauge; read: () => number | null }[] = [];

  function show({ database, diskFreeBytes, requestsInFlight }: Readings): void {
    requests.show(requestsInFlight);
    deliveries.show(database);
    mail.show(database);
    sla.show(database);
    databaseFile.show(database, diskFreeBytes);
    ownProcess.show();
    for (const { meter, read } of added) setOrLeaveOut(meter, read());
  }

  return {
    answered: requests.answered,
    batch: commits.batch,
    tried: deliveries.tried,
    filed: mail.filed,
    scanned: sla.scanned,
    addGauge(name: string, help: string, read: () => number | null) {
      added.push({ meter: make.gauge(name, help), read });
    },
    text(readings: Readings): Promise<string> {
      show(readings);
      return registry.metrics();
    },
    stop: ownProcess.stop,
  };
}
