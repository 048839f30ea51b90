// The messages of the parts that are loaded after the list.

import type { LaterMessages } from '../messages/console/en/later.ts';
import type { ListMessages } from '../messages/console/en/list.ts';
import type { ShellMessages } from '../messages/console/en/shell.ts';
import { addMessages } from '../shared/messages.ts';

export const t = addMessages<LaterMessages, ListMessages & ShellMessages>({
  en: () => import('../messages/console/en/later.ts'),
  nl: () => import('../messages/console/nl/later.ts'),
  de: () => import('../messages/console/de/later.ts'),
  fr: () => import('../messages/console/fr/later.ts'),
  es: () => import('../messages/console/es/later.ts'),
});
