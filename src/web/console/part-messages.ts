// The messages of the parts of the console that are loaded after the list, which bring their catalogues with them.

import type { ListMessages } from '../messages/console/en/list.ts';
import type { ShellMessages } from '../messages/console/en/shell.ts';
import { addMessages, type Catalogues } from '../shared/messages.ts';
import { inEachLanguage } from './messages.ts';
import './list/messages.ts';

/** With the words of the list, which are those of a ticket everywhere. */
export const addPart = <Texts extends object>(part: Catalogues<Texts>) =>
  addMessages<Texts, ListMessages & ShellMessages>(part);

export const catalogues = {
  composer: inEachLanguage({
    en: () => import('../messages/console/en/composer.ts'),
    nl: () => import('../messages/console/nl/composer.ts'),
    de: () => import('../messages/console/de/composer.ts'),
    fr: () => import('../messages/console/fr/composer.ts'),
    es: () => import('../messages/console/es/composer.ts'),
  }),
  customers: inEachLanguage({
    en: () => import('../messages/console/en/customers.ts'),
    nl: () => import('../messages/console/nl/customers.ts'),
    de: () => import('../messages/console/de/customers.ts'),
    fr: () => import('../messages/console/fr/customers.ts'),
    es: () => import('../messages/console/es/customers.ts'),
  }),
  details: inEachLanguage({
    en: () => import('../messages/console/en/details.ts'),
    nl: () => import('../messages/console/nl/details.ts'),
    de: () => import('../messages/console/de/details.ts'),
    fr: () => import('../messages/console/fr/details.ts'),
    es: () => import('../messages/console/es/details.ts'),
  }),
  live: inEachLanguage({
    en: () => import('../messages/console/en/live.ts'),
    nl: () => import('../messages/console/nl/live.ts'),
    de: () => import('../messages/console/de/live.ts'),
    fr: () => import('../messages/console/fr/live.ts'),
    es: () => import('../messages/console/es/live.ts'),
  }),
  onDemand: inEachLanguage({
    en: () => import('../messages/console/en/on-demand.ts'),
    nl: () => import('../messages/console/nl/on-demand.ts'),
    de: () => import('../messages/console/de/on-demand.ts'),
    fr: () => import('../messages/console/fr/on-demand.ts'),
    es: () => import('../messages/console/es/on-demand.ts'),
  }),
  profile: inEachLanguage({
    en: () => import('../messages/console/en/profile.ts'),
    nl: () => import('../messages/console/nl/profile.ts'),
    de: () => import('../messages/console/de/profile.ts'),
    fr: () => import('../messages/console/fr/profile.ts'),
    es: () => import('../messages/console/es/profile.ts'),
  }),
  reports: inEachLanguage({
    en: () => import('../messages/console/en/reports.ts'),
    nl: () => import('../messages/console/nl/reports.ts'),
    de: () => import('../messages/console/de/reports.ts'),
    fr: () => import('../messages/console/fr/reports.ts'),
    es: () => import('../messages/console/es/reports.ts'),
  }),
  search: inEachLanguage({
    en: () => import('../messages/console/en/search.ts'),
    nl: () => import('../messages/console/nl/search.ts'),
    de: () => import('../messages/console/de/search.ts'),
    fr: () => import('../messages/console/fr/search.ts'),
    es: () => import('../messages/console/es/search.ts'),
  }),
  settings: inEachLanguage({
    en: () => import('../messages/console/en/settings-all.ts'),
    nl: () => import('../messages/console/nl/settings-all.ts'),
    de: () => import('../messages/console/de/settings-all.ts'),
    fr: () => import('../messages/console/fr/settings-all.ts'),
    es: () => import('../messages/console/es/settings-all.ts'),
  }),
  ticket: inEachLanguage({
    en: () => import('../messages/console/en/ticket.ts'),
    nl: () => import('../messages/console/nl/ticket.ts'),
    de: () => import('../messages/console/de/ticket.ts'),
    fr: () => import('../messages/console/fr/ticket.ts'),
    es: () => import('../messages/console/es/ticket.ts'),
  }),
};
