// A name and what belongs to it, with the colon that the language wants.

import { locale } from './format.ts';

/** French has a space before a colon, at which no line breaks. */
export const labelled = (name: string, text: string) => `${name}${locale().startsWith('fr') ? '\u00a0' : ''}: ${text}`;
