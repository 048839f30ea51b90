// The messages of the profile.

import { addMessages } from '../../shared/messages.ts';

export const t = addMessages({
  en: () => import('../../messages/console/en/profile.ts'),
  nl: () => import('../../messages/console/nl/profile.ts'),
  de: () => import('../../messages/console/de/profile.ts'),
  fr: () => import('../../messages/console/fr/profile.ts'),
  es: () => import('../../messages/console/es/profile.ts'),
});
