// The messages of the reports.

import { addPart, catalogues } from '../part-messages.ts';

export const t = addPart(catalogues.reports);
