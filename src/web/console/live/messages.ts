// The messages about the connection, ended sessions and upgrades.

import { addMessages } from '../../shared/messages.ts';

export const t = addMessages({
  en: () => import('../../messages/console/en/live.ts'),
  nl: () => import('../../messages/console/nl/live.ts'),
  de: () => import('../../messages/console/de/live.ts'),
  fr: () => import('../../messages/console/fr/live.ts'),
  es: () => import('../../messages/console/es/live.ts'),
});
