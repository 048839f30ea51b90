// Fields that are empty.

import { t } from '../shared/sign-in-messages.ts';

export function missing(values: Record<string, string>): Record<string, string> {
  const empty = Object.keys(values).filter((name) => values[name]?.trim() === '');
  return Object.fromEntries(empty.map((name) => [name, t.required]));
}
