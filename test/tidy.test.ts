// The source tree itself: rooms, packages, waiting, clocks, first lines, plain words, and nothing unused.

import { describe, expect, test } from 'bun:test';
import { importCycles } from './support/import-cycles.ts';
import { codeOnly, faultsOf, importsOf, resolveImport, strayNames, targetsOf } from './support/source-rules.ts';
import { timeLimits } from './support/time-limits.ts';
import { unusedExports } from './support/unused-exports.ts';
import { avoidedWords } from './support/word-list.ts';

const root = new URL('..', import.meta.url).pathname;

function tracked(...patterns: string[]): string[] {
  const { stdout } = Bun.spawnSync(
    ['git', 'ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns],
    {
      cwd: root,
    },
  );
  return stdout
    .toString()
    .split('\n')
    .filter((path) => path !== '' && Bun.file(root + path).size > 0);
}

const isForeignMail = (path: string) => /^test\/mail\/(?:corpus|golden)\//.test(path);
const read = (path: string) => Bun.file(root + path).text();
const sources = tracked('src/**/*.ts', 'src/**/*.tsx', 'src/*.ts', 'cli/**/*.ts', 'cli/*.ts', 'migrations/*').filter(
  (path) => !path.endsWith('.d.ts'),
);

describe('the tree', () => {
  test('has sources', () => {
    expect(sources.length).toBeGreaterThan(60);
  });

  test('keeps the rules of its rooms', async () => {
    const faults: string[] = [];
    for (const path of sources) faults.push(...faultsOf(path, await read(path)));
    expect(faults).toEqual([]);
  });

  test('has no file that nothing imports', async () => {
    const roots = [
      'cli/main.ts',
      'cli/node.ts',
      // Entries of src/server/browser/build.ts.
      ...tracked('src/web/*/*-script.ts'),
      'src/web/sign-in/sign-in.tsx',
      'src/web/console/console.tsx',
      'src/web/customer/customer.tsx',
      'src/web/board/board.tsx',
      ...tracked(
        'bench/*.ts',
        'scripts/*.ts',
        'test/**/*.test.ts',
        'test/*.test.ts',
        'test/**/*.e2e.ts',
        'test/browser/*.browser.ts',
      ),
    ];
    const named = new Set<string>(roots);
    const all = tracked('*.ts', '*.tsx', 'migrations/*.sql').filter((path) => !path.endsWith('.d.ts'));
    for (const path of all) {
      if (path.endsWith('.sql')) continue;
      for (const specifier of importsOf(await read(path))) {
        for (const target of targetsOf(path, specifier)) named.add(target);
      }
      // Children are started by path, not imported.
      for (const [, child] of (await read(path)).matchAll(/new URL\('\.\/([\w-]+\.tsx?)', import\.meta\.url\)/g))
        named.add(resolveImport(path, `./${child}`));
    }
    named.add('test/support/preload.ts');
    named.add('test/support/on-node/hooks.ts');
    named.add('test/support/on-node/reporter.ts');
    named.add('test/mail/golden/write.ts');
    expect(all.filter((path) => !named.has(path))).toEqual([]);
  });

  test('has no files that import one another in a circle', async () => {
    const files = new Map<string, string>();
    for (const path of sources) files.set(path, await read(path));
    expect(importCycles(files)).toEqual([]);
  });

  test('exports nothing that no other file uses', async () => {
    const files = new Map<string, string>();
    for (const path of tracked('*.ts', '*.tsx')) files.set(path, await read(path));
    expect(unusedExports(files, (path) => !path.endsWith('.d.ts'))).toEqual([]);
  });

  test('begins every test and tool with a line about it', async () => {
    const faults: string[] = [];
    for (const path of tracked('test/**/*.ts', 'bench/*.ts', 'scripts/*.ts')) {
      if (!/^(?:#!.*\n)?\/\/ \S/.test(await read(path))) faults.push(path);
    }
    expect(faults).toEqual([]);
  });

  test('has no test that only Bun can run among those that run on Node', async () => {
    const onNode = ['data', 'engine', 'files', 'http', 'net', 'outbox', 'store'];
    const faults: string[] = [];
    for (const path of tracked(...onNode.map((name) => `test/${name}/**/*.ts`)))
      if (/\bBun\.|'bun(?::(?!test')\w+)?'|import\.meta\.(?:dir|path)\b/.test(await read(path))) faults.push(path);
    expect(faults).toEqual([]);
  });

  test('has no test that compares with a limit what passed on a clock', async () => {
    const faults: string[] = [];
    for (const path of tracked('test/**/*.ts')) {
      if (timeLimits(await read(path)).length > 0) faults.push(path);
    }
    expect(faults).toEqual([]);
  });

  test('names no package registry and no path of a machine', async () => {
    const faults: string[] = [];
    for (const path of tracked()) {
      // Other people's mail, as it was sent and read.
      if (isForeignMail(path)) continue;
      if (/\.(?:png|jpe?g|gif|pdf|docx?|eml|pem|woff2?|ico|zst)$/.test(path)) continue;
      faults.push(...strayNames(path, await read(path)));
    }
    expect(faults).toEqual([]);
  });
});

describe('the two runtimes', () => {
  const exportsOf = async (folder: string) => {
    const found: Record<string, string[]> = {};
    for (const path of tracked(`src/platform/${folder}/*.ts`)) {
      const names = [...(await read(path)).matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)].map(
        ([, name]) => name,
      );
      found[path.slice(path.lastIndexOf('/') + 1)] = names.map(String).sort();
    }
    return found;
  };

  test('offer the same', async () => {
    const [bun, node] = [await exportsOf('bun'), await exportsOf('node')];
    expect(Object.keys(bun).length).toBeGreaterThan(8);
    for (const [name, names] of Object.entries(bun)) expect({ name, names: node[name] }).toEqual({ name, names });
  });
});

describe('plain English', () => {
  // Other people's words, and texts whose checksum is stored in databases.
  const isExempt = (path: string) =>
    isForeignMail(path) ||
    path.startsWith('migrations/') ||
    [
      'test/mail/replies.ts',
      'test/mail/deciders.ts',
      'test/support/word-list.ts',
      'test/tidy.test.ts',
      'LICENSE',
      'bun.lock',
    ].includes(path) ||
    /\.(?:png|jpe?g|gif|pdf|docx?|eml|pem|txt|woff2?|ico|zst)$/.test(path);

  test('has none of the words that we avoid', async () => {
    const found: string[] = [];
    for (const path of tracked()) if (!isExempt(path)) found.push(...avoidedWords(path, await read(path)));
    expect(found).toEqual([]);
  });
});

describe('the checker', () => {
  const hole = (code: string) => `$\{${code}}`;
  const header = '// What lives here.\n';
  const rows: [why: string, path: string, text: string, fault: RegExp | null][] = [
    ['a room imports its own', 'src/desk/a.ts', "import { b } from './b.ts';", null],
    ['domain imports nothing', 'src/domain/a.ts', "import { now } from '../base/clock.ts';", /domain must not import/],
    ['a type counts as an import', 'src/domain/a.ts', "import type { Tx } from '../store/database.ts';", /must not/],
    ['a re-export counts as an import', 'src/store/a.ts', "export * from '../desk/sla.ts';", /must not import/],
    [
      'an import on several lines',
      'src/store/a.ts',
      "import {\n  a,\n  b,\n} from '../http/app.ts';",
      /must not import/,
    ],
    ['a dynamic import', 'src/files/a.ts', "const a = await import('../desk/sla.ts');", /must not import/],
    ['edges keep apart', 'src/http/a.ts', "import { a } from '../outbox/formats.ts';", /must not import/],
    ['cli has a door to present', 'cli/a.ts', "import { p } from '../src/http/wire/tickets/ticket.ts';", null],
    ['and to nothing else of http', 'cli/a.ts', "import { p } from '../src/http/app.ts';", /cli must not import/],
    ['domain may use zod', 'src/domain/input/a.ts', "import * as z from 'zod';", null],
    ['Hono in http', 'src/http/a.ts', "import { Hono } from 'hono';", null],
    ['Hono elsewhere', 'src/server/serve.ts', "import { cors } from 'hono/cors';", /hono\/cors belongs to/],
    ['drizzle elsewhere', 'src/desk/a.ts', "import { eq } from 'drizzle-orm';", /drizzle-orm belongs/],
    [
      "one of drizzle's drivers",
      'src/store/a.ts',
      "import { drizzle } from 'drizzle-orm/bun-sqlite';",
      /names a driver/,
    ],
    ['commander elsewhere', 'src/server/serve.ts', "import { Command } from 'commander';", /commander belongs/],
    ['SQLite in one file', 'src/store/a.ts', "import { Database } from 'bun:sqlite';", /bun:sqlite belongs/],
    ['a runtime elsewhere', 'src/store/a.ts', 'Bun.gc(true);', /only src\/platform/],
    ['a runtime in its room', 'src/platform/bun/a.ts', 'Bun.gc(true);', null],
    ['the platform of the build', 'src/engine/a.ts', "import { openDatabase } from '#platform/sqlite.ts';", null],
    [
      'one runtime by its path',
      'src/store/a.ts',
      "import { a } from '../platform/bun/sqlite.ts';",
      /imported as #platform/,
    ],
    [
      'the platform from a closed room',
      'src/desk/a.ts',
      "import { a } from '#platform/dns.ts';",
      /desk must not import/,
    ],
    ['await in a verb', 'src/desk/a.ts', 'async function a() { await b(); }', /never waits/],
    ['await in a comment', 'src/desk/a.ts', '// they await it\nconst a = "await";', null],
    ['await inside a template', 'src/store/a.ts', `const a = \`x ${hole('await b()')} y\`;`, /never waits/],
    ['await at the edge', 'src/http/a.ts', 'await b();', null],
    ['the clock', 'src/desk/a.ts', 'const now = Date.now();', /clock, randomness/],
    ['a date of now', 'src/http/a.ts', 'const now = new Date();', /clock, randomness/],
    ['a date of something', 'src/http/a.ts', 'const then = new Date(at);', null],
    ['randomness', 'src/outbox/a.ts', 'const jitter = Math.random();', /clock, randomness/],
    ['other randomness', 'src/http/a.ts', 'const id = crypto.randomUUID();', /clock, randomness/],
    ['the environment', 'cli/a.ts', 'const home = process.env.HOME;', /clock, randomness/],
    ['base may read the clock', 'src/base/a.ts', 'const now = Date.now();', null],
    ['browser code keeps to itself', 'src/web/shared/a.ts', "import { now } from '../../base/clock.ts';", /web may/],
    ['types of the wire in browser code', 'src/web/a/b.ts', "import type { A } from '../../http/wire/a.ts';", null],
    ['code of the wire in it', 'src/web/a/b.ts', "import { a } from '../../http/wire/a.ts';", /only types/],
    ['text that becomes HTML', 'src/web/a/b.tsx', 'element.innerHTML = text;', /no text becomes HTML/],
    ['Preact elsewhere', 'src/http/a.ts', "import { render } from 'preact';", /preact belongs/],
    ['something left to do', 'src/http/a.ts', `// ${'TO'}DO: later`, /finish it/],
    ['a room that no one knows', 'src/utils/a.ts', '', /no room/],
    ['quotes in a regular expression', 'src/desk/a.ts', 'const a = /["\'`]/g;\nawait b();', /never waits/],
  ];
  for (const [why, path, text, fault] of rows) {
    test(`${fault ? 'refuses' : 'accepts'}: ${why}`, () => {
      const faults = faultsOf(path, header + text);
      if (fault) expect(faults.join('\n')).toMatch(fault);
      else expect(faults).toEqual([]);
    });
  }

  test('wants a first line', () => {
    expect(faultsOf('src/desk/a.ts', 'const a = 1;').join()).toMatch(/begin with one line/);
    expect(faultsOf('migrations/0001_a.sql', '-- Tables.\n')).toEqual([]);
  });

  test('keeps the code and its lines when comments and strings go', () => {
    const code = codeOnly(`const a = 'x // y'; // z\n/* await */ const b = \`q ${hole('c')} r\`;`);
    expect(code).toContain('const a =');
    expect(code).toContain(hole('c'));
    expect(code).not.toMatch(/[xyzqr]|await/);
    expect(code.split('\n')).toHaveLength(2);
    // The end of a tag is no regular expression.
    expect(codeOnly('<A {...b} /> + c(/d/)')).toBe('<A {...b} /> + c(/ /)');
  });

  test('finds circles, also of only types', () => {
    const files = new Map([
      ['src/a.ts', "import { b } from './b.ts';"],
      ['src/b.ts', "import type { C } from './c.ts';"],
      ['src/c.ts', "import type { A } from './a.ts';\nawait import('./d.ts');"],
      ['src/d.ts', "import { c } from './c.ts';"],
    ]);
    expect(importCycles(files)).toEqual(['src/a.ts → src/b.ts → src/c.ts → src/a.ts']);
  });

  test('finds exports that nothing uses', () => {
    const files = new Map([
      ['src/a.ts', 'export const used = 1;\nexport interface Unused {}\nexport type Mentioned = 1;'],
      ['src/b.ts', "import { used } from './a.ts';\n// Mentioned"],
      ['src/c.ts', 'export const Unused = 2;'],
      ['src/d.ts', "import * as all from './c.ts';"],
    ]);
    expect(unusedExports(files, () => true)).toEqual(['src/a.ts: Unused']);
  });

  test('finds avoided words, also inside names', () => {
    const text = "const isMended = true; // for whoever asks\nconst address = 'nobody@example.org'; // or nobody";
    expect(avoidedWords('src/a.ts', text).map((found) => found.split(' (')[0])).toEqual([
      'src/a.ts:1: Mended',
      'src/a.ts:1: whoever',
      'src/a.ts:2: nobody',
    ]);
  });

  test('finds limits of time', () => {
    const limited = [
      'expect(performance.now() - begun).toBeLessThan(5);',
      'const begun = Date.now();\nexpect(at - begun).toBeGreaterThan(5);',
      'const tookMs = (performance.now() - begun) / 2;\nexpect(tookMs).toBeWithin(1, 5);',
      'const begun = performance.now();\nexpect(Math.abs(at - begun)).toBeLessThan(5);',
      'worst = Math.max(worst, performance.now() - begun);\nexpect(worst).toBeLessThanOrEqual(5);',
      'times.push(performance.now() - begun);\nexpect(Math.max(...times)).toBeLessThan(5);',
      'const { user, system } = process.cpuUsage(before);\nexpect((user + system) / 1000).toBeLessThan(5);',
      'return performance.now() - begun;',
    ];
    for (const text of limited) expect({ text, lines: timeLimits(text).length }).toEqual({ text, lines: 1 });
    const fine = [
      'const from = Date.now();\nexpect(at).toBeWithin(from, to);',
      'if (performance.now() - begun > 5) throw new Error();\nexpect(count).toBeLessThan(5);',
      'expect(count - before).toBeLessThan(5);',
      '// expect(performance.now() - begun).toBeLessThan(5);',
    ];
    for (const text of fine) expect({ text, lines: timeLimits(text) }).toEqual({ text, lines: [] });
  });

  test('finds stray names', () => {
    expect(strayNames('bun.lock', `"https://registry.npm${'js'}.org/hono"`)).toHaveLength(1);
    expect(strayNames('README.md', `run it in ${'/ho'}me/mia/desk`)).toHaveLength(1);
    expect(strayNames('README.md', 'GET /api/v1/work and ./data')).toEqual([]);
  });
});
