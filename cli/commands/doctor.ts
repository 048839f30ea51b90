// helpdesk doctor: checks a data directory, with or without a running desk, and repairs it with --fix.

import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { type Config, ConfigError, describeConfig } from '../../src/base/config.ts';
import { giveWay } from '../../src/base/process.ts';
import type { Examination } from '../../src/data/doctor/examine.ts';
import type { Finding } from '../../src/data/doctor/findings.ts';
import { databaseName, isThere, keyName } from '../../src/data/layout.ts';
import { areas, type FindingCode, fixable } from '../../src/domain/findings.ts';
import { addCommand, type CommonOptions, show } from '../command.ts';
import { UnsoundError, UsageError } from '../errors.ts';
import { configOf } from '../flags.ts';
import { printFileFault } from '../opened-desk.ts';
import { createProgress, inBytes } from '../output/progress.ts';
import { bold, plain } from '../output/text.ts';

interface Flags extends CommonOptions {
  fix?: boolean;
  only?: readonly FindingCode[];
}

/** The configuration, or what is wrong with it; the directory is known in both cases. */
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

const isSet = (name: string) => (describeConfig().find((one) => one.name === name)?.value ?? '') !== '';

// Imported only for clusters, so that other machines start faster.
async function replicatedOf(config: Config | null, isFixing: boolean) {
  if (config === null || config.HELPDESK_LITEFS_DIR === null) return null;
  const { examinedDatabase } = await import('../examined-database.ts');
  return await examinedDatabase(config, isFixing);
}

function codesIn(text: string): FindingCode[] {
  return text.split(',').map((word) => {
    const code = fixable.find((one) => one === word.trim());
    if (code === undefined) throw new UsageError(`--fix repairs no "${word}", only: ${fixable.join(', ')}.`);
    return code;
  });
}

function describe(finding: Finding): string {
  const { level, meaning, count, fixed, canFix, run, examples } = finding;
  const state = fixed === count ? 'fixed' : level;
  const fix = canFix && fixed < count ? ' (--fix repairs it)' : '';
  const many = count > 1 ? ` (${count})` : '';
  const more = count > examples.length && examples.length > 0 ? ['…'] : [];
  return [
    `  ${state}: ${meaning}${many}${fix}.`,
    ...[...examples, ...more].map((example) => `    ${plain(example)}`),
    ...(run === null ? [] : [`    Run: ${run}`]),
  ].join('\n');
}

function describeAll({ findings, areasChecked }: Examination): string {
  return areas
    .map((area) => {
      const own = findings.filter((finding) => finding.area === area);
      const state = areasChecked.includes(area) ? 'ok' : 'could not be checked';
      return own.length === 0 ? `${bold(area)}: ${state}` : [bold(area), ...own.map(describe)].join('\n');
    })
    .join('\n');
}

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

export function doctorCommands(program: Command): void {
  addCommand(
    program,
    'doctor',
    'check the data directory; the exit code is 1 if something is wrong',
    'helpdesk doctor --fix',
  )
    .option('--fix', 'repair what can be repaired: search index, counters, permissions, leftover files')
    .option('--only <findings>', 'with --fix: repair only these findings, by their codes of --json', codesIn)
    .action(async (flags: Flags) => {
      if (flags.only !== undefined && !flags.fix) throw new UsageError('--only needs --fix.');
      const settings = settingsOf(flags);
      const { path } = settings;
      // The database of a cluster is not in the directory, and with a wrong setting nothing says where it is.
      if (settings.config === null && isSet('HELPDESK_LITEFS_DIR')) throw new UsageError(settings.configFault ?? '');
      const replicated = await replicatedOf(settings.config, flags.fix ?? false);
      if (replicated === null && ![databaseName, keyName, 'attachments'].some((name) => isThere(join(path, name))))
        throw new UsageError(`There is no desk in ${path}. Name its directory with --data.`);
      const isPolite = flags.fix !== true;
      if (isPolite && replicated === null) giveWay();
      const progress = createProgress('Checking');
      const { examine } = await import('../../src/data/doctor/examine.ts');
      const { createDns } = await import('../../src/net/dns-records.ts');
      const result = await examine({
        ...settings,
        askDns: createDns(),
        onFileFault: printFileFault,
        replicated,
        onCopied: () => isPolite && giveWay(),
        isFixing: flags.fix ?? false,
        only: flags.only,
        onProgress: (share) => progress.show(share),
      }).finally(() => {
        progress.end();
        replicated?.stop();
      });
      const { isSound, findings, tickets, events, files, bytes } = result;
      const wrong = findings.filter(({ level, count, fixed }) => level === 'wrong' && fixed < count);
      show(flags, {
        json: {
          data: {
            is_sound: isSound,
            findings: findings.map(({ canFix, ...finding }) => ({ ...finding, can_fix: canFix })),
            areas_checked: result.areasChecked,
            checked: { tickets, events, files, bytes },
          },
        },
        text: () => {
          const read = `${counted(tickets, 'ticket')}, ${counted(events, 'event')} and ${counted(files, 'file')}`;
          const checked = `Checked ${read} (${inBytes(bytes)}).`;
          if (isSound) return `${describeAll(result)}\n\n${checked} Nothing is wrong.`;
          const fixable = wrong.some(({ canFix }) => canFix && !flags.fix)
            ? ' Run it again with --fix to repair what it can.'
            : '';
          return `${describeAll(result)}\n\n${checked} ${wrong.length === 1 ? 'One thing is' : `${wrong.length} things are`} wrong.${fixable}`;
        },
      });
      if (!isSound) throw new UnsoundError();
    });
}
