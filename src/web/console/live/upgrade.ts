// A desk that was upgraded under an open page: the page reloads itself at a calm moment, and loses nothing that is unsaved.

import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { now } from '../../shared/clock.ts';
import { hello } from './live.ts';

const outdated = signal(false);

export const isOutdated: ReadonlySignal<boolean> = outdated;

const checks = new Set<() => boolean>();

/** Registers a check whether something is unsaved. While one says yes, the page does not reload on its own. */
export function keepsUnsaved(hasUnsaved: () => boolean): () => void {
  checks.add(hasUnsaved);
  return () => {
    checks.delete(hasUnsaved);
  };
}

function isAnythingUnsaved(): boolean {
  return [...checks].some((hasUnsaved) => hasUnsaved());
}

const calmMs = 30_000;
const lookEveryMs = 5000;
const reloadedKey = 'helpdesk.reloaded';
// A page that is outdated again right after it was reloaded would reload for ever.
const leastBetweenMs = 60_000;

function wasJustReloaded(): boolean {
  try {
    return now() - Number(sessionStorage.getItem(reloadedKey) ?? 0) < leastBetweenMs;
  } catch {
    // Without storage no one knows, so the agent decides.
    return true;
  }
}

function reloadIfSafe(): void {
  if (isAnythingUnsaved() || wasJustReloaded()) return;
  sessionStorage.setItem(reloadedKey, `${now()}`);
  location.reload();
}

/** A part that is loaded on demand could not be had. After an upgrade its file is gone, and the page is loaded again. */
export async function noteMissingPart(): Promise<'away' | 'upgraded' | 'same'> {
  const found = await scriptOfDesk();
  if (found === null) return 'away';
  const own = document.querySelector('script[type="module"]')?.getAttribute('src') ?? found;
  if (found === own) return 'same';
  outdated.value = true;
  reloadIfSafe();
  return 'upgraded';
}

const entryPattern = /<script type="module" src="([^"]+)"/;

/** Null without the desk, or while it stops. */
async function scriptOfDesk(): Promise<string | null> {
  try {
    const answer = await fetch(location.pathname, { cache: 'no-store', credentials: 'same-origin' });
    return entryPattern.exec(await answer.text())?.[1] ?? null;
  } catch {
    return null;
  }
}

export function startUpgrading(): void {
  let first: string | null = null;
  effect(() => {
    const version = hello.value?.version ?? null;
    first ??= version;
    if (version !== null && version !== first) outdated.value = true;
  });
  let touchedAt = now();
  for (const name of ['keydown', 'pointerdown', 'wheel', 'touchstart'])
    addEventListener(
      name,
      () => {
        touchedAt = now();
      },
      { passive: true, capture: true },
    );
  const look = () => {
    const isCalm = document.visibilityState === 'hidden' || now() - touchedAt > calmMs;
    if (outdated.peek() && isCalm && document.querySelector('dialog[open]') === null) reloadIfSafe();
  };
  setInterval(look, lookEveryMs);
  document.addEventListener('visibilitychange', look);
}
