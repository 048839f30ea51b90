// Two letters that stand for a person.

export function initials(name: string): string {
  const words = name.split(/[\s.@_-]+/u).filter((word) => /\p{L}/u.test(word));
  const [first = '', last = ''] = words.length > 1 ? [words[0], words.at(-1)] : [words[0] ?? name.trim()];
  return [first, last]
    .map((word) => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase();
}
