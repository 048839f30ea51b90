// The messages of the composer, in French.

import type { ComposerMessages } from '../en/composer.ts';

export const messages: ComposerMessages = {
  reply: 'Réponse',
};
