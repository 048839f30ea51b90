// What is typed between a key that asks for a dialog and the dialog, whose code may be on its way. On the page the same letters are shortcuts.

import { isLetter } from '../../shared/list-keys.ts';

interface EarlyKeys {
  text: string;
  isEntered: boolean;
}

const none: EarlyKeys = { text: '', isEntered: false };

let early = none;

/**
 * @param onCancel Escape was pressed
 * @returns ends it, and forgets what was kept
 */
export function keepEarlyKeys(onCancel: () => void): () => void {
  const keep = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === 'Escape') onCancel();
    else early = withKey(event);
  };
  early = none;
  addEventListener('keydown', keep, { capture: true });
  return () => {
    early = none;
    removeEventListener('keydown', keep, { capture: true });
  };
}

export function earlyKeys(): EarlyKeys {
  return early;
}

function withKey(event: KeyboardEvent): EarlyKeys {
  // What follows Enter was meant for the page after the dialog.
  if (early.isEntered) return early;
  if (event.key === 'Enter') return { ...early, isEntered: true };
  if (event.key === 'Backspace') return { text: early.text.slice(0, -1), isEntered: false };
  return isLetter(event) || event.key === ' ' ? { text: early.text + event.key, isEntered: false } : early;
}
