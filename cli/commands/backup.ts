// helpdesk backup and restore: a proven copy of everything, and back.

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { migrations } from '../../migrations/index.ts';
import { toWire } from '../../src/base/clock.ts';
import { openDataDirectory } from '../../src/data/directory.ts';
import type { RestoredMoment } from '../../src/data/restore-moment.ts';
import { addCommand, show } from '../command.ts';
import { type CommonOptions, configOf, momentOf, UnsoundError, UsageError, withDesk } from '../opened-desk.ts';
import { createProgress, inBytes } from '../output/progress.ts';
import { plain } from '../output/text.ts';

export function backupCommands(program: Command): void {
  addCommand(
    program,
    'backup <destination>',
    'copy everything to a directory or a .tar.zst file, beside a running desk, and read it back',
    'helpdesk backup backups-disk/desk-2026-11-21.tar.zst',
  ).action(async (destination: string, options: CommonOptions) => {
    const progress = createProgress('Backing up');
    const { createBackup } = await import('../../src/data/backup.ts');
    const made = await withDesk(options, ({ data }) =>
      createBackup(data, destination, (share, what) => progress.show(share, what)).finally(progress.end),
    );
    const { path, description, unnoted } = made;
    const { created_at, schema, rows, files, bytes, unsound } = description;
    show(options, {
      json: { data: { path, created_at, schema, rows, files, bytes, unsound } },
      text: () =>
        [
          `${path} holds everything as of ${created_at}: ${rows.tickets ?? 0} tickets, ${files} files, ${inBytes(bytes)}.`,
          'It was read back and is sound.',
        ].join('\n'),
    });
    if (unnoted !== null) process.stderr.write(`${plain(unnoted)}\n`);
    if (unsound.length === 0) return;
    process.stderr.write(
      `${unsound.map((one) => plain(one)).join('\n')}\nThe desk itself lacks these; the rest was saved. \`helpdesk doctor\` says more.\n`,
    );
    throw new UnsoundError();
  });

  addCommand(
    program,
    'restore [source]',
    'put back a backup, a copied data directory or a snapshot, into an empty data directory; or go back in time with --at',
    'helpdesk restore backups-disk/desk-2026-11-21.tar.zst --data /var/lib/helpdesk',
  )
    .option('--force', 'put what is in the data directory out of the way first, into its backups/ folder')
    .option(
      '--at <time>',
      'the last commit at or before this time (2026-11-21T09:30:00Z, or 90m for 90 minutes ago); without a source, of this desk itself',
    )
    .action(async (given: string | undefined, options: CommonOptions & { force?: boolean; at?: string }) => {
      const config = configOf(options);
      const at = options.at === undefined ? null : momentOf(options.at, '--at', -1);
      if (given === undefined && at === null)
        throw new UsageError('Name what to restore, or a time with --at to take this desk back to it.');
      const { BackupError } = await import('../../src/data/errors.ts');
      if (config.HELPDESK_LITEFS_DIR !== null)
        throw new BackupError(
          'With LiteFS the database is put back by `litefs import` (docs/cluster.md); restore into a directory of its own first.',
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
      // That it opens is part of the proof; whoever was erased since is erased again.
      const opened = openDataDirectory(config);
      const erasedAgain = await opened.erasedAgain.finally(() => opened.close());
      const { kind, description, recovered, moment, replaced } = done;
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
                : `${data} holds everything as of ${description.created_at}: ${description.rows.tickets ?? 0} tickets, ${description.files} files.`,
            ...notes,
            ...(erasedAgain > 0 ? [`${erasedAgain} people who had been erased since were erased again.`] : []),
            ...(description?.unsound ?? []).map((one) => plain(one)),
            ...(replaced === null
              ? []
              : [`What lay there before is in ${replaced}; remove it when you do not need it.`]),
            'Start it with: helpdesk serve',
          ].join('\n'),
      });
    });
}

function momentText(data: string, { at, lost, missing }: RestoredMoment): string {
  const rows = (total: number, what: string) => `${total} ${total === 1 ? what : `${what}s`}`;
  const after =
    lost === null
      ? 'What came after could not be counted.'
      : lost.commits === 0
        ? 'Nothing was committed after that.'
        : `Not in it is what came after: ${rows(lost.commits, 'commit')} with ${rows(lost.tickets, 'ticket')}, ${rows(lost.messages, 'message')} and ${rows(lost.events, 'event')}.`;
  const gone =
    missing.length === 0
      ? []
      : [
          `${rows(missing.length, 'file')} of then were removed since, and are missing: ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ' …' : ''}`,
        ];
  return [
    `${data} is as it was at ${toWire(at)}, its last commit at or before the time asked for.`,
    after,
    ...gone,
  ].join('\n');
}
