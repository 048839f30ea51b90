// What follows once there is a session.

import { homePath, ownPath } from '../shared/paths.ts';

/** Leaves for where the agent wanted to go. The page with the link or the form does not stay in the history. */
export function enter(): void {
  const wanted = new URLSearchParams(location.search).get('return_to');
  location.replace(ownPath(wanted, location.origin, homePath));
}
