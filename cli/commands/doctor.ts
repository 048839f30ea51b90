// helpdesk doctor: looks at a data directory, beside a running desk or without one, and mends only when told to.

import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { type Config, ConfigError, describeConfig } from '../../src/base/config.ts';
import { bucketFilesOf, isThere } from '../../src/data/directory.ts';
import type { Examination } from '../../src/data/doctor/examine.ts';
import { areas, type Finding } from '../../src/data/doctor/findings.ts';
import { addCommand, show } from '../command.ts';
import { type CommonOptions, configOf, tellFileFault, UnsoundError, UsageError } from '../opened-desk.ts';
import { createProgress, inBytes } from '../output/progress.ts';
import { bold, plain } from '../output/text.ts';

interface Flags extends CommonOptions {
  fix?: boolean;
}

/** The configuration, or why there is none, and the directory that either names. */
function settingsOf(flags: Flags): { path: string; config: Config | null; configFault: string | null } {
  try {
    const config = configOf(flags);
    return { path: resolve(config.HELPDESK_DATA), config, configFault: null };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const named = flags.data ?? describeConfig().find(({ name }) => name === 'HELPDESK_DATA')?.value ?? './data';
    return { path: resolve(named), config: null, configFault: error.message };
  }
}

function describe(finding: Finding): string {
  const { level, meaning, count, mended, canMend, examples } = finding;
  const state = mended === count ? 'mended' : level;
  const fix = canMend && mended < count ? ' (--fix mends it)' : '';
  const many = count > 1 ? ` (${count})` : '';
  const more = count > examples.length && examples.length > 0 ? ['…'] : [];
  return [
    `  ${state}: ${meaning}${many}${fix}.`,
    ...[...examples, ...more].map((example) => `    ${plain(example)}`),
  ].join('\n');
}

function describeAll({ findings, areasLookedAt }: Examination): string {
  return areas
    .map((area) => {
      const own = findings.filter((finding) => finding.area === area);
      const state = areasLookedAt.includes(area) ? 'sound' : 'could not be looked at';
      return own.length === 0 ? `${bold(area)}: ${state}` : [bold(area), ...own.map(describe)].join('\n');
    })
    .join('\n');
}

export function doctorCommands(program: Command): void {
  addCommand(
    program,
    'doctor',
    'look whether everything in the data directory is sound; exit code 1 where something is wrong',
    'helpdesk doctor --fix',
  )
    .option('--fix', 'mend what can be mended: index, counters, permissions, files that belong to nothing')
    .action(async (flags: Flags) => {
      const settings = settingsOf(flags);
      const { path } = settings;
      if ((settings.config?.HELPDESK_LITEFS_DIR ?? null) !== null)
        throw new UsageError(
          'This looks at the directory of one machine: give it a copy, and unset HELPDESK_LITEFS_DIR.',
        );
      if (!['helpdesk.db', 'secret.key', 'attachments'].some((name) => isThere(join(path, name))))
        throw new UsageError(`There is no desk in ${path}; name its directory with --data.`);
      const progress = createProgress('Looking');
      const { examine } = await import('../../src/data/doctor/examine.ts');
      const bucket = settings.config === null ? null : bucketFilesOf(settings.config, tellFileFault);
      const result = await examine({
        ...settings,
        bucket,
        isFixing: flags.fix ?? false,
        onProgress: (share) => progress.show(share),
      }).finally(progress.end);
      const { isSound, findings, tickets, events, files, bytes } = result;
      const wrong = findings.filter(({ level, count, mended }) => level === 'wrong' && mended < count);
      show(flags, {
        json: {
          data: {
            is_sound: isSound,
            findings: findings.map(({ canMend, ...finding }) => ({ ...finding, can_mend: canMend })),
            areas_looked_at: result.areasLookedAt,
            looked_at: { tickets, events, files, bytes },
          },
        },
        text: () => {
          const looked = `Looked at ${tickets} tickets, ${events} events and ${files} files (${inBytes(bytes)}).`;
          if (isSound) return `${describeAll(result)}\n\n${looked} Nothing is wrong.`;
          const fixable = wrong.some(({ canMend }) => canMend && !flags.fix) ? ' Repeat it with --fix.' : '';
          return `${describeAll(result)}\n\n${looked} ${wrong.length === 1 ? 'One thing is' : `${wrong.length} things are`} wrong.${fixable}`;
        },
      });
      if (!isSound) throw new UnsoundError();
    });
}
