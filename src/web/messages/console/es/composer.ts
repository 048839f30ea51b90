// The messages of the composer, in Spanish.

import type { ComposerMessages } from '../en/composer.ts';

export const messages: ComposerMessages = {
  reply: 'Respuesta',
};
