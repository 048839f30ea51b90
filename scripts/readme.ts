// Writes the table of environment variables into README.md from the schema that reads them.

import { readFileSync, writeFileSync } from 'node:fs';
import { entries } from '../src/base/config.ts';

/** The table between the markers. */
export function environmentTable(): string {
  const rows = Object.entries(entries).map(
    ([name, entry]) => `| \`${name}\` | ${entry.default === '' ? '' : `\`${entry.default}\``} | ${entry.meaning} |`,
  );
  return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The README with the table in place. */
export function withEnvironment(readme: string): string {
  return readme.replace(
    /(<!-- environment -->)[\s\S]*?(<!-- \/environment -->)/,
    `$1\n${environmentTable().replaceAll('$', '$$$$')}\n$2`,
  );
}

if (import.meta.main) writeFileSync('README.md', withEnvironment(readFileSync('README.md', 'utf8')));
