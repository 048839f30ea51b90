// helpdesk site export-settings and import-settings: a site's settings as YAML, to be kept in version control.

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { asBackupError } from '../../src/data/errors.ts';
import { exportSettings, importWanted, type PlannedChange, planIn } from '../../src/desk/transfer/settings-file.ts';
import { readSettingsFile, type SettingsFile } from '../../src/domain/input/settings-file.ts';
import { fromYaml, toYaml } from '../../src/domain/input/settings-yaml.ts';
import { addCommand, type CommonOptions, show } from '../command.ts';
import { UsageError } from '../errors.ts';
import { withDesk } from '../opened-desk.ts';
import { bold, plain, shorten } from '../output/text.ts';

const mostYamlBytes = 4 * 1024 * 1024;

export function addSettingsFile(group: Command): void {
  addCommand(
    group,
    'export-settings <site>',
    'write the settings of a site as YAML, without secrets',
    'helpdesk site export-settings web-shop --file web-shop.yaml',
  )
    .option('--file <file>', 'write to this file (default: standard output)')
    .action(runExport);
  addCommand(
    group,
    'import-settings <site> <file>',
    'show what a file of settings would change, or change it; what the file does not name stays as it is',
    'helpdesk site import-settings web-shop web-shop.yaml --apply',
  )
    .option('--apply', 'change it (default: only show the plan)')
    .action(runImport);
}

function runExport(site: string, flags: CommonOptions & { file?: string }): Promise<void> {
  return withDesk(flags, (opened) => {
    const settings = opened.read((tx) => exportSettings(tx, opened.ctx(), site));
    const { file } = flags;
    if (file !== undefined) writeTo(file, toYaml(settings));
    const said =
      file === undefined ? toYaml(settings).trimEnd() : `The settings of ${plain(site)} are in ${plain(file)}.`;
    show(flags, { json: { data: settings }, text: () => said });
  });
}

function writeTo(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    const ofDisk = asBackupError(error, file, 'nothing was exported');
    throw ofDisk === error ? new UsageError(`${plain(file)} cannot be written.`) : ofDisk;
  }
}

async function runImport(site: string, path: string, flags: CommonOptions & { apply?: boolean }): Promise<void> {
  const file = readSettingsFile(fromYaml(textOf(path)));
  await withDesk(flags, async (opened) => {
    const plan = await opened
      .write((tx, ctx) => importWanted(tx, ctx, site, file, () => flags.apply === true))
      .catch(planIn);
    const isApplied = flags.apply === true && plan.length > 0;
    show(flags, {
      json: { data: plan, meta: { applied: isApplied } },
      text: () => [...plan.map(describe), summary(plan, file, isApplied)].join('\n'),
    });
  });
}

function textOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true) throw new UsageError(`${path} is not a file.`);
  if (found.size > mostYamlBytes) throw new UsageError(`${path} has more than ${mostYamlBytes / 1024 / 1024} MB.`);
  return readFileSync(path, 'utf8');
}

function describe({ change, section, name, field, from, to }: PlannedChange): string {
  const what = [section, name, field].filter((part) => part !== null).map(plain);
  const shown = (value: unknown) => shorten(plain(JSON.stringify(value)), 100);
  return change === 'added'
    ? `${bold('+')} ${what.join(' ')}: ${shown(to)}`
    : `${bold('~')} ${what.join(' ')}: ${shown(from)} → ${shown(to)}`;
}

function summary(
  plan: readonly PlannedChange[],
  { webhook_channels: channels = [] }: SettingsFile,
  isApplied: boolean,
) {
  if (plan.length === 0) return 'The site has these settings already. Nothing was changed.';
  const added = plan.filter(({ change }) => change === 'added').length;
  const counts = `${added} added, ${plan.length - added} changed.`;
  if (!isApplied) return `${counts} This is only the plan: add --apply to change it.`;
  const isWaiting =
    channels.length > 0 && plan.some(({ change, section }) => change === 'added' && section === 'webhook_channels');
  return isWaiting ? `${counts} Set the address of each new channel, then enable it.` : counts;
}
