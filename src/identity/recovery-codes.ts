// Single-use codes for people who have lost their phone.

import { randomBelow } from '../base/crypto.ts';

const codes = 10;
const groups = 4;
const groupLength = 4;
// Without letters that look like digits.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

function newCode(): string {
  const group = () => Array.from({ length: groupLength }, () => alphabet[randomBelow(alphabet.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

/** Ten codes of 80 random bits, such as `7k2m-0xq9-pw3d-v6ht`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: codes }, newCode);
}

export function normaliseRecoveryCode(text: string): string | null {
  if (text.length > 64) return null;
  const plain = text.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1');
  return plain.length === groups * groupLength && [...plain].every((letter) => alphabet.includes(letter))
    ? plain
    : null;
}
