// Examines a data directory, from its settings to its last file. Changes nothing unless it is told to fix.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import type { Config } from '../../base/config.ts';
import { createSeal, type Seal } from '../../base/crypto.ts';
import { freeBytesOf, usedShareOf } from '../../base/disk.ts';
import { mailsOwn } from '../../desk/outbox/own-server.ts';
import type { FindingCode } from '../../domain/findings.ts';
import type { AskDns } from '../../domain/mail/sender-checks.ts';
import { sqliteCode, type Tx } from '../../engine/database.ts';
import type { S3Fault } from '../../files/s3-requests.ts';
import { readDeskSettings } from '../../store/desk-settings.ts';
import { rowTotal } from '../../store/row-figures.ts';
import { judgeDirectory } from '../check-log.ts';
import { ownFileFaults } from '../check-names.ts';
import { originOf, placeIn } from '../copied-directory.ts';
import { withOwnAddresses } from '../desk-address.ts';
import { keyName } from '../layout.ts';
import type { ReplicatedDatabase } from '../other-machines.ts';
import { type PlacesOfDesk, placesOf } from '../own-bucket.ts';
import { offerOf } from '../sound-snapshot.ts';
import {
  checkClock,
  checkCounters,
  checkFaults,
  checkIndex,
  checkIntegrity,
  checkMailboxes,
  checkReadable,
  checkRules,
  checkScans,
  checkSecrets,
  type FixOf,
} from './database.ts';
import {
  checkBackups,
  checkBaseUrl,
  checkDisk,
  checkErasures,
  checkLogs,
  checkPermissions,
  checkServices,
  checkSettings,
  checkSnapshots,
} from './directory.ts';
import { createFindings, type Finding, type Findings, isSound } from './findings.ts';
import { checkSenders } from './senders.ts';
import { openOwn, openReplicated, type Source } from './source.ts';
import {
  checkBucketOrphans,
  checkOrphans,
  checkStoredFiles,
  noteAbsent,
  type Table,
  type Visited,
} from './stored-files.ts';

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
  /** Of what can be repaired; everything without it. */
  only?: readonly FindingCode[] | undefined;
  now?: number;
  free?: number;
  usedShare?: number;
  uid?: number | null;
  onFileFault?: (fault: S3Fault) => void;
  replicated?: ReplicatedDatabase | null;
  onCopied?: () => void;
  leastBytesToCopy?: number;
  /** Whether a desk runs; by default, whether another process has the database open. */
  isRunning?: boolean;
  onProgress?: (share: number) => void;
  /** Without it, DNS is not asked about the senders of mail. */
  askDns?: AskDns;
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
  const { fault, kind, repair } = judgeDirectory(path, isSynced);
  const codes = {
    missing: 'database_missing',
    unreadable: 'database_unreadable',
    incomplete: 'history_damaged',
    unproven: 'log_unproven',
  } as const;
  if (fault !== null) note(codes[kind], `${fault} ${offerOf(path)}`);
  else if (repair !== null) note(repair.kind, repair.what);
  return fault === null && repair?.kind !== 'log_apart';
}

async function sourceOf(findings: Findings, options: Options, free: number): Promise<Source | null> {
  const {
    path,
    config,
    replicated = null,
    leastBytesToCopy,
    isFixing,
    isRunning,
    onCopied = () => undefined,
  } = options;
  const synchronous = config?.HELPDESK_SYNCHRONOUS ?? 'FULL';
  if (replicated !== null) return await openReplicated(findings, { path, free, replicated, synchronous, onCopied });
  // SQLite would treat a damaged log as one that ends there.
  const isSynced = ['FULL', 'EXTRA'].includes(synchronous);
  if (isCopy(findings, path, isSynced) || !hasAll(findings, path, isSynced)) return null;
  return await openOwn(findings, { path, free, leastBytesToCopy, isFixing, isRunning });
}

export async function examine(options: Options): Promise<Examination> {
  const { path, config, isFixing, only, now = systemClock.now(), onProgress = () => undefined } = options;
  const replicated = options.replicated ?? null;
  const findings = createFindings((code) => isFixing && (only?.includes(code) ?? true));
  const visited: Visited = { files: 0, bytes: 0 };
  const result = { tickets: 0, events: 0 };
  // For people whom the list of erased people lacks.
  let isAsked = false;
  const areasChecked = ['permissions', 'disk', 'backups'];
  if (options.configFault !== null) findings.note('setting_invalid', options.configFault);
  if (config) {
    areasChecked.push('settings');
    checkSettings(findings, config);
    await checkServices(findings, config);
  }
  checkPermissions(findings, path, options.uid === undefined ? (process.getuid?.() ?? null) : options.uid);
  const free = options.free ?? freeBytesOf(path);
  checkDisk(findings, free, options.usedShare ?? usedShareOf(path));
  const misplaced = ownFileFaults(path);
  for (const fault of misplaced) findings.note('file_misplaced', fault);
  // Opening one of them could fail, or never end.
  if (misplaced.length > 0) {
    const checked = areasChecked.filter((area) => area !== 'backups');
    return { isSound: false, findings: findings.all(), areasChecked: checked, ...result, ...visited };
  }
  if (!replicated?.isReplica) checkBackups(findings, path, now);
  const seal = sealOf(findings, path, config);
  const source = await sourceOf(findings, options, free);
  if (source) {
    areasChecked.push('schema');
    try {
      await examineDatabase(source);
    } catch (error) {
      const code = sqliteCode(error);
      if (code === undefined) throw error;
      findings.note('database_damaged', code);
    } finally {
      await source.clear();
    }
  }
  checkSnapshots(findings, path, replicated !== null);
  if (replicated === null) checkLogs(findings, path);
  if (!isAsked) checkErasures(findings, path, null, now);
  const all = findings.all();
  return { isSound: isSound(all), findings: all, areasChecked, ...result, ...visited };

  async function examineDatabase({ tx, ...from }: Source): Promise<void> {
    const { isDamaged, indexes } = checkIntegrity(findings, tx);
    areasChecked.push('database');
    if (!isDamaged) await checkReadable(findings, tx);
    checkErasures(findings, path, replicated === null ? tx : null, now);
    isAsked = true;
    onProgress(0.2);
    // Writing into a damaged database would spread the damage.
    const fix = isFixing && !isDamaged ? from.openToFix() : null;
    const fixOf: FixOf = (code) => (findings.fixes(code) ? fix : null);
    try {
      await checkIndex(findings, tx, indexes, fixOf);
      await checkCounters(findings, tx, fixOf);
      checkFaults(findings, tx);
      checkScans(findings, tx, now);
      checkRules(findings, tx, now);
      checkMailboxes(findings, tx, now);
      const known = config && withOwnAddresses(config, readDeskSettings(tx)).config;
      if (known) checkBaseUrl(findings, known);
      if (config && !mailsOwn(tx, { hasMailServer: config.HELPDESK_SMTP_URL !== null }))
        findings.note('mail_server_unset', '');
      if (known && options.askDns) await checkSenders(findings, tx, known, options.askDns);
      areasChecked.push('index', 'counters', 'tickets');
      onProgress(0.4);
      await checkClock(findings, tx, now);
      areasChecked.push('clock');
      if (seal) {
        checkSecrets(findings, tx, seal);
        areasChecked.push('secrets');
      }
      result.tickets = rowTotal(tx, 'tickets');
      result.events = rowTotal(tx, 'events');
      const places = config && bucketsOf(config, tx);
      const total = rowTotal(tx, 'attachments') + rowTotal(tx, 'inbound_mail');
      if (replicated === null) tx.close();
      await fix?.close();
      await examineFiles(from, total, places);
    } finally {
      await fix?.close();
    }
  }

  function bucketsOf(known: Config, tx: Tx): PlacesOfDesk {
    const { onFileFault: onFault = () => undefined } = options;
    const place = replicated === null ? placeIn(path) : null;
    const settings = readDeskSettings(tx);
    if (place !== null && settings.bucket !== null)
      for (const folder of settings.bucketFolders)
        if (folder.place !== place) findings.note('folder_foreign', folder.name);
    return placesOf({ config: known, path, place, onFault }, settings, seal, () => {
      throw new Error('an examination stores no files');
    });
  }

  async function examineFiles(
    { look, lookAgain }: Omit<Source, 'tx'>,
    total: number,
    places: PlacesOfDesk | null,
  ): Promise<void> {
    const advance = setInterval(() => onProgress(0.4 + (0.6 * visited.files) / Math.max(total, 1)), 100);
    const absent: [Table, string[]][] = [];
    try {
      for (const table of ['attachments', 'inbound_mail'] as const) {
        const { own = [], foreign = [] } = places?.[table === 'attachments' ? 'attachments' : 'mail'] ?? {};
        const buckets = [...own, ...foreign];
        absent.push([table, await checkStoredFiles(findings, { look, path, buckets }, table, visited)]);
      }
    } finally {
      clearInterval(advance);
    }
    await checkOrphans(findings, look, path, now);
    if (places && findings.all().every(({ code }) => code !== 'store_unreachable'))
      await checkBucketOrphans(findings, look, places, now);
    const hasBucket = places !== null && places.mail.own.length + places.mail.foreign.length > 0;
    if (absent.some(([, ulids]) => ulids.length > 0)) {
      const again = await lookAgain();
      for (const [table, ulids] of absent) noteAbsent(findings, again, table, ulids, replicated !== null && !hasBucket);
    }
    areasChecked.push('attachments', 'mail');
    onProgress(1);
  }
}
