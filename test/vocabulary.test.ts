// A new word of a vocabulary does not compile where it is missing, and CONTRIBUTING.md names each of those files.

import { afterAll, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { caseCount } from './support/case-count.ts';

const root = new URL('..', import.meta.url).pathname;
const copy = mkdtempSync(join(tmpdir(), 'helpdesk-vocabulary-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Each vocabulary with a word that it does not have: its line in CONTRIBUTING.md, the most files there, its file, and where the word goes. */
const vocabularies = [
  {
    name: 'A sixth language',
    most: 15,
    file: 'src/domain/people/preferences.ts',
    before: "'es'] as const",
    word: 'it',
  },
  {
    name: 'A third SLA clock',
    most: 20,
    file: 'src/domain/sla/clock.ts',
    before: "'resolution'] as const",
    word: 'next_response',
  },
  {
    name: 'A webhook platform',
    most: 7,
    file: 'src/domain/outbox/channel.ts',
    before: "'custom'] as const",
    word: 'mattermost',
  },
  {
    name: 'An inbound provider',
    most: 8,
    file: 'src/domain/mail/inbound.ts',
    before: "'raw'] as const",
    word: 'mailjet',
  },
] as const;

/** What the type checker says of the copy. */
const compile = (): string =>
  Bun.spawnSync([join(root, 'node_modules/.bin/tsc'), '--noEmit', '-p', copy]).stdout.toString();

function filesIn(compiled: string): string[] {
  return [
    ...new Set([...compiled.matchAll(/^(?:\S*\/)?((?:src|cli)\/[\w./-]+\.tsx?)\(/gm)].map(([, file]) => String(file))),
  ].sort();
}

function named(vocabulary: string): string[] {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const item = text.split(/^- /m).find((one) => one.startsWith(`**${vocabulary}**`)) ?? '';
  return [...item.matchAll(/`((?:src|cli|test)\/[\w./-]+)`/g)].map(([, file]) => String(file));
}

function addWords(): void {
  for (const folder of ['src', 'cli', 'migrations', 'package.json'])
    cpSync(join(root, folder), join(copy, folder), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const options = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify({ ...options, include: ['src', 'cli', 'migrations'] }));

  for (const { file, before, word } of vocabularies) {
    const path = join(copy, file);
    const text = readFileSync(path, 'utf8');
    const more = text.replace(before, before.replace(']', `, '${word}']`));
    if (more === text) throw new Error(`${file} has no ${before}`);
    writeFileSync(path, more);
  }
}

test('a new word touches few files', () => {
  for (const { name, most } of vocabularies)
    expect({ name, files: named(name).length }).toSatisfy(({ files }) => files > 1 && files <= most);
});

// The compiler takes 17 s of processor time.
const isLong = caseCount(0, 1) === 1;
if (isLong)
  test('a new word does not compile where it is missing, and each such file is listed', () => {
    addWords();
    const files = filesIn(compile());
    const lists = vocabularies.map(({ name, file }) => ({ name, others: named(name).filter((one) => one !== file) }));
    expect(files.filter((file) => !vocabularies.some(({ name }) => named(name).includes(file)))).toEqual([]);
    for (const { name, others } of lists)
      expect({ name, isCaught: others.some((file) => files.includes(file)) }).toEqual({ name, isCaught: true });
  }, 240_000);
