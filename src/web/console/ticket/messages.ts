// The messages of the ticket page and its details.

import { addMessages } from '../../shared/messages.ts';

export const t = addMessages({
  en: () => import('../../messages/console/en/ticket.ts'),
  nl: () => import('../../messages/console/nl/ticket.ts'),
  de: () => import('../../messages/console/de/ticket.ts'),
  fr: () => import('../../messages/console/fr/ticket.ts'),
  es: () => import('../../messages/console/es/ticket.ts'),
});
