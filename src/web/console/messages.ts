// The messages that the console begins with: a catalogue for each of its parts. Those of the other parts: part-messages.ts.

import type { Catalogues } from '../shared/messages.ts';

export const inEachLanguage = <Texts>(catalogues: Catalogues<Texts>) => catalogues;

export const catalogues = {
  list: inEachLanguage({
    en: () => import('../messages/console/en/list.ts'),
    nl: () => import('../messages/console/nl/list.ts'),
    de: () => import('../messages/console/de/list.ts'),
    fr: () => import('../messages/console/fr/list.ts'),
    es: () => import('../messages/console/es/list.ts'),
  }),
  shell: inEachLanguage({
    en: () => import('../messages/console/en/shell.ts'),
    nl: () => import('../messages/console/nl/shell.ts'),
    de: () => import('../messages/console/de/shell.ts'),
    fr: () => import('../messages/console/fr/shell.ts'),
    es: () => import('../messages/console/es/shell.ts'),
  }),
};
