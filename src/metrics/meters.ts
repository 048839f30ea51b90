// All metrics together, and their text. No label has a value that a client can choose.

import { Registry } from 'prom-client';
import type { Measures } from '../store/database-figures.ts';
import { createMeterMaker, type MeterMaker, setOrLeaveOut } from './make-meters.ts';
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
  const added: (() => void)[] = [];

  function show({ database, diskFreeBytes, requestsInFlight }: Readings): void {
    requests.show(requestsInFlight);
    deliveries.show(database);
    mail.show(database);
    sla.show(database);
    databaseFile.show(database, diskFreeBytes);
    ownProcess.show();
    for (const showOne of added) showOne();
  }

  return {
    answered: requests.answered,
    batch: commits.batch,
    tried: deliveries.tried,
    filed: mail.filed,
    senderChecked: mail.senderChecked,
    scanned: sla.scanned,
    addGauge(name: string, help: string, read: () => number | null) {
      const meter = make.gauge(name, help);
      added.push(() => setOrLeaveOut(meter, read()));
    },
    addGauges(name: string, help: string, label: string, read: () => readonly (readonly [string, number])[]) {
      const meter = make.gauge(name, help, [label]);
      added.push(() => {
        meter.reset();
        for (const [value, number] of read()) meter.set({ [label]: value }, number);
      });
    },
    text(readings: Readings): Promise<string> {
      show(readings);
      return registry.metrics();
    },
    stop: ownProcess.stop,
  };
}

/** Metrics of the database file and its disk. */
function createDatabaseMeters({ gauge }: MeterMaker) {
  const isReadable = gauge('helpdesk_database_readable', '1 if the database could be read for this response.');
  const files = gauge('helpdesk_database_file_bytes', 'Size of the database and its write-ahead log.', ['file']);
  const pages = gauge('helpdesk_database_pages', 'Pages in the database.');
  const freePages = gauge('helpdesk_database_free_pages', 'Unused pages in the database, which it will reuse.');
  const pageBytes = gauge('helpdesk_database_page_bytes', 'Size of a database page.');
  const diskFree = gauge('helpdesk_disk_free_bytes', 'Free space on the disk of the data directory.');
  return {
    show(database: Measures | null, diskFreeBytes: number) {
      isReadable.set(database === null ? 0 : 1);
      setOrLeaveOut(pages, database?.pages ?? null);
      setOrLeaveOut(freePages, database?.freePages ?? null);
      setOrLeaveOut(pageBytes, database?.pageBytes ?? null);
      if (database === null) files.reset();
      else {
        files.set({ file: 'database' }, database.databaseBytes);
        files.set({ file: 'wal' }, database.walBytes);
      }
      diskFree.set(diskFreeBytes);
    },
  };
}
