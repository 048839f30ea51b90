// The data directory: everything that a desk stores, opened and brought up to date.

import { resolve } from 'node:path';
import { migrations } from '../../migrations/index.ts';
import type { Migration } from '../../migrations/step.ts';
import { doubtfulMs, noteJump, systemClock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { diskFault } from '../base/disk.ts';
import { continueUlids } from '../base/ids.ts';
import type { Erasure } from '../desk/customers/erasure.ts';
import { createDesk, type Desk } from '../desk/desk.ts';
import { isUlid } from '../domain/ulid.ts';
import type { Store } from '../engine/database.ts';
import { isStorageRefusal } from '../engine/refusals.ts';
import type { Blobs } from '../files/blobs.ts';
import type { S3Fault } from '../files/s3-requests.ts';
import { clockJumps, newestUlid } from '../store/clock-jumps.ts';
import { type DeskSettings, readDeskSettings } from '../store/desk-settings.ts';
import { noteOrigin, placeOf } from './copied-directory.ts';
import { type LiveAddresses, liveAddresses } from './desk-address.ts';
import { type FilesOfDesk, filesOf, localFilesOf } from './desk-files.ts';
import { createErasureUpkeep } from './erasure-upkeep.ts';
import { applyErasures, knownErasures, noteErasures } from './erasures.ts';
import { DataDirectoryError } from './errors.ts';
import { databasePathOf } from './layout.ts';
import { openDatabase } from './open-database.ts';
import type { OtherMachines } from './other-machines.ts';
import { hasNamedBucket, livePlaces } from './own-bucket.ts';
import { prepareDirectory } from './prepare-directory.ts';
import { readOrCreateKey, requireOwnKey } from './secret-key.ts';

export interface DataDirectory {
  path: string;
  addresses: LiveAddresses;
  /** What an owner has changed, also with another process or machine. */
  takeUpSettings(): void;
  desk: Desk;
  blobs: Blobs;
  mailBlobs: Blobs;
  localFiles: FilesOfDesk;
  /** Its identity, which no copy has; null in a cluster. */
  place: string | null;
  isNew: boolean;
  /** The schemas that this executable knows. */
  known: readonly Migration[];
  recovered: string | null;
  erasedAgain: Promise<number>;
  erasures(): Erasure[];
  removeErased(): Promise<void>;
  /** Has the write-ahead log checked soon; the desk's own commits do so by themselves. */
  tend(): void;
  onFault: (error: unknown) => void;
  /** Receives the reason why the file store refused; the requester learns only that it did. */
  onFileFault: (fault: S3Fault) => void;
  close(): Promise<void>;
}

const tendEvery = 8;

export function openDataDirectory(
  config: Config,
  membership: OtherMachines | null = null,
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

function openDesk(config: Config, membership: OtherMachines | null, known: readonly Migration[]): DataDirectory {
  const { path, isNew, notes } = prepareDirectory(config, membership);
  const isLocal = membership === null;
  const seal = readOrCreateKey(path, config.HELPDESK_SECRET_KEY, isLocal);
  const { store, upgraded } = openDatabase(databasePathOf(config), config, path, membership, known, seal);
  try {
    requireOwnKey(store.reading, seal, path, config);
  } catch (error) {
    store.close();
    throw error;
  }
  if (isLocal) noteOrigin(path);
  const addresses = liveAddresses(config, readDeskSettings(store.reading));
  const scansFiles = config.HELPDESK_CLAMAV !== null;
  const hasMailServer = config.HELPDESK_SMTP_URL !== null;
  const desk = createDesk(store, seal, systemClock, addresses, scansFiles, hasMailServer);
  learnOfClock(desk);
  if (membership !== null) desk.writer.guard(membership.requirePrimary);
  const onFault = (error: unknown) => data.onFault(error);
  const place = isLocal ? placeOf(path) : null;
  const places = livePlaces({ config, path, place, onFault: (fault) => data.onFileFault(fault) }, desk);
  const localFiles = localFilesOf(path);
  const files = filesOf(localFiles, places.now, hasNamedBucket(config) ? null : membership);
  const tending = createTending(store, onFault);
  const erasures = createErasureUpkeep({ path, desk, files, isReplicated: !isLocal, onFault });
  let commits = 0;
  desk.writer.onCommit(() => {
    commits += 1;
    if (commits % tendEvery === 0) tending.tend();
    erasures.afterCommit();
    takeUpSettings();
  });
  let taken: DeskSettings | null = null;
  function takeUpSettings(): void {
    const settings = desk.read(readDeskSettings);
    // They are read again only when they may have changed.
    if (settings === taken) return;
    taken = settings;
    addresses.refresh(settings);
    places.refresh(settings);
  }
  if (upgraded !== null) notes.push(upgraded);
  // Complete older tombstones while their sites still exist.
  if (isLocal && upgraded !== null) noteErasures(path, desk);
  // A database from elsewhere may be older than an erasure.
  const erasedAgain = isLocal ? applyErasures(path, desk) : Promise.resolve(0);
  const data: DataDirectory = {
    onFault(error) {
      throw error;
    },
    onFileFault: () => undefined,
    path,
    addresses,
    takeUpSettings,
    desk,
    localFiles,
    place,
    blobs: files.attachments,
    mailBlobs: files.mail,
    isNew,
    known,
    recovered: notes.length === 0 ? null : notes.join(' '),
    erasedAgain,
    erasures: () => knownErasures(path, desk),
    removeErased: erasures.removeErased,
    tend: tending.tend,
    close: () => (closing ??= close()),
  };
  let closing: Promise<void> | null = null;
  async function close(): Promise<void> {
    await erasedAgain;
    await erasures.stop();
    await desk.writer.close();
    tending.end();
    await store.settled();
    store.close();
  }
  return data;
}

/** Tends the write-ahead log after the answers to a commit have left. */
function createTending(store: Store, onFault: (error: unknown) => void) {
  let isScheduled = false;
  let hasEnded = false;
  return {
    tend() {
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(() => {
        isScheduled = false;
        try {
          if (!hasEnded) store.tend();
        } catch (error) {
          onFault(error);
        }
      });
    },
    end() {
      hasEnded = true;
    },
  };
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
