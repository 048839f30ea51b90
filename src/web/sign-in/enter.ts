// What follows once there is a session.

import { homePath, ownPath } from '../shared/paths.ts';

/** Replaces the page in the history, because it has a form or a used link. */
export function enter(): void {
  const wanted = new URLSearchParams(location.search).get('return_to');
  location.replace(ownPath(wanted, location.origin, homePath));
}
