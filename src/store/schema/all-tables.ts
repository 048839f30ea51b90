// Every table that the code describes.

import * as agents from './agents.ts';
import * as customers from './customers.ts';
import * as deliveries from './deliveries.ts';
import * as desk from './desk.ts';
import * as macros from './macros.ts';
import * as sites from './sites.ts';
import * as tickets from './tickets.ts';
import * as views from './views.ts';

export const allTables = { ...agents, ...customers, ...deliveries, ...desk, ...macros, ...sites, ...tickets, ...views };
