// helpdesk config, openapi and version.

import type { Command } from 'commander';
import { describeConfig } from '../../src/base/config.ts';
import { version } from '../../src/base/version.ts';
import { addCommand, type CommonOptions, show } from '../command.ts';
import { configOf } from '../flags.ts';
import { table } from '../output/text.ts';

export function configurationCommands(program: Command): void {
  addCommand(
    program,
    'config',
    'list all settings with value, default and meaning; secrets are masked',
    'helpdesk config',
  ).action((flags: CommonOptions) => {
    configOf(flags);
    const described = describeConfig(flags.data === undefined ? {} : { HELPDESK_DATA: flags.data });
    show(flags, {
      json: {
        data: described.map((entry) => ({
          name: entry.name,
          value: entry.value,
          default: entry.default,
          is_set: entry.isSet,
          meaning: entry.meaning,
        })),
      },
      text: () =>
        table(
          ['variable', 'value', 'default', 'meaning'],
          described.map((entry) => [entry.name, entry.value, entry.default, entry.meaning]),
        ),
    });
  });
  addCommand(
    program,
    'openapi',
    'print the OpenAPI 3.1 description of the API',
    'helpdesk openapi > openapi.json',
  ).action(async (flags: CommonOptions) => {
    const config = configOf(flags);
    const { allOperations } = await import('../../src/http/operations.ts');
    const { openApiDocument } = await import('../../src/http/wire/openapi.ts');
    const { baseUrlOf } = await import('../../src/data/desk-address.ts');
    const baseUrl = baseUrlOf(config);
    const feed = { next: () => Promise.resolve(), close: () => undefined };
    process.stdout.write(`${JSON.stringify(openApiDocument(await allOperations(feed, baseUrl), baseUrl), null, 2)}\n`);
  });
  addCommand(program, 'version', 'print the version', 'helpdesk version').action((flags: CommonOptions) => {
    show(flags, { json: { data: { version } }, text: () => version });
  });
}
