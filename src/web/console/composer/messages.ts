// The messages of the composer.

import { addPart, catalogues } from '../part-messages.ts';

export const t = addPart(catalogues.composer);
