// Refuses writes that another site's page makes in an agent's name (docs/spec/people.md#sessions).

import { DeskError } from '../../domain/errors.ts';

type Header = (name: string) => string | undefined;

function refused(baseUrl: string): DeskError {
  return new DeskError(
    'forbidden',
    `This request does not come from a page of this desk. Open the desk at ${baseUrl}; HELPDESK_BASE_URL must be the address that browsers use.`,
    { reason: 'cross_site' },
  );
}

const originOf = (baseUrl: string) => new URL(baseUrl).origin;

/** For requests that a cookie authenticates: they must say that they come from the desk itself. */
export function requireSameOrigin(header: Header, baseUrl: string): void {
  const site = header('sec-fetch-site');
  const isOwn = site === undefined ? header('origin') === originOf(baseUrl) : site === 'same-origin';
  if (!isOwn) throw refused(baseUrl);
}

/** For requests that only start a session: programs that are no browser send neither header. */
export function refuseOtherOrigin(header: Header, baseUrl: string): void {
  if (header('sec-fetch-site') !== undefined || header('origin') !== undefined) requireSameOrigin(header, baseUrl);
}
