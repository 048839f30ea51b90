// What the address of a search holds.

export const longestSearch = 500;

export function searchPath(text: string): string {
  return `/search?${new URLSearchParams({ q: text })}`;
}
