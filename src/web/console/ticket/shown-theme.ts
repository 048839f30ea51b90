// The theme that the page shows, for what lies in frames.

import { type ReadonlySignal, signal } from '@preact/signals';

const read = () => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light');
const shown = signal<'light' | 'dark'>(read());
new MutationObserver(() => {
  shown.value = read();
}).observe(document.documentElement, { attributeFilter: ['data-theme'] });

export const shownTheme: ReadonlySignal<'light' | 'dark'> = shown;
