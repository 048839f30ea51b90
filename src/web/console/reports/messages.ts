// The messages of the reports.

import { addLater, catalogues } from '../later-messages.ts';

export const t = addLater(catalogues.reports);
