// Which file has the operation of a path. A build puts the finished table in the place of this module (scripts/known-routes.ts), so that a desk starts without loading them all.

import { readKnownRoutes } from './operations.ts';

export const knownRoutes = await readKnownRoutes();
