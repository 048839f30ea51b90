// The messages of a ticket's details.

import { addMessages } from '../../shared/messages.ts';

export const t = addMessages({
  en: () => import('../../messages/console/en/details.ts'),
  nl: () => import('../../messages/console/nl/details.ts'),
  de: () => import('../../messages/console/de/details.ts'),
  fr: () => import('../../messages/console/fr/details.ts'),
  es: () => import('../../messages/console/es/details.ts'),
});
