// The messages of the ticket page and its details.

import { addLater, catalogues } from '../later-messages.ts';

export const t = addLater(catalogues.ticket);
