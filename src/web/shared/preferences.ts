// Theme and language on this device, so that the sign-in page has them too. Signed in, the agent's own settings win.

import type { Locale } from '../../domain/people/preferences.ts';
import { type Theme, themes } from '../../domain/people/preferences.ts';
import { isLanguage, languageOf } from './messages.ts';

const themeKey = 'helpdesk.theme';
const languageKey = 'helpdesk.language';

export function storedTheme(): Theme {
  const stored = readStored(themeKey);
  return themes.find((theme) => theme === stored) ?? 'system';
}

export function storeTheme(theme: Theme): void {
  writeStored(themeKey, theme);
  // Other tabs get this event from the browser; src/web/shared/theme-script.ts listens to it.
  dispatchEvent(new StorageEvent('storage', { key: themeKey }));
}

export function preferredLanguage(): Locale {
  const stored = readStored(languageKey);
  return isLanguage(stored) ? stored : languageOf(navigator.languages);
}

export function storeLanguage(language: Locale): void {
  writeStored(languageKey, language);
}

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Some browsers refuse storage to some pages.
    return null;
  }
}

export function writeStored(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The choice then lasts until the page is closed.
  }
}

export function removeStored(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was stored either.
  }
}
