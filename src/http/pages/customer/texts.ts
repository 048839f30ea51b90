// The messages of the customers' pages, for the desk, which writes them.

import { type Locale, locales } from '../../../domain/people/preferences.ts';
import { messages as de } from '../../../web/messages/customer/de/pages.ts';
import { messages as en } from '../../../web/messages/customer/en/pages.ts';
import { messages as es } from '../../../web/messages/customer/es/pages.ts';
import { messages as fr } from '../../../web/messages/customer/fr/pages.ts';
import { messages as nl } from '../../../web/messages/customer/nl/pages.ts';
import { messages as sharedDe } from '../../../web/messages/de.ts';
import { messages as sharedEn } from '../../../web/messages/en.ts';
import { messages as sharedEs } from '../../../web/messages/es.ts';
import { messages as sharedFr } from '../../../web/messages/fr.ts';
import { messages as sharedNl } from '../../../web/messages/nl.ts';
import { languageFor } from '../negotiate.ts';

/** Customers are told some things in other words than agents. */
const catalogues: Record<Locale, Record<string, unknown>> = {
  en: { ...sharedEn, ...en },
  nl: { ...sharedNl, ...nl },
  de: { ...sharedDe, ...de },
  fr: { ...sharedFr, ...fr },
  es: { ...sharedEs, ...es },
};

export interface Reader {
  language: Locale;
  /** The language with the region of the browser, for dates and numbers. */
  locale: string;
  texts: Record<string, unknown>;
}

/** @param own the language of the site; null leaves it to the browser */
export function readerOf(own: Locale | null, acceptLanguage: string | undefined): Reader {
  const preferred = languageFor(acceptLanguage, locales);
  const language = own ?? locales.find((locale) => locale === preferred) ?? 'en';
  const [, locale = language] =
    new RegExp(`(?:^|[,\\s])(${language}-[A-Z]{2})(?:[,;\\s]|$)`).exec(acceptLanguage ?? '') ?? [];
  return { language, locale, texts: catalogues[language] };
}
