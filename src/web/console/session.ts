// Who works in the console, which sites they see, and which of them they chose.

import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { themes } from '../../domain/people/preferences.ts';
import type { Refusal } from '../shared/api.ts';
import { readInTimeZone } from '../shared/format.ts';
import { isLanguage } from '../shared/messages.ts';
import { storeTheme } from '../shared/preferences.ts';
import { ask } from '../shared/signed-in.ts';
import { chooseLanguage } from '../shared/start.tsx';
import type { Me, Session } from '../shared/wire.ts';
import { remembered } from './remembered.ts';

export type Site = Session['sites'][number];
type Ability = Session['abilities'][number];

/** Null until the desk has answered. */
export const session: Signal<Session | null> = signal(null);
export const me: Signal<Me | null> = signal(null);
export const sessionRefusal = signal<Refusal | null>(null);

export const visibleSites: ReadonlySignal<readonly Site[]> = computed(() => session.value?.sites ?? []);

const wantedSite = remembered<number | null>('site', null);

/** Null for all sites. A site that the agent no longer sees is not chosen. */
export const chosenSite: ReadonlySignal<number | null> = computed(() =>
  visibleSites.value.some(({ id }) => id === wantedSite.value) ? wantedSite.value : null,
);

export function chooseSite(id: number | null): void {
  wantedSite.value = id;
}

export function can(ability: Ability): boolean {
  return session.value?.abilities.includes(ability) ?? false;
}

let newestLoad = 0;

export async function loadSession(): Promise<void> {
  newestLoad += 1;
  const own = newestLoad;
  const [started, account] = await Promise.all([
    ask<{ data: Session }>('GET', '/session'),
    ask<{ data: Me }>('GET', '/me'),
  ]);
  if (own !== newestLoad) return;
  if (!started.isOk) sessionRefusal.value = started.refusal;
  else if (!account.isOk) sessionRefusal.value = account.refusal;
  else {
    sessionRefusal.value = null;
    await applyPreferences(account.data.data);
    me.value = account.data.data;
    session.value = started.data.data;
  }
}

async function applyPreferences({ locale, theme, time_zone: timeZone }: Me): Promise<void> {
  readInTimeZone(timeZone);
  const chosen = themes.find((one) => one === theme);
  if (chosen !== undefined) storeTheme(chosen);
  if (isLanguage(locale)) await chooseLanguage(locale);
}
