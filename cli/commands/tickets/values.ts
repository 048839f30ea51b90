// Message bodies and values of custom fields, from the flags of ticket commands.

import { standardInputText } from '#platform/files.ts';
import type { CustomFieldType } from '../../../src/domain/custom-field.ts';
import { customFieldRows } from '../../../src/store/site-catalogue.ts';
import { UsageError } from '../../errors.ts';
import { list } from '../../flags.ts';
import type { Opened } from '../../opened-desk.ts';

export async function bodyOf(flag: string | undefined): Promise<string> {
  if (flag !== undefined) return flag;
  if (process.stdin.isTTY === true) throw new UsageError('Give the text with --body or on standard input.');
  return standardInputText();
}

/** Reads the value by the type of its field: an order number stays text although it looks like a number. */
function parseField(text: string, types: ReadonlyMap<string, CustomFieldType>): [string, unknown] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--field must be key=value, not "${text}".`);
  const [key, value] = [text.slice(0, at), text.slice(at + 1)];
  if (value === '') return [key, null];
  const type = types.get(key);
  const isJson = type === 'number' || type === 'boolean' || (type === 'multiselect' && value.startsWith('['));
  if (!isJson) return [key, type === 'multiselect' ? list(value) : value];
  try {
    return [key, JSON.parse(value)];
  } catch {
    return [key, value];
  }
}

export function fieldValues(opened: Opened, siteId: number, given: readonly string[] | undefined) {
  if (given === undefined) return undefined;
  const rows = opened.read((tx) => customFieldRows.list(tx, siteId));
  const types = new Map(rows.map(({ key, type }) => [key, type]));
  return Object.fromEntries(given.map((text) => parseField(text, types)));
}
