// Writes src/identity/common-passwords.txt from a package of leaked passwords, most frequent first.

import { createRequire } from 'node:module';
import { passwordLength } from '../src/domain/sites/limits.ts';

const place = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common');

/** Those of 49,233 passwords that are long enough to be chosen. */
export async function commonPasswords(): Promise<string> {
  const { dictionary } = await import(place);
  const ranked: string[] = dictionary['passwords-common'];
  return `${ranked.filter((password) => [...password].length >= passwordLength.least).join('\n')}\n`;
}

if (import.meta.main) {
  await Bun.write(new URL('../src/identity/common-passwords.txt', import.meta.url), await commonPasswords());
}
