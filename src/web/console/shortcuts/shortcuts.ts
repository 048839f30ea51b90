// Runs commands by their keys, unless the agent is typing or something over the page has the keyboard.

import { type Command, commandsByScope } from '../commands.ts';
import { me } from '../session.ts';
import { commandFor, keyName } from './keys.ts';

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
