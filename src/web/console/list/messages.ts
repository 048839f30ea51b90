// The messages of ticket lists and search.

import { addMessages } from '../../shared/messages.ts';

export const t = addMessages({
  en: () => import('../../messages/console/en/list.ts'),
  nl: () => import('../../messages/console/nl/list.ts'),
  de: () => import('../../messages/console/de/list.ts'),
  fr: () => import('../../messages/console/fr/list.ts'),
  es: () => import('../../messages/console/es/list.ts'),
});
