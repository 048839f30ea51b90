// Finds files that import one another in a circle, type imports included. Biome finds circles by `import()`, without types.

import { importsOf, targetsOf } from './source-rules.ts';

/** @returns each circle once, as `a.ts → b.ts → a.ts` */
export function importCycles(files: ReadonlyMap<string, string>): string[] {
  const imports = new Map<string, string[]>();
  for (const [path, text] of files) {
    const targets = importsOf(text.replaceAll(/\bimport\(/g, 'later(')).flatMap((specifier) =>
      targetsOf(path, specifier),
    );
    imports.set(path, [...new Set(targets)].filter((target) => files.has(target)).sort());
  }
  const cycles = new Set<string>();
  const done = new Set<string>();
  const walk = (path: string, trail: string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      const circle = trail.slice(start);
      const first = circle.indexOf([...circle].sort()[0] ?? '');
      const turned = [...circle.slice(first), ...circle.slice(0, first)];
      cycles.add([...turned, turned[0]].join(' → '));
      return;
    }
    if (done.has(path)) return;
    for (const target of imports.get(path) ?? []) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const path of [...files.keys()].sort()) walk(path, []);
  return [...cycles].sort();
}
