// Finds exports that no other file uses.

import { importsOf, targetsOf } from './source-rules.ts';

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;

/**
 * @param files every source by its path
 * @returns `path: name` for each export of `under` that no importing file mentions
 */
export function unusedExports(files: ReadonlyMap<string, string>, under: (path: string) => boolean): string[] {
  const importers = new Map<string, string[]>();
  const wholly = new Set<string>();
  for (const [path, text] of files) {
    for (const specifier of importsOf(text)) {
      const targets = targetsOf(path, specifier);
      if (targets.length === 0) continue;
      const isWhole = new RegExp(`import \\* as \\w+ from '${specifier.replaceAll('.', '\\.')}'`).test(text);
      for (const target of targets) {
        importers.set(target, [...(importers.get(target) ?? []), text]);
        if (isWhole) wholly.add(target);
      }
    }
  }
  const unused: string[] = [];
  for (const [path, text] of files) {
    if (!under(path) || wholly.has(path)) continue;
    for (const [, name = ''] of text.matchAll(declaration)) {
      const mention = new RegExp(`\\b${name}\\b`);
      if (!importers.get(path)?.some((importer) => mention.test(importer))) unused.push(`${path}: ${name}`);
    }
  }
  return unused;
}
