// The messages of a ticket's details.

import { addPart, catalogues } from '../part-messages.ts';

export const t = addPart(catalogues.details);
