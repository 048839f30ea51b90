// What the documents say must be true: settings, commands and paths.

import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandWords, createProgram } from '../cli/main.ts';
import { withEnvironment } from '../scripts/configuration.ts';
import { transferLine } from '../src/domain/input/transfer.ts';
import { allOperations } from '../src/http/operations.ts';
import { rooms } from './support/source-rules.ts';

const root = join(import.meta.dir, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

describe('the README', () => {
  test('says in one sentence what it is, and begins with the two commands that do everything', () => {
    expect(readme.split('\n')[0]).toBe('# Helpdesk');
    const [, first = ''] = readme.split('```sh\n');
    const [start = '', tests = ''] = first.split('\n');
    expect([start, tests]).toEqual([
      'npx -y bun@1.4.5 install && npx bun start',
      'npx -y bun@1.4.5 install && npx bun run test',
    ]);
    // As .ci/run finds it.
    expect(readme.split('\n').find((line) => line.endsWith('bun run test'))).toBe(tests);
  });

  test('leads to every page by docs/README.md', () => {
    const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
    const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
    expect(pages.filter((name) => !index.includes(`(${name}`))).toEqual([]);
  });
});

test('docs/configuration.md lists every environment variable with its default and meaning', () => {
  const configuration = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
  expect(configuration).toContain('`HELPDESK_DATA`');
  expect(withEnvironment(configuration)).toBe(configuration);
});

test('docs/export-format.md lists every type of line', () => {
  const page = readFileSync(join(root, 'docs/export-format.md'), 'utf8');
  const types = transferLine.options.map(({ shape }) => shape.type.value);
  expect(types).toContain('ticket');
  expect(types.filter((type) => !page.includes(`\`${type}\``))).toEqual([]);
});

test('docs/spec/cli.md lists every command', async () => {
  const page = readFileSync(join(root, 'docs/spec/cli.md'), 'utf8');
  const table = page.slice(page.indexOf('## Commands'), page.indexOf('## Exit codes')).split('\n');
  for (const word of commandWords()) expect(table.join('\n')).toContain(`\`${word}\``);
  const program = await createProgram(undefined);
  for (const { commands, name } of program.commands.map((group) => ({
    commands: group.commands,
    name: group.name(),
  }))) {
    const row = table.find((line) => line.split('|')[1]?.includes(`\`${name}\``)) ?? '';
    const words = row.split('|')[2]?.match(/[\w-]+/g) ?? [];
    expect(words, name).toEqual(expect.arrayContaining(commands.map((command) => command.name())));
  }
});

describe('docs/spec', () => {
  const shape = (path: string) => path.replace(/^\/api\/v1/, '').replace(/\{[^}]*\}/g, '{}');
  const catalogue =
    /^(\/sites\/\{\}\/)(?:priorities|custom-fields|senders|webhook-channels|inbound-rules|triggers|timed-rules|recurring-tickets)(?=(?:\/order|\/\{\})?$)/;

  /** Each call that a page names. A method without a path goes with the next path; `…` stands for a beginning. */
  function callsOf(page: string): { method: string; path: string }[] {
    const calls: { method: string; path: string }[] = [];
    for (const paragraph of page.replace(/```[\s\S]*?```/g, '').split(/\n\n|\n(?=[|-] ?)/)) {
      let methods: string[] = [];
      let hadPath = true;
      const spans = [...paragraph.matchAll(/`([^`]+)`/g)].flatMap(([, span = '']) => span.split(';'));
      for (const span of spans) {
        const [, verbs = '', path] =
          /^\s*((?:(?:GET|POST|PUT|PATCH|DELETE)(?:, )?)*)\s*(…?\/[^\s?]*)?/.exec(span) ?? [];
        const named = verbs === '' ? [] : verbs.trim().split(', ');
        if (named.length > 0) methods = hadPath ? named : [...methods, ...named];
        if (named.length > 0) hadPath = false;
        if (path === undefined) continue;
        hadPath = true;
        const isEnd = path === '…/{id}';
        const whole = isEnd ? `${calls.at(-1)?.path}/{}` : shape(path);
        calls.push(...methods.map((method) => ({ method, path: whole })));
      }
    }
    return calls;
  }

  test('describes every operation', async () => {
    const pages = [
      'api',
      'console',
      'customer',
      'people',
      'senders',
      'mailboxes',
      'templates',
      'push',
      'automation',
    ].map((name) => readFileSync(join(root, `docs/spec/${name}.md`), 'utf8'));
    const calls = pages.flatMap(callsOf);
    // Files of the reference's page.
    const isPartOfPage = (path: string) => path.startsWith('/api/docs/');
    const operations = (await allOperations({} as never, 'https://desk.example')).filter(
      ({ path }) => !isPartOfPage(path),
    );
    const missing = operations.filter((operation) => {
      // One sentence of api.md describes the calls of all five catalogues.
      const path = shape(operation.path).replace(catalogue, '$1categories');
      return !calls.some(
        (call) =>
          call.method === operation.method &&
          (call.path.startsWith('…') ? path.endsWith(call.path.slice(1)) : path === call.path),
      );
    });
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});

test('every command and flag has a description, and every command --json, --data and an example', async () => {
  const program = await createProgram(undefined);
  const leaves = program.commands.flatMap((command) => (command.commands.length > 0 ? command.commands : [command]));
  expect(leaves.length).toBeGreaterThan(40);
  for (const leaf of leaves) {
    let help = '';
    leaf.configureOutput({ writeOut: (text) => (help += text) });
    leaf.outputHelp();
    const name = `${leaf.parent?.name()} ${leaf.name()}`;
    for (const { flags, description } of leaf.options) expect(description, `${name} ${flags}`).not.toBe('');
    expect(leaf.description(), name).not.toBe('');
    expect(help, name).toContain('--json');
    expect(help, name).toContain('--data');
    expect(help, name).toContain('Example:\n  $ helpdesk');
  }
});

/** The headings of a document as links name them. */
function headingsOf(document: string): string[] {
  return [...readFileSync(join(root, document), 'utf8').matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

test.each(documents)('every path that %s names exists', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const named = [...text.matchAll(/`((?:src|cli|test|docs|bench|migrations|scripts|\.ci)\/[\w./-]*)`/g)].map(
    (match) => match[1] ?? '',
  );
  const links = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map((match) => (match[1] ?? '').split('#'));
  const linked = links.map(([path]) => (path ? join(document, '..', path) : document));
  for (const path of [...named, ...linked]) expect(existsSync(join(root, path)), path).toBe(true);
  for (const [at, [, heading]] of links.entries()) {
    const target = linked[at] ?? '';
    if (heading) expect(headingsOf(target), `${target}#${heading}`).toContain(heading);
  }
});

describe('citations', () => {
  const { stdout } = Bun.spawnSync(['git', 'ls-files', 'src', 'cli', 'test', 'scripts', 'bench', 'migrations'], {
    cwd: root,
  });
  const files = stdout
    .toString()
    .split('\n')
    .filter((path) => /\.(ts|tsx|css|sql|sh|c)$/.test(path) && existsSync(join(root, path)));
  const cited = files.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/(?<![\w/.])((?:[\w-]+\/)*[\w-]+\.md)(?:#([\w-]+))?/g)].map(
      ([, document = '', heading]) => ({ path, document, heading }),
    ),
  );
  // Documents that a test writes or gives as an example.
  const isExample = (path: string, document: string) => path.startsWith('test/') && !document.startsWith('docs/');

  test('of documents name one that is in the repository, and a heading that it has', () => {
    expect(cited.filter(({ document }) => document.startsWith('docs/spec/')).length).toBeGreaterThan(60);
    const wrong = cited
      .filter(({ path, document }) => !isExample(path, document))
      .filter(
        ({ document, heading }) =>
          !existsSync(join(root, document)) || (heading !== undefined && !headingsOf(document).includes(heading)),
      );
    expect(wrong).toEqual([]);
  });
});

test('docs/glossary.md explains each term once', () => {
  const text = readFileSync(join(root, 'docs/glossary.md'), 'utf8');
  const terms = [...text.matchAll(/^\| ([^|]+) \|/gm)]
    .flatMap(([, row = '']) => row.split(', '))
    .filter((term) => term !== 'Word' && term !== '---');
  expect(terms.length).toBeGreaterThan(50);
  expect(terms.filter((term, at) => terms.indexOf(term) !== at)).toEqual([]);
});

test('CHANGELOG.md says nothing twice', () => {
  const lines = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split('\n');
  const entries = lines.filter((line) => line.startsWith('- '));
  expect(entries.filter((line, at) => entries.indexOf(line) !== at)).toEqual([]);
});

test('each release in CHANGELOG.md is the newest one or older, with the same few parts', () => {
  const [, newest = '', ...older] = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m).slice(1);
  expect(newest).toStartWith(`${version} - `);
  const parts = [newest, ...older].flatMap((release) => release.match(/^### .+/gm) ?? []);
  expect(parts).toEqual(['### Before you upgrade', '### New', '### Changed', '### Fixed']);
  // What was released stays as it was: new entries go under Unreleased, and a merge must not bring old ones back.
  expect(newest.match(/^- /gm)).toHaveLength(56);
});

describe('docs/architecture.md', () => {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const table = new Map(
    [...text.matchAll(/^\| `(?:src\/)?([\w-]+)` \| .+ \| (.+) \|$/gm)].map(([, room = '', imports = '']) => [
      room,
      imports.split(', ').sort(),
    ]),
  );

  test('has the table of rooms that the rules enforce', () => {
    const enforced = new Map(Object.entries(rooms).map(([room, imports]) => [room, [...imports].sort()]));
    expect(Object.fromEntries(table)).toEqual(Object.fromEntries(enforced));
  });

  test('names every folder of src, which has no files of its own', () => {
    const entries = readdirSync(join(root, 'src'), { withFileTypes: true }).filter(
      ({ name }) => !name.endsWith('.d.ts'),
    );
    expect(entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name)).toEqual([]);
    for (const { name } of entries) expect(table.has(name), name).toBe(true);
  });
});
