// Who a ticket is from: one author per site and external id (verified), else one per site and address (docs/spec/api.md#authors).

import { normaliseEmail } from '../mail/address.ts';

export const anonymisedName = 'Anonymised';

const anonymisedDomain = '@anonymised.invalid';

export function isAnonymisedEmail(email: string): boolean {
  return normaliseEmail(email).endsWith(anonymisedDomain);
}

export function anonymisedEmail(authorId: number): string {
  return `anonymised+${authorId}${anonymisedDomain}`;
}
