// The messages of the live board, in French.

import type { BoardMessages } from '../en/pages.ts';

export const messages: BoardMessages = {
  open: 'Ouverts',
  unassigned: 'Non attribués',
  oldestWait: 'Plus longue attente',
  dueSoon: 'Bientôt dus',
  breachedToday: 'En retard aujourd’hui',
  agentsThere: 'Agents présents',
  updatedAt: (time) => `À ${time}`,
  notSince: (time) => `Pas de connexion depuis ${time}`,
  closed: 'Ce lien ne fonctionne plus',
  closedNext: 'Il a été révoqué, ou il est incomplet. Une personne qui gère le desk peut en créer un nouveau.',
};
