// The data directory: where things are, the desk's key, and the database brought up to date.

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Migration, migrations } from '../../migrations/index.ts';
import { applyErasures, knownErasures, noteErasures } from './erasures.ts';
import { finishRestore } from './finish-restore.ts';
import { settleDirectory } from './check-log.ts';
import { noteOrigin, originOf, recoverCopy } from './copied-directory.ts';
import { hasHistory, offerOf } from './sound-snapshot.ts';
import { upgrade } from './upgrade.ts';
import { doubtfulMs, noteJump, systemClock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { localUrl } from '../base/local-url.ts';
import { createSeal, randomKey, type Seal } from '../base/crypto.ts';
import { diskFault, isForWantOfRoom } from '../base/disk.ts';
import { syncFolderNow } from '../base/folder.ts';
import { continueUlids } from '../base/ids.ts';
import { isUlid } from '../domain/ulid.ts';
import { createDesk, type Desk } from '../desk/desk.ts';
import type { Erasure } from '../desk/erasure.ts';
import { continueErasure } from '../desk/erasure.ts';
import { type Blobs, createLocalBlobs } from '../files/blobs.ts';
import { removeEmlFiles } from '../files/eml-files.ts';
import { type FetchFile, withRemoteFiles } from '../files/remote-blobs.ts';
import { createS3Blobs, type S3Options } from '../files/s3-blobs.ts';
import type { S3Fault } from '../files/s3-requests.ts';
import { clockJumps, newestUlid } from '../store/clock-jumps.ts';
import { openForInspection, openStore, type Store, sqliteCode, type Tx } from '../store/database.ts';
import { erasureUnderWay } from '../store/erasures.ts';
import { knownInboundMail } from '../store/inbound.ts';
import { someSealedSecrets } from '../store/integrity.ts';
import { knownAttachments } from '../store/messages.ts';
import { SchemaError, schemaState } from '../store/migrate.ts';
import { erasedLetters, forgetErasedLetters } from '../store/outbox.ts';
import { isStorageRefusal } from '../store/refusals.ts';

class DataDirectoryError extends Error {
  override name = 'DataDirectoryError';
}

export interface DataDirectory {
  path: string;
  desk: Desk;
  blobs: Blobs;
  mailBlobs: Blobs;
  localFiles: Record<FileKind, Blobs>;
  isNew: boolean;
  recovered: string | null;
  /** Resolves when people who came back with an older database are erased again, with their number. */
  erasedAgain: Promise<number>;
  erasures(): Erasure[];
  removeErased(): Promise<void>;
  /** Has the write-ahead log checked soon; the desk's own commits do so by themselves. */
  tend(): void;
  /** Receives faults in the upkeep of the database, which belong to no request. */
  onFault: (error: unknown) => void;
  /** Receives the reason why the file store refused; the requester learns only that it did. */
  onFileFault: (fault: S3Fault) => void;
  close(): Promise<void>;
}

const databaseName = 'helpdesk.db';

export function databasePathOf(config: Pick<Config, 'HELPDESK_DATA' | 'HELPDESK_LITEFS_DIR'>): string {
  return join(resolve(config.HELPDESK_LITEFS_DIR ?? config.HELPDESK_DATA), databaseName);
}

function readOrCreateKey(path: string, configured: string | null): Seal {
  if (configured !== null) return createSeal(Buffer.from(configured, 'base64'));
  const file = join(path, 'secret.key');
  if (existsSync(file)) {
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
    if (key.length < 32)
      throw new DataDirectoryError(`${file} is damaged; restore it from a backup of this desk.`);
    return createSeal(key);
  }
  if (existsSync(join(path, databaseName))) {
    throw new DataDirectoryError(
      `${file} is missing, and stored secrets cannot be read without it. Put it back or set HELPDESK_SECRET_KEY.`,
    );
  }
  const key = randomKey();
  const handle = openSync(file, 'wx', 0o600);
  try {
    writeSync(handle, `${key.toString('base64')}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  syncFolderNow(path);
  return createSeal(key);
}

/** Notices a wrong key before it encrypts anything. */
function requireOwnKey(tx: Tx, seal: Seal, path: string, config: Config): void {
  let sealed: string[];
  try {
    sealed = someSealedSecrets(tx);
  } catch (error) {
    // Damage is reported by whatever reads the damaged page.
    if (sqliteCode(error) !== undefined) return;
    throw error;
  }
  const opens = (text: string) => {
    try {
      seal.open(text);
      return true;
    } catch {
      // Another key or a changed text. If none of several can be read, it is the key.
      return false;
    }
  };
  if (sealed.length === 0 || sealed.some(opens)) return;
  const key = config.HELPDESK_SECRET_KEY === null ? join(path, 'secret.key') : 'HELPDESK_SECRET_KEY';
  throw new DataDirectoryError(
    `${key} is not the key of this desk: none of the secrets in its database can be read with it. Put back the key of this desk; a backup has it as secret.key.`,
  );
}

const addressName = 'address.txt';

/** Saves the address of the running desk, for commands that print links. */
export function noteBaseUrl(path: string, baseUrl: string): void {
  writeFileSync(join(path, addressName), `${baseUrl}\n`, { mode: 0o600 });
}

export function baseUrlOf(config: Config): string {
  return config.HELPDESK_BASE_URL ?? notedBaseUrl(config) ?? localUrl(config.HELPDESK_HOST, config.HELPDESK_PORT);
}

function notedBaseUrl(config: Config): string | null {
  let noted: string;
  try {
    noted = readFileSync(join(resolve(config.HELPDESK_DATA), addressName), 'utf8').trim();
  } catch {
    return null;
  }
  return /^https?:\/\//.test(noted) && URL.canParse(noted) ? noted : null;
}

function mailDomainOf(config: Config): string {
  return inboundDomainOf(config, config.HELPDESK_BASE_URL ?? 'http://localhost');
}

export function inboundDomainOf(config: Config, baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  // An IPv6 address is not a domain, and an invalid mail address would stop every mail.
  return config.HELPDESK_INBOUND_DOMAIN || (hostname.startsWith('[') ? 'localhost' : hostname);
}

const databaseFaults: Record<string, string> = {
  NOTADB: 'is not a database. Restore it from a backup, or name another directory with --data.',
  CORRUPT: 'is damaged. Restore it from a backup.',
  READONLY: 'cannot be written. Check the owner and mode of the file and its directory.',
  CANTOPEN: 'cannot be opened. Check the owner and mode of the file and its directory.',
  PERM: 'cannot be opened. Check the owner and mode of the file and its directory.',
  EROFS: 'is on a read-only disk. The desk must be able to write next to it.',
  BUSY: 'is locked by another program. Try again when it has ended.',
  FULL: 'is on a full disk. Free some space and try again.',
  IOERR: 'is on a failing disk. Check the system log.',
};

export interface Membership {
  isPrimary(): boolean;
  requirePrimary(): void;
  fetchFile(kind: FileKind): FetchFile;
}

type FileKind = 'attachments' | 'mail';

function openDatabase(
  file: string,
  config: Config,
  data: string,
  membership: Membership | null,
  known: readonly Migration[],
): { store: Store; upgraded: string | null } {
  let store: Store | null = null;
  try {
    if (membership === null) {
      // SQLite creates its other files with the mode of the database.
      closeSync(openSync(file, 'a', 0o600));
      chmodSync(file, 0o600);
    }
    const isReplica = membership !== null && !membership.isPrimary();
    if (isReplica) requireArrived(file);
    // In a cluster LiteFS makes the copies, and its mount supports neither hard links nor other file names.
    store = openStore(file, config.HELPDESK_SYNCHRONOUS, membership === null ? join(data, 'wal') : null);
    if (isReplica) return { store, upgraded: null };
    return { store, upgraded: upgrade(store, file, data, known, systemClock.now(), membership === null) };
  } catch (error) {
    store?.close();
    if (isForWantOfRoom(error, file)) throw new DataDirectoryError(`${file} ${databaseFaults.FULL}`);
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const fault = ['EACCES', 'EPERM'].includes(code) ? 'PERM' : (/^(?:SQLITE_([A-Z]+)|EROFS)/.exec(code)?.[1] ?? code);
    const sentence = databaseFaults[fault ?? ''];
    if (sentence === undefined) throw error;
    const offer = ['NOTADB', 'CORRUPT'].includes(fault ?? '') && hasHistory(data) ? ` ${offerOf(data)}` : '';
    throw new DataDirectoryError(`${file} ${sentence}${offer}`);
  }
}

function requireArrived(file: string): void {
  if (arrivedDatabase(file) !== 'current') {
    throw new DataDirectoryError(
      'This machine is not the primary, and no database with the schema of this executable has arrived yet. The primary creates and migrates it.',
    );
  }
}

export function arrivedDatabase(file: string): 'missing' | 'older' | 'current' {
  try {
    if (statSync(file).size === 0) return 'missing';
    const opened = openForInspection(file);
    try {
      return schemaState(opened, migrations);
    } finally {
      opened.close();
    }
  } catch (error) {
    if (error instanceof SchemaError) throw error;
    // Not there yet, or only in part; the next check may find all of it.
    return 'missing';
  }
}

interface FilesOfDesk {
  attachments: Blobs;
  mail: Blobs;
}

function blobsOf(
  config: Config,
  folder: string,
  prefix: string,
  fetchFile: FetchFile | null,
  onFault: (fault: S3Fault) => void,
): Blobs {
  const s3 = s3Of(config);
  if (s3 !== null) return createS3Blobs({ s3, staging: join(folder, 'staging'), prefix, onFault });
  const local = createLocalBlobs(folder);
  return fetchFile === null ? local : withRemoteFiles(local, fetchFile);
}

export function bucketFilesOf(config: Config, onFault: (fault: S3Fault) => void): FilesOfDesk | null {
  if (s3Of(config) === null) return null;
  const path = resolve(config.HELPDESK_DATA);
  return {
    attachments: blobsOf(config, join(path, 'attachments'), 'attachments/', null, onFault),
    mail: blobsOf(config, join(path, 'mail', 'inbound'), 'mail/inbound/', null, onFault),
  };
}

function s3Of(config: Config): S3Options | null {
  const {
    HELPDESK_S3_ENDPOINT: endpoint,
    HELPDESK_S3_BUCKET: bucket,
    HELPDESK_S3_REGION: region,
    HELPDESK_S3_ACCESS_KEY_ID: accessKeyId,
    HELPDESK_S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = config;
  if (endpoint === null || bucket === null || region === null || accessKeyId === null || secretAccessKey === null)
    return null;
  return { endpoint, bucket, region, accessKeyId, secretAccessKey };
}

/** Whether the file exists; throws if this user cannot read its directory. */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    throw new DataDirectoryError(
      `${dirname(path)} cannot be read by this user. Run this as the user that the desk runs as, or check who owns the directory.`,
    );
  }
}

const tendEvery = 8;
const lettersAtOnce = 5000;

export function openDataDirectory(
  config: Config,
  membership: Membership | null = null,
  known: readonly Migration[] = migrations,
): DataDirectory {
  try {
    return openDesk(config, membership, known);
  } catch (error) {
    const path = resolve(config.HELPDESK_DATA);
    const fault = diskFault(error, path);
    throw fault === null ? error : new DataDirectoryError(`${path} ${fault}; the desk needs to write there.`);
  }
}

/** Continues after the ULIDs and clock jumps stored while the clock was ahead. */
function learnOfClock(desk: Desk): void {
  const now = desk.now();
  try {
    const { newest, jumps } = desk.read((tx) => ({ newest: newestUlid(tx), jumps: clockJumps(tx, now - doubtfulMs) }));
    if (newest !== null && isUlid(newest)) continueUlids(newest, now);
    for (const jump of jumps) noteJump(jump, Math.max(0, now - jump.after));
  } catch (error) {
    // A damaged page must not stop what can still be read; reading it reports the damage.
    if (!isStorageRefusal(error)) throw error;
  }
}

function openDesk(config: Config, membership: Membership | null, known: readonly Migration[]): DataDirectory {
  if (config.HELPDESK_LITEFS_DIR !== null && membership === null) {
    throw new DataDirectoryError(
      'This command works on the data directory of one machine, not on a database in HELPDESK_LITEFS_DIR (docs/cluster.md).',
    );
  }
  const path = resolve(config.HELPDESK_DATA);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DataDirectoryError(
      `The data directory ${path} cannot be created: ${error instanceof Error ? error.message : 'unknown error'}`,
    );
  }
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new DataDirectoryError(`${path} ${databaseFaults[code] ?? databaseFaults.READONLY}`);
  }
  const database = databasePathOf(config);
  const isLocal = membership === null;
  const restored = finishRestore(path, systemClock.now());
  const origin = isLocal ? originOf(path) : 'same';
  const recovered = isLocal ? recoverCopy(path, systemClock.now()) : null;
  const isSynced = ['FULL', 'EXTRA'].includes(config.HELPDESK_SYNCHRONOUS);
  const settled = isLocal ? settleDirectory(path, isSynced, systemClock.now()) : null;
  const isNew = !existsSync(database);
  const foreign = readdirSync(path).filter(
    (name) =>
      !['secret.key', 'attachments', 'mail', 'backups', 'wal', 'erasures.jsonl', addressName, 'lost+found'].includes(
        name,
      ) && !name.startsWith('.'),
  );
  if (membership === null && isNew && foreign.length > 0) {
    throw new DataDirectoryError(
      `${path} is not a data directory of a helpdesk: it contains ${foreign[0]}. Name an empty directory with --data.`,
    );
  }
  const seal = readOrCreateKey(path, config.HELPDESK_SECRET_KEY);
  const { store, upgraded } = openDatabase(database, config, path, membership, known);
  try {
    requireOwnKey(store.reading, seal, path, config);
  } catch (error) {
    store.close();
    throw error;
  }
  if (membership === null) noteOrigin(path);
  const desk = createDesk(store, seal, systemClock, mailDomainOf(config));
  learnOfClock(desk);
  if (membership !== null) desk.writer.guard(membership.requirePrimary);
  const fetchFile = (kind: FileKind) => membership?.fetchFile(kind) ?? null;
  const attachments = join(path, 'attachments');
  const inbound = join(path, 'mail', 'inbound');
  let commits = 0;
  let isClosed = false;
  let isClosing = false;
  let isTending = false;
  function tend() {
    if (isTending) return;
    isTending = true;
    // After the answers to this commit have left.
    setImmediate(() => {
      isTending = false;
      try {
        if (!isClosed) store.tend();
      } catch (error) {
        data.onFault(error);
      }
    });
  }
  function keepErasures() {
    try {
      noteErasures(path, desk);
    } catch (error) {
      data.onFault(error);
    }
  }
  /**
   * Only mail that is no longer in the inbound log: a step that failed has erased nothing. The sweep finds what a crash
   * leaves.
   */
  async function removeErasedMail(ulids: string[]) {
    const kept = desk.read((tx) => knownInboundMail(tx, ulids));
    for (const ulid of ulids) if (!kept.has(ulid)) await data.mailBlobs.remove(ulid);
  }
  /** After a crash the notes are still there, and the work is done later. */
  async function removeErasedLetters() {
    for (;;) {
      const messageIds = desk.read((tx) => erasedLetters(tx, lettersAtOnce));
      if (messageIds.length === 0) return;
      await removeEmlFiles(join(path, 'mail'), messageIds);
      await desk.write((tx) => {
        forgetErasedLetters(tx, messageIds);
        return null;
      });
    }
  }
  /** Continues at the next check if it is interrupted. */
  async function finishErasures() {
    const ctx = () => desk.context({ kind: 'desk' }, 'erasure');
    while (!isClosing && desk.read((tx) => erasureUnderWay(tx)) !== null) {
      await desk.write((tx) => continueErasure(tx, ctx()));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  let removing: Promise<void> = Promise.resolve();
  function removeErased(mails: string[], attached: string[]): Promise<void> {
    const done = removing.then(async () => {
      if (isClosing) return;
      await finishErasures();
      await removeErasedMail(mails);
      const kept = desk.read((tx) => knownAttachments(tx, attached));
      for (const ulid of attached) if (!kept.has(ulid)) await data.blobs.remove(ulid);
      await removeErasedLetters();
    });
    removing = done.catch(() => undefined);
    return done;
  }
  desk.writer.onCommit(() => {
    commits += 1;
    if (commits % tendEvery === 0) tend();
    // This runs before the erasure is answered.
    const erased = desk.takeErased();
    if (erased === null) return;
    keepErasures();
    removeErased(erased, desk.takeErasedFiles()).catch((error) => data.onFault(error));
  });
  const notes = [
    restored === null
      ? null
      : `A restore that had been interrupted was completed; the previous contents are in ${restored}.`,
    recovered,
    settled,
    upgraded,
  ].filter((note) => note !== null);
  // Complete older tombstones while their sites still exist.
  if (isLocal && upgraded !== null) noteErasures(path, desk);
  // A database from elsewhere may be older than an erasure.
  const erasedAgain =
    origin === 'same' ? Promise.resolve(0) : applyErasures(path, desk, desk.context({ kind: 'desk' }, 'restore'));
  const onFileFault = (fault: S3Fault) => data.onFileFault(fault);
  const data: DataDirectory = {
    onFault(error) {
      throw error;
    },
    onFileFault: () => undefined,
    path,
    desk,
    localFiles: { attachments: createLocalBlobs(attachments), mail: createLocalBlobs(inbound) },
    blobs: blobsOf(config, attachments, 'attachments/', fetchFile('attachments'), onFileFault),
    mailBlobs: blobsOf(config, inbound, 'mail/inbound/', fetchFile('mail'), onFileFault),
    isNew,
    recovered: notes.length === 0 ? null : notes.join(' '),
    erasedAgain,
    erasures: () => knownErasures(path, desk),
    removeErased: () => removeErased([], []),
    tend,
    async close() {
      await erasedAgain;
      isClosing = true;
      await removing;
      await desk.writer.close();
      isClosed = true;
      store.close();
    },
  };
  return data;
}
