// What `helpdesk serve` loads before it answers: nothing heavy that only some requests need.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { targetsOf } from '../support/source-rules.ts';

const root = join(import.meta.dir, '../..');

/** Packages that a file loads, each with the file that asks for it. */
function packagesOf(entries: readonly string[]): Map<string, string> {
  const packages = new Map<string, string>();
  const seen = new Set<string>(entries);
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const text = readFileSync(join(root, path), 'utf8');
    for (const [, specifier = ''] of text.matchAll(
      /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm,
    )) {
      const [target] = targetsOf(path, specifier);
      if (target === undefined) packages.set(specifier, path);
      else if (target.endsWith('.ts')) {
        if (!seen.has(target)) waiting.push(target);
        seen.add(target);
      }
    }
  }
  return packages;
}

test('serve starts without the readers of mail, the document, the sniffer and the metrics', () => {
  const packages = packagesOf(['cli/main.ts', 'cli/commands/serve.ts', 'src/server/serve.ts']);
  expect([...packages.keys()]).toContain('hono');
  for (const heavy of [
    'mailparser',
    'sanitize-html',
    'html-to-text',
    'file-type',
    'zod-openapi',
    'pino-pretty',
    'prom-client',
  ])
    expect([heavy, packages.get(heavy)]).toEqual([heavy, undefined]);
});

test('the version is told without what only a server needs', () => {
  const packages = packagesOf(['cli/main.ts', 'cli/commands/configuration.ts']);
  for (const heavy of ['hono', 'pino', 'croner', 'nodemailer'])
    expect([heavy, packages.get(heavy)]).toEqual([heavy, undefined]);
});
