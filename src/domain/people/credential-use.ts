// A use of a token or session, which is stored later with others.

import type { Instant } from '../instant.ts';

export const usedCredentials = ['token', 'session'] as const;
export type UsedCredential = (typeof usedCredentials)[number];

export interface CredentialUse {
  kind: UsedCredential;
  id: number;
  at: Instant;
}
