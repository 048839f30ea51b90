// How the keyboard moves through a list of options or menu items: as pure steps.

const pageSize = 10;

/** The index that a key leads to; null if the key does not move. An `active` of -1 is before the first. */
export function movedBy(key: string, active: number, count: number): number | null {
  if (count === 0) return null;
  const within = (index: number) => Math.min(count - 1, Math.max(0, index));
  switch (key) {
    case 'ArrowDown':
      return within(active + 1);
    case 'ArrowUp':
      return within(active === -1 ? count - 1 : active - 1);
    case 'PageDown':
      return within(active + pageSize);
    case 'PageUp':
      return within(active - pageSize);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

/** The text without case and accents, as people search it. */
export function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase();
}

/** Maps the keys of a row of tabs to those of a list. */
export function tabKey(key: string, isRightToLeft: boolean): string | null {
  if (key === 'Home' || key === 'End') return key;
  if (key === 'ArrowRight') return isRightToLeft ? 'ArrowUp' : 'ArrowDown';
  if (key === 'ArrowLeft') return isRightToLeft ? 'ArrowDown' : 'ArrowUp';
  return null;
}

interface Searchable {
  text: string;
  hint?: string | undefined;
}

/** Those that contain every typed word; those that begin with what was typed come first. */
export function matching<Option extends Searchable>(options: readonly Option[], typed: string): Option[] {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...options];
  const all = words.join(' ');
  const ranked = options.flatMap((option) => {
    const text = folded(option.text);
    const searched = `${text} ${folded(option.hint ?? '')}`;
    if (!words.every((word) => searched.includes(word))) return [];
    return [{ option, rank: text.startsWith(all) ? 0 : text.includes(` ${all}`) ? 1 : 2 }];
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ option }) => option);
}

/** The next option after `active` that begins with what was typed, round the end; a repeated letter walks on. */
export function typedAhead(options: readonly Searchable[], typed: string, active: number): number | null {
  const wanted = folded(typed);
  const isOneLetter = new Set(wanted).size === 1;
  const start = isOneLetter ? active + 1 : Math.max(active, 0);
  for (let step = 0; step < options.length; step += 1) {
    const index = (start + step) % options.length;
    if (folded(options[index]?.text ?? '').startsWith(isOneLetter ? (wanted[0] ?? '') : wanted)) return index;
  }
  return null;
}

const forgottenAfterMs = 700;

/** Collects letters that are typed quickly one after the other. */
export function typeAhead(): (key: string, time: number) => string {
  let typed = '';
  let last = Number.NEGATIVE_INFINITY;
  return (key, time) => {
    typed = time - last > forgottenAfterMs ? key : typed + key;
    last = time;
    return typed;
  };
}

export function isLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return [...key].length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;
}
