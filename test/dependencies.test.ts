// Dependencies: exact versions, and no package that runs a program while it is installed.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const readText = (path: string) => readFileSync(join(root, path), 'utf8');

interface Manifest {
  name?: string;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  trustedDependencies?: string[];
}

/** Packages that may have an install script, and why. */
const allowed: Record<string, string> = {
  bun: 'it fetches nothing: it puts the binary for this machine, which is a package too, in its place',
};

const own: Manifest = JSON.parse(readText('package.json'));

test('no package but those listed has an install script', () => {
  const found = new Map<string, string[]>();
  for (const path of new Bun.Glob('node_modules/**/package.json').scanSync({ cwd: root, dot: true })) {
    // Manifests inside a package, for its tests and builds, are not installed.
    if (!/node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path)) continue;
    const { name, scripts = {} }: Manifest = JSON.parse(readText(path));
    const runs = ['preinstall', 'install', 'postinstall'].filter((script) => scripts[script] !== undefined);
    if (runs.length > 0) found.set(name ?? dirname(path), runs);
  }
  expect([...found.keys()].filter((name) => allowed[name] === undefined)).toEqual([]);
  expect(Object.keys(allowed).filter((name) => !found.has(name))).toEqual([]);
});

test('the lock names no other, whatever is installed here', () => {
  const scripted = readText('bun.lock')
    .split('\n')
    .filter((line) => line.includes('"hasInstallScript": true'))
    .map((line) => /"([^"]+)"/.exec(line)?.[1] ?? line);
  expect(scripted).toEqual(Object.keys(allowed));
});

test('no package is trusted to run its install script', () => {
  expect(own.trustedDependencies ?? []).toEqual([]);
});

test('every version is exact', () => {
  const versions = Object.entries({ ...own.dependencies, ...own.devDependencies });
  expect(versions.length).toBeGreaterThan(20);
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test('the generators of the tests are exact too, and apart: what they would run when installed is not run', () => {
  const { dependencies = {} }: Manifest = JSON.parse(readText('test/generators/package.json'));
  expect(Object.keys(dependencies).length).toBeGreaterThan(4);
  expect(Object.values(dependencies).filter((version) => !/^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual(
    [],
  );
  expect(readText('test/generators/generators.e2e.ts')).toContain("'install', '--frozen-lockfile', '--ignore-scripts'");
});

test('a version that is held back is the one that CONTRIBUTING explains', () => {
  const held = [...readText('CONTRIBUTING.md').matchAll(/^- `([\w@/-]+)` (\d+\.\d+\.\d+)[.,]/gm)];
  expect(held.map(([, name]) => name)).toEqual(['mailparser', 'swagger-ui-dist']);
  for (const [, name = '', version] of held) expect([name, own.dependencies?.[name]]).toEqual([name, version]);
});
