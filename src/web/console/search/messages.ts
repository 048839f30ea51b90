// The messages about what can be searched for.

import type { ListMessages } from '../../messages/console/en/list.ts';
import type { SearchMessages } from '../../messages/console/en/search.ts';
import { addMessages } from '../../shared/messages.ts';

export const t = addMessages<SearchMessages, ListMessages>({
  en: () => import('../../messages/console/en/search.ts'),
  nl: () => import('../../messages/console/nl/search.ts'),
  de: () => import('../../messages/console/de/search.ts'),
  fr: () => import('../../messages/console/fr/search.ts'),
  es: () => import('../../messages/console/es/search.ts'),
});
