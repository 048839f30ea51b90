// Who a ticket is from: one per site and external id (verified), else one per site and e-mail address (docs/spec/api.md#authors).

import { normaliseEmail } from './address.ts';

export const anonymisedName = 'Anonymised';

const anonymisedDomain = '@anonymised.invalid';

/** Whether an address is of the kind that only the desk itself gives: nobody may claim an erased author's. */
export function isAnonymisedEmail(email: string): boolean {
  return normaliseEmail(email).endsWith(anonymisedDomain);
}

export function anonymisedEmail(authorId: number): string {
  return `anonymised+${authorId}${anonymisedDomain}`;
}
