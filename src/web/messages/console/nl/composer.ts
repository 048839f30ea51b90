// The messages of the composer, in Dutch.

import type { ComposerMessages } from '../en/composer.ts';

export const messages: ComposerMessages = {
  reply: 'Antwoord',
};
