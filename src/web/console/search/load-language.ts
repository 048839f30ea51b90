// The language of searches is loaded with the first search.

import { onDemandPart } from '../shell/load-part.ts';

export const searchPart = onDemandPart(async () => await import('../shell/on-demand-parts.ts'));
