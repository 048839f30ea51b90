// helpdesk backup and restore.

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { migrations } from '../../migrations/index.ts';
import { toWire } from '../../src/base/clock.ts';
import type { Config } from '../../src/base/config.ts';
import { giveWay } from '../../src/base/process.ts';
import { openDataDirectory } from '../../src/data/directory.ts';
import type { RestoredMoment } from '../../src/data/restore-moment.ts';
import { noteBackup, noteRestore } from '../../src/desk/audited-work.ts';
import type { Context } from '../../src/desk/context.ts';
import { tellOnce } from '../../src/desk/notifications/notify.ts';
import type { Tx } from '../../src/engine/database.ts';
import { addCommand, type CommonOptions, show } from '../command.ts';
import { UnsoundError, UsageError } from '../errors.ts';
import { configOf, momentOf } from '../flags.ts';
import { noteIfPossible, withDesk } from '../opened-desk.ts';
import { createProgress, inBytes } from '../output/progress.ts';
import { plain } from '../output/text.ts';

export function backupCommands(program: Command): void {
  addBackup(program);
  addRestore(program);
}

function addBackup(program: Command): void {
  addCommand(
    program,
    'backup <destination>',
    'copy everything to a directory or a .tar.zst file and check the copy; the desk can keep running',
    'helpdesk backup backups-disk/desk-2026-11-21.tar.zst',
  ).action(async (destination: string, options: CommonOptions) => {
    giveWay();
    const progress = createProgress('Backing up');
    const { createBackup } = await import('../../src/data/backup.ts');
    const made = await withDesk(
      options,
      async ({ data }) => {
        const created = await createBackup(data, destination, (share, what) => progress.show(share, what))
          .finally(progress.end)
          .catch(async (error) => {
            const tell = (tx: Tx, ctx: Context) => tellOnce(tx, ctx, 'backup_failed', null);
            await noteIfPossible(data, tell, 'The owners are not notified');
            throw error;
          });
        const { path, description } = created;
        await noteIfPossible(data, (tx, ctx) => noteBackup(tx, ctx, { path, bytes: description.bytes }));
        return created;
      },
      { readsLong: true },
    );
    const { path, description, unnoted } = made;
    const { created_at, schema, rows, files, bytes, unsound } = description;
    show(options, {
      json: { data: { path, created_at, schema, rows, files, bytes, unsound } },
      text: () =>
        [
          `${path} contains everything up to ${created_at}: ${rows.tickets ?? 0} tickets, ${files} files, ${inBytes(bytes)}.`,
          'The copy was read back and is complete.',
        ].join('\n'),
    });
    if (unnoted !== null) process.stderr.write(`${plain(unnoted)}\n`);
    if (unsound.length === 0) return;
    process.stderr.write(
      `${unsound.map((one) => plain(one)).join('\n')}\nThese are missing or damaged in the desk itself; everything else was saved. Run \`helpdesk doctor\` for details.\n`,
    );
    throw new UnsoundError();
  });
}

type RestoreOptions = CommonOptions & { force?: boolean; at?: string; test?: boolean };

async function test(config: Config, given: string | undefined, options: RestoreOptions): Promise<void> {
  if (given === undefined || options.at !== undefined || options.force)
    throw new UsageError('--test takes a backup, and neither --at nor --force.');
  giveWay();
  const { testRestore } = await import('../../src/data/test-restore.ts');
  const progress = createProgress('Testing');
  const { description, seconds } = await testRestore(config, given, migrations.at(-1)?.version ?? 0, (share, what) =>
    progress.show(share, what),
  ).finally(progress.end);
  const { created_at, rows, files } = description;
  const tickets = rows.tickets ?? 0;
  show(options, {
    json: { data: { created_at, tickets, files, seconds } },
    text: () =>
      `${resolve(given)} can be restored: everything up to ${created_at}, ${tickets} tickets, ${files} files. It took ${seconds} s.`,
  });
}

function addRestore(program: Command): void {
  addCommand(
    program,
    'restore [source]',
    'restore a backup, a copied data directory or a snapshot into an empty data directory, or go back in time with --at',
    'helpdesk restore backups-disk/desk-2026-11-21.tar.zst --data /var/lib/helpdesk',
  )
    .option('--force', 'first move the current contents of the data directory into its backups/ folder')
    .option(
      '--at <time>',
      'restore the state at this time (2026-11-21T09:30:00Z, or 90m for 90 minutes ago); without a source, take this desk back to it',
    )
    .option('--test', 'only prove that the backup can be restored: unpack it beside the desk, check it, remove it')
    .action(async (given: string | undefined, options: RestoreOptions) => {
      const config = configOf(options);
      if (options.test) return await test(config, given, options);
      const at = options.at === undefined ? null : momentOf(options.at, '--at', -1);
      if (given === undefined && at === null)
        throw new UsageError('Name what to restore, or give a time with --at to take this desk back to it.');
      const { BackupError } = await import('../../src/data/errors.ts');
      if (config.HELPDESK_LITEFS_DIR !== null)
        throw new BackupError(
          'With LiteFS, restore into another directory and load its database with `litefs import` (docs/cluster.md).',
        );
      const progress = createProgress('Restoring');
      const { restore } = await import('../../src/data/restore.ts');
      const data = resolve(config.HELPDESK_DATA);
      const done = await restore(
        data,
        given ?? data,
        {
          at,
          isForced: options.force ?? false,
          hasKey: config.HELPDESK_SECRET_KEY !== null,
          hasBucket: config.HELPDESK_S3_BUCKET !== null,
          newestSchema: migrations.at(-1)?.version ?? 0,
        },
        (share, what) => progress.show(share, what),
      ).finally(progress.end);
      // Opening it is part of the check, and erases again the people who were erased since the backup.
      const opened = openDataDirectory(config);
      const { kind, description, recovered, moment, replaced } = done;
      const createdAt = moment === null ? (description?.created_at ?? null) : toWire(moment.at);
      const erasedAgain = await opened.erasedAgain
        .then(async (erased) => {
          await noteIfPossible(opened, (tx, ctx) => noteRestore(tx, ctx, { kind, createdAt }));
          return erased;
        })
        .finally(() => opened.close());
      const notes = [recovered, opened.recovered].filter((note) => note !== null);
      show(options, {
        json: {
          data: {
            path: data,
            kind,
            created_at: description?.created_at ?? null,
            rows: description?.rows ?? null,
            moment: moment === null ? null : { ...moment, at: toWire(moment.at) },
            unsound: description?.unsound ?? moment?.missing ?? [],
            notes,
            erased_again: erasedAgain,
            replaced,
          },
        },
        text: () =>
          [
            moment !== null
              ? momentText(data, moment)
              : description === null
                ? `${data} was restored from a ${kind}.`
                : `${data} contains everything up to ${description.created_at}: ${description.rows.tickets ?? 0} tickets, ${description.files} files.`,
            ...notes,
            ...(erasedAgain > 0
              ? [
                  `Erased again: ${erasedAgain} ${erasedAgain === 1 ? 'person who was' : 'people who were'} erased since the backup.`,
                ]
              : []),
            ...(description?.unsound ?? []).map((one) => plain(one)),
            ...(replaced === null
              ? []
              : [`The previous contents are in ${replaced}. Remove them when you no longer need them.`]),
            'Start the desk with: helpdesk serve',
          ].join('\n'),
      });
    });
}

function momentText(data: string, { at, lost, missing }: RestoredMoment): string {
  const rows = (total: number, what: string) => `${total} ${total === 1 ? what : `${what}s`}`;
  const after =
    lost === null
      ? 'The changes after that could not be counted.'
      : lost.commits === 0
        ? 'There were no changes after that.'
        : `Left out, because they came later: ${rows(lost.commits, 'commit')} with ${rows(lost.tickets, 'ticket')}, ${rows(lost.messages, 'message')} and ${rows(lost.events, 'event')}.`;
  const gone =
    missing.length === 0
      ? []
      : [
          `Missing, because they were removed since: ${rows(missing.length, 'file')}: ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ' …' : ''}`,
        ];
  return [
    `${data} is now as it was at ${toWire(at)}, the last commit at or before the requested time.`,
    after,
    ...gone,
  ].join('\n');
}
