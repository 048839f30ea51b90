// Which file has the operation of a path. A build replaces this module with the finished table (scripts/known-routes.ts), so that a desk starts without loading them all.

import { readKnownRoutes } from './operations.ts';

export const knownRoutes = await readKnownRoutes();
