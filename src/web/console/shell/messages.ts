// The messages of the shell: rail, bar, palette, shortcuts and pages without a ticket.

import { addMessages } from '../../shared/messages.ts';

export const t = addMessages({
  en: () => import('../../messages/console/en/shell.ts'),
  nl: () => import('../../messages/console/nl/shell.ts'),
  de: () => import('../../messages/console/de/shell.ts'),
  fr: () => import('../../messages/console/fr/shell.ts'),
  es: () => import('../../messages/console/es/shell.ts'),
});
