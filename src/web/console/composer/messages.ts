// The messages of the composer.

import { addMessages } from '../../shared/messages.ts';

export const t = addMessages({
  en: () => import('../../messages/console/en/composer.ts'),
  nl: () => import('../../messages/console/nl/composer.ts'),
  de: () => import('../../messages/console/de/composer.ts'),
  fr: () => import('../../messages/console/fr/composer.ts'),
  es: () => import('../../messages/console/es/composer.ts'),
});
