// Two letters that stand for a person or a view.

export function initials(name: string): string {
  const words = name.split(/[\s.@_-]+/u).filter((word) => /\p{L}/u.test(word));
  const [first = '', last = ''] = words.length > 1 ? [words[0], words.at(-1)] : [words[0] ?? name.trim()];
  return [first, last]
    .map((word) => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase();
}

/** One word gives two letters. */
export function viewMark(name: string): string {
  const letters = [...initials(name)];
  const [first = '', second = ''] = name.replaceAll(/\s/gu, '');
  return letters.length > 1 ? letters.join('') : `${first.toLocaleUpperCase()}${second.toLocaleLowerCase()}`;
}
