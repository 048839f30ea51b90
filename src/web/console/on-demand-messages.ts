// The messages of the parts that are loaded after the list.

import type { ListMessages } from '../messages/console/en/list.ts';
import type { OnDemandMessages } from '../messages/console/en/on-demand.ts';
import type { ShellMessages } from '../messages/console/en/shell.ts';
import { addMessages } from '../shared/messages.ts';
import { catalogues } from './part-messages.ts';

export const t = addMessages<OnDemandMessages, ListMessages & ShellMessages>(catalogues.onDemand);
