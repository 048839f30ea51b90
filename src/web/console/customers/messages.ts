// The messages of customers and held mail.

import { addLater, catalogues } from '../later-messages.ts';

export const t = addLater(catalogues.customers);
