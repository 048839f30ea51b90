// The messages about what can be searched for.

import type { ListMessages } from '../../messages/console/en/list.ts';
import type { OnDemandMessages } from '../../messages/console/en/on-demand.ts';
import type { SearchMessages } from '../../messages/console/en/search.ts';
import { addMessages } from '../../shared/messages.ts';
import { catalogues } from '../part-messages.ts';

export const t = addMessages<SearchMessages, ListMessages & OnDemandMessages>(catalogues.search);
