// The messages of signing in and of confirming the identity.

import { addMessages } from './messages.ts';

export const t = addMessages({
  en: () => import('../messages/sign-in/en/pages.ts'),
  nl: () => import('../messages/sign-in/nl/pages.ts'),
  de: () => import('../messages/sign-in/de/pages.ts'),
  fr: () => import('../messages/sign-in/fr/pages.ts'),
  es: () => import('../messages/sign-in/es/pages.ts'),
});
