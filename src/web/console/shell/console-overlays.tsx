// The palette and the list of shortcuts, loaded when they are first opened, and the way back in after the session ended.

import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { ended } from '../../shared/signed-in.ts';
import { loadPart } from './load-part.ts';
import { overlay } from './overlays.ts';

const parts = {
  palette: signal<ComponentType | null>(null),
  help: signal<ComponentType | null>(null),
  signIn: signal<ComponentType | null>(null),
};

const sources: Record<keyof typeof parts, () => Promise<ComponentType>> = {
  palette: async () => (await import('../palette/palette.tsx')).Palette,
  help: async () => (await import('../shortcuts/help.tsx')).Help,
  signIn: async () => (await import('./sign-in-again.tsx')).SignInAgain,
};

export function ConsoleOverlays() {
  const open = overlay.value;
  const wanted = ended.value !== null ? 'signIn' : open === 'palette' || open === 'help' ? open : null;
  useEffect(() => {
    if (wanted !== null) void load(wanted);
  }, [wanted]);
  const Part = wanted && parts[wanted].value;
  return Part && <Part />;
}

async function load(name: keyof typeof parts): Promise<void> {
  parts[name].value ??= await loadPart(sources[name]);
}
