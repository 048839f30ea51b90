// The messages of the composer, in German.

import type { ComposerMessages } from '../en/composer.ts';

export const messages: ComposerMessages = {
  reply: 'Antwort',
};
