// The messages of the customers' pages, for what the desk fills in itself.

import { type Locale, locales } from '../../../domain/preferences.ts';
import { messages as de } from '../../../web/messages/customer/de/pages.ts';
import { type CustomerMessages, messages as en } from '../../../web/messages/customer/en/pages.ts';
import { messages as es } from '../../../web/messages/customer/es/pages.ts';
import { messages as fr } from '../../../web/messages/customer/fr/pages.ts';
import { messages as nl } from '../../../web/messages/customer/nl/pages.ts';
import { languageFor } from '../negotiate.ts';

export type Texts = CustomerMessages;

const catalogues: Record<Locale, Texts> = { en, nl, de, fr, es };

export interface Reader {
  language: Locale;
  /** The language with the region of the browser, for dates and numbers. */
  locale: string;
  text: Texts;
}

/** @param own the language of the site; null leaves it to the browser */
export function readerOf(own: Locale | null, acceptLanguage: string | undefined): Reader {
  const preferred = languageFor(acceptLanguage, locales);
  const language = own ?? locales.find((locale) => locale === preferred) ?? 'en';
  const [, locale = language] =
    new RegExp(`(?:^|[,\\s])(${language}-[A-Z]{2})(?:[,;\\s]|$)`).exec(acceptLanguage ?? '') ?? [];
  return { language, locale, text: catalogues[language] };
}
