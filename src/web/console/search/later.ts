// The language of searches is loaded with the first search.

import { laterPart } from '../shell/load-part.ts';

export const searchPart = laterPart(async () => await import('../shell/later.ts'));
