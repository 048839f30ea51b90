// The messages about what can be searched for, in Spanish.

import type { SearchMessages } from '../en/search.ts';

export const messages: SearchMessages = {
  searchUse: (text) => `Usar «${text}»`,
  searchValueMissing: (key) => `Escribe un valor después de ${key}:.`,
  searchValueUnknown: (value, key, good) =>
    good === '' ? `«${value}» no es un valor de «${key}:».` : `«${value}» no es un valor de «${key}:». Usa ${good}.`,
  searchSeveralMatch: (value) => `Varios sitios empiezan por «${value}». Escribe más del nombre.`,
  searchNotADate: (value, example) => `«${value}» no es una fecha. Usa ${example}, 7d, today o yesterday.`,
  searchNotATag: (value) => `«${value}» no puede ser una etiqueta: solo minúsculas, cifras y guiones.`,
  searchNotAnAddress: (value) =>
    `from: necesita una dirección completa o un dominio como @example.org, no «${value}». Los nombres se encuentran sin from:.`,
  searchOnlyOnce: (key) => `${key}: admite un solo valor.`,
  searchAssigneeAndNone: 'Un ticket no puede tener responsable y no tenerlo.',
  searchNoExclusion: (key) => `Un signo menos solo excluye palabras, no ${key}:.`,
  searchKeyUnknown: (key, good) =>
    `«${key}:» no es un término de búsqueda. Usa ${good}, o pon las palabras entre comillas.`,
  searchOnlyExcluded: 'Escribe también una palabra que buscar: un signo menos solo excluye.',
  searchTooLong: (most) => `Una búsqueda tiene como máximo ${most} caracteres.`,
  searchCompletions: 'Sugerencias',
  searchHelp: 'Qué se puede buscar',
  helpPhrase: 'Estas palabras juntas',
  helpExclude: 'Sin esta palabra',
  helpReference: 'El ticket con este número',
  helpStatus: 'Uno de estos estados',
  helpAssignee: 'Asignado a ti; assignee:none para sin asignar',
  helpTeam: 'De un equipo',
  helpTag: 'Con esta etiqueta y esta prioridad',
  helpFrom: 'Escrito por esta dirección',
  helpParticipant: 'Participa con esta dirección',
  helpDates: 'Creado a partir de este día, y hace más de una semana',
  helpAttachment: 'Con un archivo',
  helpBreached: 'Se ha incumplido un plazo',
};
