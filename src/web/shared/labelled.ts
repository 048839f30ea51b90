// A name and what belongs to it, with the colon that the language wants.

import { language } from './messages.ts';

/** French has a space before a colon, at which no line breaks. */
export const labelled = (name: string, text: string) => `${name}${language() === 'fr' ? '\u00a0' : ''}: ${text}`;
