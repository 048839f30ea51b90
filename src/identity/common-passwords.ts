// Passwords that attackers try first.

import list from './common-passwords.txt' with { type: 'text' };

let known: Set<string> | null = null;

/** Capital letters do not make a common password rare. */
export function isCommonPassword(plain: string): boolean {
  known ??= new Set(list.trim().split('\n'));
  return known.has(plain.toLowerCase());
}
