// Who a ticket is from: one per site and external id (verified), else one per site and e-mail address (docs/spec/api.md#authors).

/**
 * An address that mail can be sent to: letters of any script, nothing that could break out of a header or an address
 * list, a domain with a dot.
 */
export const emailPattern =
  /^[^\s@"<>()[\]\\,;:\p{C}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}]$/u;

/** The form in which addresses are compared. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

export const anonymisedName = 'Anonymised';

const anonymisedDomain = '@anonymised.invalid';

/** Whether an address is of the kind that only the desk itself gives: nobody may claim an erased author's. */
export function isAnonymisedEmail(email: string): boolean {
  return normaliseEmail(email).endsWith(anonymisedDomain);
}

export function anonymisedEmail(authorId: number): string {
  return `anonymised+${authorId}${anonymisedDomain}`;
}
