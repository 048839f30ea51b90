// The messages of the shell: rail, bar, palette, shortcuts and pages without a ticket.

import { addMessages } from '../../shared/messages.ts';
import { catalogues } from '../messages.ts';

export const t = addMessages(catalogues.shell);
