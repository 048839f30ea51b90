// What Node's runner prints: as `bun test --only-failures` does it, so that both are read alike.

import { inspect } from 'node:util';

interface Told {
  name: string;
  nesting: number;
  skip?: string | boolean;
  todo?: string | boolean;
  details?: { type?: string; error?: Error & { failureType?: string } };
}

// biome-ignore lint/style/noDefaultExport: Node loads a reporter by its default export
export default async function* told(source: AsyncIterable<{ type: string; data: Told }>): AsyncGenerator<string> {
  const names: string[] = [];
  const counts = { pass: 0, skip: 0, fail: 0 };
  for await (const { type, data } of source) {
    const { name, nesting, details } = data;
    if (type === 'test:start') names[nesting] = name;
    if (type === 'test:pass' && details?.type !== 'suite') {
      if (data.skip || data.todo) counts.skip += 1;
      else counts.pass += 1;
    }
    // A group that fails because of its tests says nothing new.
    if (type !== 'test:fail' || details?.error?.failureType === 'subtestsFailed') continue;
    counts.fail += 1;
    const { error } = details ?? {};
    const why = error?.cause ?? error;
    const path = [...names.slice(0, nesting), name].join(' > ');
    yield `${why instanceof Error ? inspect(why) : String(why)}\n(fail) ${path}\n`;
  }
  for (const [word, count] of Object.entries(counts)) yield ` ${count} ${word}\n`;
}
