// The messages of customers and held mail.

import { addMessages } from '../../shared/messages.ts';

export const t = addMessages({
  en: () => import('../../messages/console/en/customers.ts'),
  nl: () => import('../../messages/console/nl/customers.ts'),
  de: () => import('../../messages/console/de/customers.ts'),
  fr: () => import('../../messages/console/fr/customers.ts'),
  es: () => import('../../messages/console/es/customers.ts'),
});
