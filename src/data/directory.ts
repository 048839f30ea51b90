// The data directory: what lies where, the desk's key, and the database brought up to date.

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

/** The data directory cannot be used; the message says why and what to do. */
class DataDirectoryError extends Error {
  override name = 'DataDirectoryError';
}

export interface DataDirectory {
  path: string;
  desk: Desk;
  blobs: Blobs;
  /** The stored requests of mail that arrived. */
  mailBlobs: Blobs;
  /** The files that lie on this machine, for the other machines. */
  localFiles: Record<FileKind, Blobs>;
  /** Whether there was no desk here before. */
  isNew: boolean;
  /** What was found and done before the desk could be opened, in sentences; null when there was nothing. */
  recovered: string | null;
  /** Done when whoever was erased, and came back with an older database, is erased again. Answers how many people. */
  erasedAgain: Promise<number>;
  /** Everybody who was erased, of sites that are gone too. */
  erasures(): Erasure[];
  /** Removes the files of mail that erasures have left: what a crash or a fault kept from being removed at once. */
  removeErased(): Promise<void>;
  /** Has the write-ahead log looked after soon; the desk's own commits do so by themselves. */
  tend(): void;
  /** Told of faults in the upkeep of the database, which are nobody's request; whoever opens the directory sets it. */
  onFault: (error: unknown) => void;
  /** Told why the store for files refused; whoever asked for a file is told only that it did. */
  onFileFault: (fault: S3Fault) => void;
  close(): Promise<void>;
}

const databaseName = 'helpdesk.db';

/** Where the database lies: in the data directory, or in the mount that replicates it. */
export function databasePathOf(config: Pick<Config, 'HELPDESK_DATA' | 'HELPDESK_LITEFS_DIR'>): string {
  return join(resolve(config.HELPDESK_LITEFS_DIR ?? config.HELPDESK_DATA), databaseName);
}

function readOrCreateKey(path: string, configured: string | null): Seal {
  if (configured !== null) return createSeal(Buffer.from(configured, 'base64'));
  const file = join(path, 'secret.key');
  if (existsSync(file)) {
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
    if (key.length < 32)
      throw new DataDirectoryError(`${file} is damaged; put back the one from a backup of this desk.`);
    return createSeal(key);
  }
  if (existsSync(join(path, databaseName))) {
    throw new DataDirectoryError(
      `${file} is missing, and without it stored secrets cannot be read; put it back or set HELPDESK_SECRET_KEY.`,
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

/** Another key than the one that the desk's secrets were sealed with is noticed before it seals anything. */
function requireOwnKey(tx: Tx, seal: Seal, path: string, config: Config): void {
  let sealed: string[];
  try {
    sealed = someSealedSecrets(tx);
  } catch (error) {
    // Damage is told of by whoever reads what is damaged.
    if (sqliteCode(error) !== undefined) return;
    throw error;
  }
  const opens = (text: string) => {
    try {
      seal.open(text);
      return true;
    } catch {
      // Another key, or a changed text: with several texts, it is the key.
      return false;
    }
  };
  if (sealed.length === 0 || sealed.some(opens)) return;
  const key = config.HELPDESK_SECRET_KEY === null ? join(path, 'secret.key') : 'HELPDESK_SECRET_KEY';
  throw new DataDirectoryError(
    `${key} is not the key of this desk: none of the secrets in its database can be read with it. Put back the key of this desk, which a backup has as secret.key.`,
  );
}

const addressName = 'address.txt';

/** Remembers under which address the desk is reached, for the commands that print links beside it. */
export function noteBaseUrl(path: string, baseUrl: string): void {
  writeFileSync(join(path, addressName), `${baseUrl}\n`, { mode: 0o600 });
}

/** The desk's address: as configured, as the desk last listened on it, or as it would. */
export function baseUrlOf(config: Config): string {
  return config.HELPDESK_BASE_URL ?? notedBaseUrl(config) ?? localUrl(config.HELPDESK_HOST, config.HELPDESK_PORT);
}

function notedBaseUrl(config: Config): string | null {
  let noted: string;
  try {
    noted = readFileSync(join(resolve(config.HELPDESK_DATA), addressName), 'utf8').trim();
  } catch {
    // No desk has listened here yet.
    return null;
  }
  // A file that was cut short is as good as none.
  return /^https?:\/\//.test(noted) && URL.canParse(noted) ? noted : null;
}

/** The domain of the desk's addresses and Message-IDs, as far as the configuration tells. */
function mailDomainOf(config: Config): string {
  return inboundDomainOf(config, config.HELPDESK_BASE_URL ?? 'http://localhost');
}

/** The domain of the addresses that customers answer to. @param baseUrl the desk's address */
export function inboundDomainOf(config: Config, baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  // An IPv6 address is no domain, and what is no mail address would stop every mail.
  return config.HELPDESK_INBOUND_DOMAIN || (hostname.startsWith('[') ? 'localhost' : hostname);
}

// What is wrong with a database that SQLite cannot use, and what to do about it.
const databaseFaults: Record<string, string> = {
  NOTADB: 'is no database. Restore it from a backup, or name another directory with --data.',
  CORRUPT: 'is damaged. Restore it from a backup.',
  READONLY: 'cannot be written. Check the owner and mode of the file and its directory.',
  CANTOPEN: 'cannot be opened. Check the owner and mode of the file and its directory.',
  PERM: 'cannot be opened. Check the owner and mode of the file and its directory.',
  EROFS: 'is on a read-only disk. The desk must be able to write next to it.',
  BUSY: 'is locked by another program. Try again when that has ended.',
  FULL: 'has no room left on its disk. Free some, and try again.',
  IOERR: 'is on a disk that fails. Check the system log.',
};

/** How the desk knows of the other machines, where there are any. */
export interface Membership {
  isPrimary(): boolean;
  /** Throws `unavailable` unless this machine may write. */
  requirePrimary(): void;
  /** Asks the others for files of a kind. */
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
      // SQLite gives the files that it makes beside the database the database's own mode.
      closeSync(openSync(file, 'a', 0o600));
      chmodSync(file, 0o600);
    }
    const isReplica = membership !== null && !membership.isPrimary();
    if (isReplica) requireArrived(file);
    // Among several machines the copies are LiteFS's to make, and its mount takes neither links nor names of logs.
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
      'This machine is not the primary, and the database at the schema of this executable has not arrived yet: the primary makes and migrates it.',
    );
  }
}

/**
 * What has arrived of a database that another machine writes. Throws SchemaError when it is newer than this executable.
 */
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
    // Not there yet, or only in part: the next look may find it whole.
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

/** The files of a desk that keeps them in a bucket, asked there; null where the data directory keeps them. */
export function bucketFilesOf(config: Config, onFault: (fault: S3Fault) => void): FilesOfDesk | null {
  if (s3Of(config) === null) return null;
  const path = resolve(config.HELPDESK_DATA);
  return {
    attachments: blobsOf(config, join(path, 'attachments'), 'attachments/', null, onFault),
    mail: blobsOf(config, join(path, 'mail', 'inbound'), 'mail/inbound/', null, onFault),
  };
}

/** The store for files; null where the data directory keeps them. */
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

/** Whether there is such a file; a directory that this user may not look into is no directory without it. */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    throw new DataDirectoryError(
      `${dirname(path)} may not be looked into by this user; run this as the user that the desk runs as, or check to whom the directory belongs.`,
    );
  }
}

// A look at the length of the log is due every so many commits.
const tendEvery = 8;
const lettersAtOnce = 5000;

/** Opens the desk in a directory, making and migrating it where needed. */
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

/** What the desk was told by a clock that was ahead goes before what it is told now. */
function learnOfClock(desk: Desk): void {
  const now = desk.now();
  try {
    const { newest, jumps } = desk.read((tx) => ({ newest: newestUlid(tx), jumps: clockJumps(tx, now - doubtfulMs) }));
    if (newest !== null && isUlid(newest)) continueUlids(newest, now);
    for (const jump of jumps) noteJump(jump, Math.max(0, now - jump.after));
  } catch (error) {
    // A damaged page keeps nobody from what can be read; whoever needs it is told.
    if (!isStorageRefusal(error)) throw error;
  }
}

function openDesk(config: Config, membership: Membership | null, known: readonly Migration[]): DataDirectory {
  if (config.HELPDESK_LITEFS_DIR !== null && membership === null) {
    throw new DataDirectoryError(
      'This works on a data directory of one machine, not on a database in HELPDESK_LITEFS_DIR (docs/cluster.md).',
    );
  }
  const path = resolve(config.HELPDESK_DATA);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DataDirectoryError(
      `The data directory ${path} cannot be made: ${error instanceof Error ? error.message : 'unknown error'}`,
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
      `${path} is not a data directory of a helpdesk: it has ${foreign[0]} in it. Name an empty directory with --data.`,
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
  /** Only what the ledger no longer has: a step that failed has erased nothing. What a crash leaves here, the sweep finds. */
  async function removeErasedMail(ulids: string[]) {
    const kept = desk.read((tx) => knownInboundMail(tx, ulids));
    for (const ulid of ulids) if (!kept.has(ulid)) await data.mailBlobs.remove(ulid);
  }
  /** A crash before this is done leaves the notes, and it is done later. */
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
  /** What a stop cuts short is taken up again at the next look. */
  async function finishErasures() {
    const ctx = () => desk.context({ kind: 'desk' }, 'erasure');
    while (!isClosing && desk.read((tx) => erasureUnderWay(tx)) !== null) {
      await desk.write((tx) => continueErasure(tx, ctx()));
      // Requests that have arrived meanwhile go first.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  let removing: Promise<void> = Promise.resolve();
  /** One after the other, and never beyond the end. */
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
    // Before the erasure is answered: the answer leaves when this has returned.
    const erased = desk.takeErased();
    if (erased === null) return;
    keepErasures();
    removeErased(erased, desk.takeErasedFiles()).catch((error) => data.onFault(error));
  });
  const notes = [
    restored === null
      ? null
      : `A restore that had been cut short was completed; what lay there before is in ${restored}.`,
    recovered,
    settled,
    upgraded,
  ].filter((note) => note !== null);
  // Tombstones of before the upgrade learn what they can while their sites are here.
  if (isLocal && upgraded !== null) noteErasures(path, desk);
  // A database that came from elsewhere may be older than an erasure.
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
