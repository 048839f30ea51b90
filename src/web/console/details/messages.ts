// The messages of a ticket's details.

import { addLater, catalogues } from '../later-messages.ts';

export const t = addLater(catalogues.details);
