// YAML as a file of settings uses it: maps, lists and plain values, and none of the rest of the language.

import { isAlias, isNode, parseDocument, stringify, visit } from 'yaml';
import { DeskError } from '../errors.ts';

/** Of a file that was not read. */
const unreadable = (sentence: string) => new DeskError('invalid', sentence, { errors: { file: [sentence] } });

// Far more than any setting needs, and far less than the stack has.
const mostNested = 50;
const tooDeep = 'The file is nested too deeply.';

/** Without the excerpt of the file below it. */
const firstLine = (message: string) => (message.split('\n')[0] ?? '').replace(/:$/, '.');

export function toYaml(value: unknown): string {
  // Words such as "no" and "09:00" are quoted for readers of YAML 1.1.
  return stringify(value, { compat: 'yaml-1.1', aliasDuplicateObjects: false, lineWidth: 0 });
}

/** Anchors, aliases, tags, merge keys, keys that are not text or stand twice, and further documents are refused. */
export function fromYaml(text: string): unknown {
  try {
    const document = parseDocument(text, { schema: 'core', merge: false, stringKeys: true, uniqueKeys: true });
    const [fault] = [...document.errors, ...document.warnings];
    // The reader has caught the error of the stack itself.
    if (fault?.message.startsWith('Maximum call stack')) throw unreadable(tooDeep);
    if (fault !== undefined) throw unreadable(`The file cannot be read as YAML: ${firstLine(fault.message)}`);
    visit(document, (_key, node, path) => {
      if (path.length > mostNested) throw unreadable(tooDeep);
      if (!isNode(node)) return;
      const place = `at character ${node.range?.[0] ?? 0}`;
      if (isAlias(node) || node.anchor !== undefined)
        throw unreadable(`The file has an anchor or alias ${place}. Write the value out.`);
      if (node.tag !== undefined) throw unreadable(`The file has a tag ${place}. Leave it out.`);
    });
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    if (error instanceof RangeError) throw unreadable(tooDeep);
    throw error;
  }
}
