// Foreign tools read the OpenAPI document: a linter finds no error, and clients are generated and compile. Their packages
// are not the project's own: they are installed apart, without running what they would run.

import { beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builds } from '../../scripts/builds.ts';
import { allOperations } from '../../src/http/operations.ts';
import { openApiDocument } from '../../src/http/wire/openapi.ts';
import { temporaryFolder } from '../support/folders.ts';
import { startProgram } from '../support/programs.ts';

const folder = temporaryFolder();
const document = join(folder, 'openapi.json');
const node = join(builds.node.programs[0] ?? '', 'node');
const silent = { REDOCLY_TELEMETRY: 'off', SCARF_ANALYTICS: 'false', DO_NOT_TRACK: '1', CI: 'true' };

async function run(cwd: string, ...command: string[]) {
  const program = startProgram(['sh', '-c', 'cd "$0" && exec "$@"', cwd, ...command], silent);
  const [{ code }, output, errors] = await Promise.all([program.ended, program.output, program.errors]);
  return { code, output, errors };
}

async function succeed(cwd: string, ...command: string[]): Promise<string> {
  const { code, output, errors } = await run(cwd, ...command);
  expect(code, `${command.join(' ')}\n${output}\n${errors}`).toBe(0);
  return output;
}

function binary(name: string, command: string): string {
  const home = join(folder, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  return join(home, typeof bin === 'string' ? bin : bin[command]);
}

beforeAll(async () => {
  for (const name of ['package.json', 'bun.lock']) cpSync(join(import.meta.dir, name), join(folder, name));
  await succeed(folder, process.execPath, 'install', '--frozen-lockfile', '--ignore-scripts', '--silent');
  const operations = await allOperations({ next: () => Promise.resolve(), close: () => undefined }, 'http://x');
  writeFileSync(document, JSON.stringify(openApiDocument(operations, 'https://desk.example.org')));
}, 300_000);

test('redocly finds no error, and warns only of what is meant: answers that send a browser elsewhere, and one pair of paths', async () => {
  const { output } = await run(folder, node, binary('@redocly/cli', 'redocly'), 'lint', document, '--format=json');
  const problems: { severity: string; ruleId: string; location: { pointer: string }[] }[] = JSON.parse(output).problems;
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(problems.map(({ ruleId, location }) => [ruleId, location[0]?.pointer])).toEqual([
    // No saved report has the id `tickets`.
    ['no-ambiguous-paths', '#/paths/~1api~1v1~1reports~1{name}~1tickets'],
    ['operation-2xx-response', '#/paths/~1api~1v1~1unsubscribe~1{token}/get/responses'],
    ['operation-2xx-response', '#/paths/~1api~1v1~1mailbox-consents/get/responses'],
    ['operation-2xx-response', '#/paths/~1api~1v1~1mailbox-consents~1return/get/responses'],
    ['operation-2xx-response', '#/paths/~1api~1v1~1auth~1oidc/get/responses'],
    ['operation-2xx-response', '#/paths/~1api~1v1~1auth~1oidc~1callback/get/responses'],
  ]);
});

/** What a program would do with the client: it compiles only if the types say what the desk takes and answers. */
const uses = {
  'openapi-typescript': `
    import type { components, operations, webhooks } from './client.ts';
    type Answer<Name extends 'listTickets' | 'updateTicket'> = operations[Name]['responses'][200]['content']['application/json'];
    type Assigned = webhooks['ticket.assigned']['post']['requestBody']['content']['application/json'];
    export const query: operations['listTickets']['parameters']['query'] = { unassigned: true, site_id: 1, status: ['open'] };
    export const weekly: components['schemas']['WeeklyHours'] = { mon: [['09:00', '12:30']] };
    export const sla = ({ data }: Answer<'updateTicket'>): components['schemas']['SlaState'] => data.sla;
    export const siteId = ({ data }: Answer<'listTickets'>): number | undefined => data[0]?.site_id;
    export const assignee = ({ metadata }: Assigned): string | null => metadata.assignee;`,
  'hey-api': `
    import { listTickets, replyAsCustomer, type TicketAssignedWebhook, updateTicket, type WeeklyHours } from './client/index.ts';
    export const weekly: WeeklyHours = { mon: [['09:00', '12:30']] };
    export const assignee = ({ metadata }: TicketAssignedWebhook): string | null => metadata.assignee;
    export async function use(): Promise<(string | number | undefined)[]> {
      const listed = await listTickets({ query: { unassigned: true, site_id: 1, status: ['open'] } });
      const changed = await updateTicket({ path: { ticket: '1' }, body: { status: 'open' } });
      const said = await replyAsCustomer({ path: { ulid: 'x' }, query: { access_token: 'y' }, body: { body: 'z' } });
      return [listed.data?.data[0]?.site_id, changed.data?.data.subject, said.data?.reply.author_name, changed.error?.message];
    }`,
  orval: `
    import { listTickets, updateTicket } from './client.ts';
    import type { TicketAssignedWebhook, WeeklyHours } from './model/index.ts';
    export const weekly: WeeklyHours = { mon: [['09:00', '12:30']] };
    export const assignee = ({ metadata }: TicketAssignedWebhook): string | null => metadata.assignee;
    export async function use(): Promise<(string | number | undefined)[]> {
      const listed = await listTickets({ unassigned: true, site_id: 1, status: ['open'] });
      const changed = await updateTicket('1', { status: 'open' });
      if (listed.status !== 200 || changed.status !== 200) return [];
      return [listed.data.data[0]?.site_id, changed.data.data.subject];
    }`,
};

const compiling = [
  ...['--noEmit', '--strict', '--skipLibCheck', '--target', 'esnext', '--module', 'preserve'],
  ...['--moduleResolution', 'bundler', '--allowImportingTsExtensions', '--lib', 'esnext,dom,dom.iterable'],
];

describe('a client compiles that was generated by', () => {
  const generate: Record<string, { use: string; with(place: string): Promise<string> }> = {
    'openapi-typescript': {
      use: uses['openapi-typescript'],
      with: (place) =>
        succeed(place, node, binary('openapi-typescript', 'openapi-typescript'), document, '-o', 'client.ts'),
    },
    'hey-api': {
      use: uses['hey-api'],
      with: (place) =>
        succeed(place, node, binary('@hey-api/openapi-ts', 'openapi-ts'), '-i', document, '-o', 'client'),
    },
    ...Object.fromEntries(
      ['orval-7', 'orval-8'].map((name) => [
        name,
        {
          use: uses.orval,
          with(place: string) {
            const output = { target: './client.ts', schemas: './model', client: 'fetch', mode: 'single' };
            const config = { desk: { input: document, output } };
            writeFileSync(join(place, 'orval.config.mjs'), `export default ${JSON.stringify(config)};`);
            return succeed(place, node, binary(name, 'orval'), '--config', 'orval.config.mjs');
          },
        },
      ]),
    ),
  };

  test.each(Object.keys(generate))(
    '%s',
    async (name) => {
      const place = join(folder, name);
      mkdirSync(place);
      await generate[name]?.with(place);
      writeFileSync(join(place, 'use.ts'), generate[name]?.use ?? '');
      await succeed(place, node, binary('typescript', 'tsc'), ...compiling, 'use.ts');
    },
    300_000,
  );
});
