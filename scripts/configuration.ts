// Writes the table of environment variables into docs/configuration.md from the schema that reads them.

import { readFileSync, writeFileSync } from 'node:fs';
import { entries } from '../src/base/config.ts';

function environmentTable(): string {
  const rows = Object.entries(entries).map(
    ([name, entry]) => `| \`${name}\` | ${entry.default === '' ? '' : `\`${entry.default}\``} | ${entry.meaning} |`,
  );
  return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

export function withEnvironment(document: string): string {
  return document.replace(
    /(<!-- environment -->)[\s\S]*?(<!-- \/environment -->)/,
    `$1\n${environmentTable().replaceAll('$', '$$$$')}\n$2`,
  );
}

const path = 'docs/configuration.md';
if (import.meta.main) writeFileSync(path, withEnvironment(readFileSync(path, 'utf8')));
