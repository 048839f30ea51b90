// The messages of the pages in the language of the reader.

import { signal } from '@preact/signals';
import type { Messages } from '../messages/en.ts';

export const languageNames = {
  en: 'English',
  nl: 'Nederlands',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
} as const;

export type Language = keyof typeof languageNames;

const catalogues: Record<Language, () => Promise<{ messages: Messages }>> = {
  en: () => import('../messages/en.ts'),
  nl: () => import('../messages/nl.ts'),
  de: () => import('../messages/de.ts'),
  fr: () => import('../messages/fr.ts'),
  es: () => import('../messages/es.ts'),
};

const shown = signal<{ language: Language; messages: Messages } | null>(null);

/** The messages in the language that was loaded last. What shows them is drawn again when that changes. */
export const t: Messages = new Proxy({} as Messages, {
  get: (_, name) => shown.value?.messages[name as keyof Messages],
});

export function language(): Language {
  return shown.value?.language ?? 'en';
}

export async function loadMessages(wanted: Language): Promise<void> {
  if (shown.peek()?.language === wanted) return;
  const { messages } = await catalogues[wanted]();
  shown.value = { language: wanted, messages };
  document.documentElement.lang = wanted;
}

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(languageNames, value);
}

/** The first of the browser's languages with messages. */
export function languageOf(preferred: readonly string[]): Language {
  return preferred.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en';
}
