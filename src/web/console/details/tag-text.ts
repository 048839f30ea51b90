// What the desk takes as a tag (docs/spec/api.md#tickets).

const longest = 32;
export const mostTags = 10;

/** The tag that was probably meant; empty if no letter or digit of one is left. */
export function tagOf(typed: string): string {
  return typed
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replace(/^-+|-+$/g, '');
}
