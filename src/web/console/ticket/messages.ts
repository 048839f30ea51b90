// The messages of the ticket page and its details.

import { addPart, catalogues } from '../part-messages.ts';

export const t = addPart(catalogues.ticket);
