// Opens the desk in the data directory for one command, which may do everything.

import type { Config } from '../src/base/config.ts';
import { baseUrlOf } from '../src/data/desk-address.ts';
import { type DataDirectory, openDataDirectory } from '../src/data/directory.ts';
import { DataDirectoryError } from '../src/data/errors.ts';
import { isRestoring } from '../src/data/finish-restore.ts';
import { databasePathOf, isThere } from '../src/data/layout.ts';
import { hasHistory } from '../src/data/sound-snapshot.ts';
import type { Context } from '../src/desk/context.ts';
import type { Tx } from '../src/engine/database.ts';
import type { Sync } from '../src/engine/writer.ts';
import { createLinks, type Links } from '../src/files/links.ts';
import type { S3Fault } from '../src/files/s3-requests.ts';
import type { CommonOptions } from './command.ts';
import { UsageError } from './errors.ts';
import { configOf } from './flags.ts';
import { plain } from './output/text.ts';

export interface Opened {
  config: Config;
  data: DataDirectory;
  links: Links;
  /** What a person should know beside the answer. */
  warnings: string[];
  ctx(): Context;
  read<T>(act: (tx: Tx) => Sync<T>): T;
  write<T>(act: (tx: Tx, ctx: Context) => Sync<T>): Promise<T>;
}

/** Opening such a directory says what can be restored, or ends a restore that was interrupted. */
const isDeskWithoutDatabase = ({ HELPDESK_LITEFS_DIR, HELPDESK_DATA }: Config) =>
  HELPDESK_LITEFS_DIR === null && (hasHistory(HELPDESK_DATA) || isRestoring(HELPDESK_DATA));

/**
 * @param mayCreate whether to create a desk if there is none
 * @param readsLong on a replica, a long read would stop the replication, so only the primary may
 */
export async function withDesk<T>(
  options: CommonOptions,
  act: (opened: Opened) => Promise<T> | T,
  { mayCreate = false, readsLong = false }: { mayCreate?: boolean; readsLong?: boolean } = {},
): Promise<T> {
  const given = configOf(options);
  const cluster = given.HELPDESK_LITEFS_DIR === null ? null : await joinOthers(given);
  if (!mayCreate && !isThere(databasePathOf(given)) && !isDeskWithoutDatabase(given)) {
    cluster?.stop();
    throw new UsageError(
      `There is no desk in ${given.HELPDESK_LITEFS_DIR ?? given.HELPDESK_DATA}. Start one with \`helpdesk serve\`, or name its directory with --data.`,
    );
  }
  try {
    if (readsLong) cluster?.requirePrimary();
  } catch (error) {
    cluster?.stop();
    throw error;
  }
  const data = openDataDirectory(given, cluster);
  if (data.recovered !== null) process.stderr.write(`${data.recovered}\n`);
  data.onFileFault = printFileFault;
  data.onFault = (error) => process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  await data.erasedAgain;
  const { desk, addresses } = data;
  addresses.listenAt(baseUrlOf(given));
  const ctx = () => desk.context({ kind: 'command_line' }, 'cli');
  try {
    return await act({
      config: given,
      data,
      links: createLinks(desk.seal, addresses, given.HELPDESK_ATTACHMENT_URL_TTL),
      warnings: [],
      ctx,
      read: (reading) => desk.read(reading),
      write: (step) => {
        const context = ctx();
        return desk.write((tx) => step(tx, context));
      },
    });
  } finally {
    cluster?.stop();
    await data.close();
  }
}

/**
 * Notes what the command did. If that fails, says so and continues, because a copy may be needed most then.
 * @param failure the beginning of what it says then
 */
export async function noteIfPossible(
  data: DataDirectory,
  note: (tx: Tx, ctx: Context) => void,
  failure = 'This is not in the audit log',
): Promise<void> {
  const { desk } = data;
  try {
    await desk.write((tx) => {
      note(tx, desk.context({ kind: 'command_line' }, 'cli'));
      return null;
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${plain(`${failure}: ${why}`)}\n`);
  }
}

/** Prints the answer of an S3 store that refused a request. */
export function printFileFault({ method, bucket, key, status, code, message }: S3Fault): void {
  const answer = [status, code, message].filter((part) => part !== null && part !== '').join(' ');
  process.stderr.write(`${plain(`${method} ${key} in bucket ${bucket}: ${answer}`)}\n`);
}

// Imported only for clusters, so that other commands start faster.
async function joinOthers(config: Config) {
  const { silentLog } = await import('../src/base/log.ts');
  const { joinCluster } = await import('../src/cluster/membership.ts');
  const cluster = await joinCluster(config, databasePathOf(config), silentLog);
  if (cluster !== null && cluster.mount.identity() === null) {
    cluster.stop();
    throw new DataDirectoryError(cluster.whyNoDatabase('missing'));
  }
  return cluster;
}
