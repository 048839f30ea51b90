// The messages of the search in the settings.

import type { Search } from '../../messages/console/en/settings-search.ts';
import { addMessages } from '../../shared/messages.ts';
import { catalogues } from '../part-messages.ts';

export const t = addMessages<Search>(catalogues.settings);
