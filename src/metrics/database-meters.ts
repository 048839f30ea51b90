// Metrics of the database file and its disk.

import type { Measures } from '../store/database-figures.ts';
import { type MeterMaker, setOrLeaveOut } from './make-meters.ts';

export function createDatabaseMeters({ gauge }: MeterMaker) {
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
