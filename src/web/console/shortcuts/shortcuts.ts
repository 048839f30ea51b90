// Runs commands by their keys, unless the agent is typing or something over the page has the keyboard.

import { type Command, commandsByScope, type Scope } from '../commands.ts';
import { me } from '../session.ts';

const sequenceMs = 1500;

export const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

let begun: { key: string; at: number } | null = null;

export function listenToKeys(): () => void {
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const name = keyName(event, isMac);
  if (name === null) return;
  const first = begun !== null && event.timeStamp - begun.at < sequenceMs ? begun.key : null;
  begun = null;
  if (document.querySelector('dialog:modal') !== null) return;
  const found = (first === null ? null : usable(`${first} ${name}`, event)) ?? usable(name, event);
  if (found === null) return;
  event.preventDefault();
  if (found === 'begun') begun = { key: name, at: event.timeStamp };
  else if (!event.repeat || found.isOnlyByKey) found.run();
}

function usable(keys: string, event: KeyboardEvent): Command | 'begun' | null {
  const found = commandFor(keys, commandsByScope.peek());
  if (found === null) return null;
  const target = event.target instanceof Element ? event.target : null;
  const isCharacter = keys !== 'Escape' && !keys.startsWith('Mod+');
  if (isCharacter && me.peek()?.shortcuts === false) return null;
  if (keys === 'Escape' && document.querySelector(':popover-open') !== null) return null;
  if (hasOwnUse(target, keys) && (found === 'begun' || !found.isWhileTyping)) return null;
  return found;
}

const written = 'input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select';
const choosing = '[role=menu], [role=listbox], [role=combobox][aria-expanded=true], [role=tree]';
const pressable = 'a, button, summary, input, [role=button], [role=tab]';

function hasOwnUse(target: Element | null, keys: string): boolean {
  if (target === null) return false;
  if (target.matches(written) || (target as HTMLElement).isContentEditable) return true;
  if (target.closest(choosing) !== null) return true;
  return (keys === 'Enter' || keys === ' ') && target.closest(pressable) !== null;
}

// Keys by name, as commands write them: `j`, `Shift+j`, `?`, `Mod+k`, and sequences such as `g m`.
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
