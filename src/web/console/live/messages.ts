// The messages about the connection, ended sessions and upgrades.

import { addMessages } from '../../shared/messages.ts';
import { catalogues } from '../part-messages.ts';

export const t = addMessages(catalogues.live);
