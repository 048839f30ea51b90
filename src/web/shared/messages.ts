// The messages of the pages in the language of the reader. Parts of the console bring catalogues of their own.

import { signal } from '@preact/signals';
import type { Locale } from '../../domain/people/preferences.ts';
import type { Messages } from '../messages/en.ts';

export const languageNames: Readonly<Record<Locale, string>> = {
  en: 'English',
  nl: 'Nederlands',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
};

export type Catalogues<Texts> = Record<Locale, () => Promise<{ messages: Texts }>>;

const added: Catalogues<unknown>[] = [];
const loaded = new Map<Catalogues<unknown>, Map<Locale, unknown>>();

const shown = signal<{ language: Locale; texts: Record<string, unknown> } | null>(null);

/**
 * The messages of one part, and those of every page. What shows them is drawn again when the language changes.
 * `Before` names those of parts that are there before it.
 */
export function addMessages<Texts extends object, Before extends object = object>(
  catalogues: Catalogues<Texts>,
): Texts & Before & Messages {
  added.push(catalogues);
  return new Proxy({} as Texts & Before & Messages, { get: (_, name) => shown.value?.texts[String(name)] });
}

export const t: Messages = addMessages({
  en: () => import('../messages/en.ts'),
  nl: () => import('../messages/nl.ts'),
  de: () => import('../messages/de.ts'),
  fr: () => import('../messages/fr.ts'),
  es: () => import('../messages/es.ts'),
});

/** For a page that the desk writes, in one step: in between, no other page is written. */
export function speak(language: Locale, texts: Record<string, unknown>): void {
  shown.value = { language, texts };
}

export function language(): Locale {
  return shown.value?.language ?? 'en';
}

/** The language that was wanted last: it may be on its way. */
let asked: Locale = 'en';

/** Loads what is missing of that language, for every part that was added until now. */
export async function loadMessages(wanted: Locale = asked): Promise<void> {
  asked = wanted;
  const count = added.length;
  await Promise.all(added.map((catalogues) => load(catalogues, wanted)));
  if (asked !== wanted) return await loadMessages();
  // Everything that has been loaded, not only what this call asked for: a later call may have come back first, and its part is drawn.
  const texts = Object.assign({}, ...added.map((catalogues) => loaded.get(catalogues)?.get(wanted)));
  const before = shown.peek();
  if (before?.language !== wanted || Object.keys(before.texts).length !== Object.keys(texts).length)
    shown.value = { language: wanted, texts };
  document.documentElement.lang = wanted;
  if (added.length > count) await loadMessages(wanted);
}

async function load(catalogues: Catalogues<unknown>, wanted: Locale): Promise<void> {
  const known = loaded.get(catalogues) ?? new Map<Locale, unknown>();
  loaded.set(catalogues, known);
  if (!known.has(wanted)) known.set(wanted, (await catalogues[wanted]()).messages);
}

export function isLanguage(value: unknown): value is Locale {
  return typeof value === 'string' && Object.hasOwn(languageNames, value);
}

/** The first of the browser's languages with messages. */
export function languageOf(preferred: readonly string[]): Locale {
  return preferred.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en';
}
