// Examines a data directory, from its settings to its last file. Changes nothing unless it is told to fix.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../../migrations/index.ts';
import { systemClock } from '../../base/clock.ts';
import type { Config } from '../../base/config.ts';
import { createSeal, type Seal } from '../../base/crypto.ts';
import { freeBytesOf, isForWantOfRoom } from '../../base/disk.ts';
import type { Blobs } from '../../files/blobs.ts';
import { openForInspection, openStore, sqliteCode, type Tx } from '../../store/database.ts';
import { isInUseElsewhere } from '../../store/in-use.ts';
import { pendingMigrations, SchemaError } from '../../store/migrate.ts';
import { rowTotal } from '../../store/row-figures.ts';
import { createWriter } from '../../store/writer.ts';
import { judgeDirectory } from '../check-log.ts';
import { originOf } from '../copied-directory.ts';
import { databaseName, keyName } from '../layout.ts';
import { copyToExamine, createLogRelief } from '../reading-copy.ts';
import { offerOf } from '../sound-snapshot.ts';
import {
  checkClock,
  checkCounters,
  checkFaults,
  checkIndex,
  checkIntegrity,
  checkReadable,
  checkRules,
  checkSecrets,
} from './database.ts';
import { checkBackups, checkDisk, checkPermissions, checkSettings, checkSnapshots } from './directory.ts';
import { createFindings, type Finding, type Findings, isSound } from './findings.ts';
import { checkOrphans, checkStoredFiles, type Visited } from './stored-files.ts';

export interface Examination {
  isSound: boolean;
  findings: Finding[];
  areasChecked: string[];
  tickets: number;
  events: number;
  files: number;
  bytes: number;
}

export interface Options {
  path: string;
  config: Config | null;
  configFault: string | null;
  isFixing: boolean;
  now?: number;
  free?: number;
  uid?: number | null;
  bucket?: { attachments: Blobs; mail: Blobs } | null;
  /** From this size on, a copy of the database is examined, so that the log can end meanwhile. */
  leastBytesToCopy?: number;
  onProgress?: (share: number) => void;
}

function sealOf({ note }: Findings, path: string, config: Config | null): Seal | null {
  const configured = config?.HELPDESK_SECRET_KEY ?? null;
  if (configured !== null) return createSeal(Buffer.from(configured, 'base64'));
  const file = join(path, keyName);
  if (!existsSync(file)) {
    note('key_missing', file);
    return null;
  }
  let key: Buffer;
  try {
    key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  } catch {
    note('key_damaged', `${file} cannot be read`);
    return null;
  }
  if (key.length >= 32) return createSeal(key);
  note('key_damaged', file);
  return null;
}

/** A copied directory is completed when a desk opens it; before that, its files need not match. */
function isCopy(findings: Findings, path: string, isSynced: boolean): boolean {
  const origin = originOf(path);
  if (origin === 'same' || origin === 'unknown') return false;
  findings.note('copy_unopened', origin);
  if (origin === 'database replaced') hasAll(findings, path, isSynced);
  return true;
}

function hasAll({ note }: Findings, path: string, isSynced: boolean): boolean {
  const { fault, kind, readableUntil, repair } = judgeDirectory(path, isSynced);
  const codes = {
    missing: 'database_missing',
    unreadable: 'database_unreadable',
    incomplete: 'history_damaged',
  } as const;
  if (fault !== null) note(codes[kind], `${fault} ${offerOf(path, readableUntil ?? systemClock.now())}`);
  else if (repair !== null) note('log_apart', repair.what);
  return fault === null && repair === null;
}

function openSound(findings: Findings, file: string, logs: string, free: number): (Tx & { close(): void }) | null {
  if (!existsSync(file)) {
    findings.note('database_missing', file);
    return null;
  }
  let tx: (Tx & { close(): void }) | null = null;
  try {
    tx = openForInspection(file, logs);
    const pending = pendingMigrations(tx, migrations);
    if (pending.length === 0) return tx;
    findings.note('schema_behind', `${pending.length} migrations behind`);
  } catch (error) {
    if (error instanceof SchemaError) findings.note('schema_refused', error.message);
    else if (isForWantOfRoom(error, file, () => free)) findings.note('database_no_room', file);
    else findings.note('database_unreadable', `${file}: ${sqliteCode(error) ?? String(error)}`);
  }
  tx?.close();
  return null;
}

export async function examine(options: Options): Promise<Examination> {
  const { path, config, isFixing, now = systemClock.now(), onProgress = () => undefined } = options;
  const findings = createFindings();
  const visited: Visited = { files: 0, bytes: 0 };
  const result = { tickets: 0, events: 0 };
  const areasChecked = ['permissions', 'disk', 'backups'];
  if (options.configFault !== null) findings.note('setting_invalid', options.configFault);
  if (config) {
    areasChecked.push('settings');
    checkSettings(findings, config);
  }
  checkPermissions(findings, path, options.uid === undefined ? (process.getuid?.() ?? null) : options.uid, isFixing);
  const free = options.free ?? freeBytesOf(path);
  checkDisk(findings, free);
  checkBackups(findings, path, now);
  const seal = sealOf(findings, path, config);
  const database = join(path, databaseName);
  const logs = join(path, 'wal');
  checkSnapshots(findings, path);
  const isSynced = config === null || ['FULL', 'EXTRA'].includes(config.HELPDESK_SYNCHRONOUS);
  // SQLite would treat a damaged log as one that ends there.
  const isLeftAlone = isCopy(findings, path, isSynced) || !hasAll(findings, path, isSynced);
  let tx = isLeftAlone ? null : openSound(findings, database, logs, free);
  let copy: Awaited<ReturnType<typeof copyToExamine>> = null;
  if (tx !== null) {
    tx.close();
    copy = await copyToExamine(path, options.leastBytesToCopy);
    tx = copy === null ? openForInspection(database, logs) : openForInspection(copy.path);
  }
  if (tx) {
    areasChecked.push('schema');
    try {
      await examineDatabase(tx);
    } catch (error) {
      const code = sqliteCode(error);
      if (code === undefined) throw error;
      findings.note('database_damaged', code);
    } finally {
      tx.close();
      await copy?.clear();
    }
  }
  const all = findings.all();
  return { isSound: isSound(all), findings: all, areasChecked, ...result, ...visited };

  function look<T>(act: (tx: Tx) => T): T {
    const opened = openForInspection(database, logs);
    try {
      return act(opened);
    } finally {
      opened.close();
    }
  }

  async function examineDatabase(looking: Tx & { close(): void }): Promise<void> {
    const { isDamaged, indexes } = checkIntegrity(findings, looking);
    areasChecked.push('database');
    if (!isDamaged) await checkReadable(findings, looking);
    onProgress(0.2);
    // Writing into a damaged database would spread the damage.
    const fixing = isFixing && !isDamaged ? openToFix(database, join(path, 'wal')) : null;
    try {
      const fix = fixing && { ...fixing, read: look };
      await checkIndex(findings, looking, indexes, fix);
      await checkCounters(findings, looking, fix);
      checkFaults(findings, looking);
      checkRules(findings, looking, now);
      areasChecked.push('index', 'counters', 'tickets');
      onProgress(0.4);
      await checkClock(findings, looking, now);
      areasChecked.push('clock');
      if (seal) {
        checkSecrets(findings, looking, seal);
        areasChecked.push('secrets');
      }
      result.tickets = rowTotal(looking, 'tickets');
      result.events = rowTotal(looking, 'events');
      const total = rowTotal(looking, 'attachments') + rowTotal(looking, 'inbound_mail');
      const advance = setInterval(() => onProgress(0.4 + (0.6 * visited.files) / Math.max(total, 1)), 100);
      looking.close();
      await fixing?.close();
      try {
        const { attachments, mail } = options.bucket ?? { attachments: null, mail: null };
        await checkStoredFiles(findings, look, path, 'attachments', visited, attachments);
        await checkStoredFiles(findings, look, path, 'inbound_mail', visited, mail);
      } finally {
        clearInterval(advance);
      }
      await checkOrphans(findings, look, path, now, isFixing);
      areasChecked.push('attachments', 'mail');
      onProgress(1);
    } finally {
      await fixing?.close();
    }
  }
}

/** The database of the desk for writing; like a running desk, it has the log copied into the file. */
function openToFix(database: string, archive: string) {
  const store = openStore(database, 'FULL', archive);
  const writer = createWriter(store);
  const letLogEnd = createLogRelief(store);
  let isOpen = true;
  writer.onCommit(() => setImmediate(() => isOpen && store.tend()));
  // Until something has to be written, the log can end.
  store.rest();
  return {
    write: (step: (tx: Tx) => null) => writer.write(step),
    async rest() {
      await letLogEnd();
      // Without a running desk this would end the log each time.
      if (isInUseElsewhere(database)) store.rest();
    },
    async close() {
      if (!isOpen) return;
      await writer.close();
      isOpen = false;
      await store.settled();
      store.close();
    },
  };
}
