// The keys of a command, as the keyboard of this computer shows them.

import { t } from '../on-demand-messages.ts';
import { isMac } from './shortcuts.ts';

function capOf(key: string): string {
  switch (key) {
    case 'Mod':
      return isMac ? '⌘' : t.keyCtrl;
    case 'Shift':
      return isMac ? '⇧' : t.keyShift;
    case 'Enter':
      return '↵';
    case 'Escape':
      return 'Esc';
    case 'ArrowUp':
      return '↑';
    case 'ArrowDown':
      return '↓';
    case 'Home':
      return t.keyHome;
    case 'End':
      return t.keyEnd;
    case 'PageUp':
      return t.keyPageUp;
    case 'PageDown':
      return t.keyPageDown;
    default:
      return key.length === 1 ? key.toUpperCase() : key;
  }
}

/** @param keys such as `Mod+k` or `g m` */
export function Keycaps({ keys }: { keys: string }) {
  return (
    <span class="keycaps">
      {keys.split(' ').map((press, step) => (
        <>
          {step > 0 && <span class="keycaps-then">{t.keyThen}</span>}
          {press.split('+').map((key) => (
            <kbd key={key}>{capOf(key)}</kbd>
          ))}
        </>
      ))}
    </span>
  );
}
