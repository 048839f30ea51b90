// helpdesk restore: checks everything, then moves it into place (docs/spec/behaviour.md#data-directory).

import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemClock, toWire } from '../base/clock.ts';
import { processName } from '../base/process.ts';
import { syncFolderNow } from '../base/sync-folder.ts';
import { isInUse } from '../engine/check-database.ts';
import { requireOwnFiles } from './check-names.ts';
import { erasuresIn } from './database-erasures.ts';
import { togetherErasures } from './erasures.ts';
import { asBackupError, BackupError } from './errors.ts';
import { finishRestore, stagingName, syncFile } from './finish-restore.ts';
import { databaseName, erasuresName, keyName } from './layout.ts';
import { findTarget } from './restore-moment.ts';
import { type OnProgress, type Restored, type RestoreSettings, unpack, unpackMoment } from './unpack.ts';

function isEmpty(data: string): boolean {
  return (
    !existsSync(data) ||
    readdirSync(data).every((name) => name === 'lost+found' || name === stagingName || name === '.DS_Store')
  );
}

/** @param from a backup, a copied data directory or a database; with a moment, also the data directory itself */
export async function restore(
  data: string,
  from: string,
  settings: RestoreSettings,
  onProgress: OnProgress = () => undefined,
): Promise<Restored> {
  const source = resolve(from);
  const at = settings.at ?? null;
  if (!existsSync(source)) throw new BackupError(`${source} does not exist.`);
  if (source === data && at === null) throw new BackupError('A directory can only be restored into itself with --at.');
  requireOwnFiles(data);
  if (statSync(source).isDirectory()) requireOwnFiles(source);
  // A pipe would wait for its other end.
  else if (!statSync(source).isFile()) throw new BackupError(`${source} is neither a file nor a directory.`);
  const target = at === null ? null : findTarget(source, at);
  if (!settings.isForced && !isEmpty(data))
    throw new BackupError(
      `${data} is not empty. Name an empty directory with --data, or use --force to move its contents out of the way.`,
    );
  const isUsed = existsSync(join(data, databaseName)) && isInUse(join(data, databaseName));
  if (isUsed) throw new BackupError(`A desk is running in ${data}; stop it first.`);
  if (isUsed === null)
    throw new BackupError(
      `Whether a desk is running in ${data} cannot be told: its file system has no hard links. Name an empty directory with --data.`,
    );
  mkdirSync(data, { recursive: true, mode: 0o700 });
  finishRestore(data, systemClock.now());
  const staging = join(data, stagingName);
  const fresh = join(staging, 'new');
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  writeFileSync(join(staging, 'owner'), processName);
  try {
    const known = [...new Set(at === null ? [data] : [data, source])].flatMap((one) =>
      erasuresIn(one, join(staging, 'known')),
    );
    const found =
      target === null
        ? await unpack(source, fresh, settings, onProgress)
        : unpackMoment(source, fresh, target, data, settings, onProgress);
    const own = join(data, erasuresName);
    const brought = join(fresh, erasuresName);
    const together = togetherErasures([own, brought], known);
    if (together !== '' || existsSync(own) || existsSync(brought)) writeFileSync(brought, together, { mode: 0o600 });
    if (!settings.hasKey && !existsSync(join(fresh, keyName)) && !existsSync(join(data, keyName)))
      throw new BackupError(
        'The backup has no secret.key, because its desk had the key in HELPDESK_SECRET_KEY. Set that for the restore too.',
      );
    if (found.kind !== 'database' && found.moment === null)
      for (const name of ['attachments', 'mail']) mkdirSync(join(fresh, name), { recursive: true, mode: 0o700 });
    syncFolderNow(fresh);
    writeFileSync(join(staging, 'ready'), `replaced-${toWire(systemClock.now()).replaceAll(/[-:.]/g, '')}\n`);
    syncFile(join(staging, 'ready'));
    syncFolderNow(staging);
    const replaced = finishRestore(data, systemClock.now());
    return { ...found, replaced };
  } catch (error) {
    if (!existsSync(join(staging, 'ready'))) rmSync(staging, { recursive: true, force: true });
    throw asBackupError(error, data, 'nothing was changed');
  }
}
