// The messages of the profile.

import { addMessages } from '../../shared/messages.ts';
import { catalogues } from '../later-messages.ts';

export const t = addMessages(catalogues.profile);
