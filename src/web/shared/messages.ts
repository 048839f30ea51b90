// The messages of the pages in the language of the reader. Parts of the console bring catalogues of their own.

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

type Catalogues<Texts> = Record<Language, () => Promise<{ messages: Texts }>>;

const added: Catalogues<unknown>[] = [];
const loaded = new Map<Catalogues<unknown>, Map<Language, unknown>>();

const shown = signal<{ language: Language; texts: Record<string, unknown> } | null>(null);

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

export function language(): Language {
  return shown.value?.language ?? 'en';
}

/** The language that was wanted last: it may be on its way. */
let asked: Language = 'en';

/** Loads what is missing of that language, for every part that was added until now. */
export async function loadMessages(wanted: Language = asked): Promise<void> {
  asked = wanted;
  const count = added.length;
  const before = shown.peek();
  const texts = await Promise.all(added.map((catalogues) => textsOf(catalogues, wanted)));
  if (asked !== wanted) return await loadMessages();
  if (before?.language !== wanted || Object.keys(before.texts).length !== Object.keys(merged(texts)).length)
    shown.value = { language: wanted, texts: merged(texts) };
  document.documentElement.lang = wanted;
  if (added.length > count) await loadMessages(wanted);
}

async function textsOf(catalogues: Catalogues<unknown>, wanted: Language): Promise<unknown> {
  const known = loaded.get(catalogues) ?? new Map<Language, unknown>();
  loaded.set(catalogues, known);
  const texts = known.get(wanted) ?? (await catalogues[wanted]()).messages;
  known.set(wanted, texts);
  return texts;
}

function merged(texts: unknown[]): Record<string, unknown> {
  return Object.assign({}, ...texts);
}

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(languageNames, value);
}

/** The first of the browser's languages with messages. */
export function languageOf(preferred: readonly string[]): Language {
  return preferred.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en';
}
