// Writes the golden files again: `bun test/mail/golden/write.ts`. Format them, and read the difference through before you commit it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { corpus, goldenFolder, readingOf } from '../corpus.ts';

const readings: Record<string, Record<string, unknown>> = {};
for (const { folder, file, raw } of corpus()) {
  readings[folder] ??= {};
  readings[folder][file] = await readingOf(raw);
}
for (const [folder, ofFolder] of Object.entries(readings))
  writeFileSync(join(goldenFolder, `${folder}.json`), `${JSON.stringify(ofFolder, null, 2)}\n`);
