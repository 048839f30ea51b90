// What the documents say must be true: settings, commands and paths.

import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandWords, createProgram } from '../cli/main.ts';
import { withEnvironment } from '../scripts/configuration.ts';
import { rooms } from './support/source-rules.ts';

const root = join(import.meta.dir, '..');
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
  test('begins with the two commands that do everything', () => {
    const [fence, start, tests] = readme.split('\n');
    expect([fence, start, tests]).toEqual([
      '```sh',
      'npx -y bun@1.4.5 install && npx bun start',
      'npx -y bun@1.4.5 install && npx bun run test',
    ]);
  });
});

test('docs/configuration.md lists every environment variable with its default and meaning', () => {
  const configuration = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
  expect(configuration).toContain('`HELPDESK_DATA`');
  expect(withEnvironment(configuration)).toBe(configuration);
});

test('docs/spec/cli.md lists every command', () => {
  const page = readFileSync(join(root, 'docs/spec/cli.md'), 'utf8');
  const table = page.slice(page.indexOf('## Commands'), page.indexOf('## Exit codes'));
  for (const word of commandWords()) expect(table).toContain(`\`${word}\``);
});

test('every command has a description, --json, --data and an example', async () => {
  const program = await createProgram(undefined);
  const leaves = program.commands.flatMap((command) => (command.commands.length > 0 ? command.commands : [command]));
  expect(leaves.length).toBeGreaterThan(40);
  for (const leaf of leaves) {
    let help = '';
    leaf.configureOutput({ writeOut: (text) => (help += text) });
    leaf.outputHelp();
    const name = `${leaf.parent?.name()} ${leaf.name()}`;
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
