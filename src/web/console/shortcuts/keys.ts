// Keys by name, as commands write them: `j`, `Shift+j`, `?`, `Mod+k`, and sequences such as `g m`.

import type { Command, Scope } from '../commands.ts';

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

const silent = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Dead', 'Process', 'Unidentified']);

/** Null for keys that no shortcut has. `Mod` is ⌘ on a Mac and Ctrl elsewhere. */
export function keyName({ key, code, ctrlKey, metaKey, shiftKey, altKey }: Press, isMac: boolean): string | null {
  if (silent.has(key)) return null;
  const isLetter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  // Many keyboards write signs such as @ with AltGr, which browsers report as Ctrl and Alt.
  const isSign = key.length === 1 && !isLetter;
  if (altKey && !isSign) return null;
  const hasMod = isMac ? metaKey : ctrlKey && !altKey;
  if (!altKey && (isMac ? ctrlKey : metaKey)) return null;
  const parts = hasMod ? ['Mod'] : [];
  if (shiftKey && !isSign) parts.push('Shift');
  parts.push(isLetter ? letterOf(key, code) : key);
  return parts.join('+');
}

/** Keyboards of other alphabets have the letters of the shortcuts at the same places. */
function letterOf(key: string, code: string): string {
  const letter = key.toLowerCase();
  return /^[a-z]$/.test(letter) ? letter : /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : letter;
}

/**
 * The command of these keys, pressed one after the other; `begun` if a longer sequence starts with them.
 * Of two commands with the same keys, that of the later scope and the later component wins.
 */
export function commandFor(
  pressed: string,
  commands: ReadonlyMap<Scope, readonly Command[]>,
): Command | 'begun' | null {
  const available = [...commands.values()].flat().filter(({ isAvailable }) => isAvailable?.() ?? true);
  const exact = available.findLast(({ keys = [] }) => keys.includes(pressed));
  if (exact !== undefined) return exact;
  return available.some(({ keys = [] }) => keys.some((wanted) => wanted.startsWith(`${pressed} `))) ? 'begun' : null;
}
