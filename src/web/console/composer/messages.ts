// The messages of the composer.

import { addLater, catalogues } from '../later-messages.ts';

export const t = addLater(catalogues.composer);
