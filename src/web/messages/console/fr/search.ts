// The messages about what can be searched for, in French.

import type { SearchMessages } from '../en/search.ts';

export const messages: SearchMessages = {
  searchUse: (text) => `Utiliser « ${text} »`,
  searchValueMissing: (key) => `Saisissez une valeur après ${key}:.`,
  searchValueUnknown: (value, key, good) =>
    good === ''
      ? `« ${value} » n’est pas une valeur de « ${key}: ».`
      : `« ${value} » n’est pas une valeur de « ${key}: ». Utilisez ${good}.`,
  searchSeveralMatch: (value) => `Plusieurs sites commencent par « ${value} ». Tapez-en davantage.`,
  searchNotADate: (value, example) => `« ${value} » n’est pas une date. Utilisez ${example}, 7d, today ou yesterday.`,
  searchNotATag: (value) => `« ${value} » ne peut pas être une étiquette : minuscules, chiffres et tirets seulement.`,
  searchNotAnAddress: (value) =>
    `from: demande une adresse complète ou un domaine comme @example.org, pas « ${value} ». Les noms se trouvent sans from:.`,
  searchOnlyOnce: (key) => `${key}: prend une seule valeur.`,
  searchAssigneeAndNone: 'Un ticket ne peut pas être à la fois attribué et non attribué.',
  searchNoExclusion: (key) => `Un signe moins n’exclut que des mots, pas ${key}:.`,
  searchKeyUnknown: (key, good) =>
    `« ${key}: » n’est pas un terme de recherche. Utilisez ${good}, ou mettez les mots entre guillemets.`,
  searchOnlyExcluded: 'Tapez aussi un mot à trouver : un signe moins ne fait qu’exclure.',
  searchTooLong: (most) => `Une recherche a au plus ${most} caractères.`,
  searchCompletions: 'Propositions',
  searchHelp: 'Ce que vous pouvez chercher',
  helpPhrase: 'Ces mots côte à côte',
  helpExclude: 'Sans ce mot',
  helpReference: 'Le ticket qui porte ce numéro',
  helpStatus: 'L’un de ces statuts',
  helpAssignee: 'Attribué à vous ; assignee:none pour non attribué',
  helpTeam: 'D’une équipe',
  helpTag: 'Avec cette étiquette et cette priorité',
  helpFrom: 'Écrit par cette adresse',
  helpParticipant: 'Participe avec cette adresse',
  helpDates: 'Créé à partir de ce jour, et il y a plus d’une semaine',
  helpAttachment: 'Avec un fichier',
  helpBreached: 'Une échéance est dépassée',
};
