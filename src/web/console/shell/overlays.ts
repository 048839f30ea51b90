// What lies over the page: the command palette or the list of shortcuts. Loaded when first asked for.

import { signal } from '@preact/signals';

type Overlay = 'palette' | 'help' | 'drawer';

export const overlay = signal<Overlay | null>(null);

export function openOverlay(wanted: Overlay): void {
  overlay.value = wanted;
}

export function closeOverlay(): void {
  overlay.value = null;
}
