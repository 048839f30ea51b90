// The text form of a ULID: 26 characters of Crockford's base 32, the first of which cannot exceed 7.

export const ulidShape = '[0-7][0-9A-HJKMNP-TV-Z]{25}';
export const ulidPattern = new RegExp(`^${ulidShape}$`);
const anyCase = new RegExp(ulidPattern, 'i');

export function isUlid(text: string): boolean {
  return anyCase.test(text);
}
