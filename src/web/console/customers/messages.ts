// The messages of customers and held mail.

import { addPart, catalogues } from '../part-messages.ts';

export const t = addPart(catalogues.customers);
