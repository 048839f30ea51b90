// The messages of the customers' pages. The desk has chosen the language.

import { addMessages } from '../shared/messages.ts';

export const t = addMessages({
  en: () => import('../messages/customer/en/pages.ts'),
  nl: () => import('../messages/customer/nl/pages.ts'),
  de: () => import('../messages/customer/de/pages.ts'),
  fr: () => import('../messages/customer/fr/pages.ts'),
  es: () => import('../messages/customer/es/pages.ts'),
});
