// The messages of the composer, in English.

import type { Same } from '../../en.ts';

export const messages = {
  reply: 'Reply',
};

export type ComposerMessages = Same<typeof messages>;
