// Writes the golden files again: `bun test/mail/golden/write.ts`. Read the difference through before you commit it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { corpus, corpusBytes, goldenFolder, readingOf } from '../corpus.ts';

for (const [folder, files] of Object.entries(corpus())) {
  const readings: Record<string, unknown> = {};
  for (const file of files) readings[file] = await readingOf(corpusBytes(folder, file));
  writeFileSync(join(goldenFolder, `${folder}.json`), `${JSON.stringify(readings, null, 2)}\n`);
}
