// Signed, short-lived links to attachments (docs/spec/api.md#attachments).

import type { Instant } from '../base/clock.ts';
import { isSameSecret, type Seal } from '../base/crypto.ts';

export interface Links {
  attachment(ulid: string, now: Instant): { url: string; expiresAt: Instant };
  verify(ulid: string, expires: string, signature: string, now: Instant): 'valid' | 'expired' | 'forged';
}

export function createLinks(seal: Seal, baseUrl: string, ttlMs: number): Links {
  const sign = (ulid: string, expires: string) => seal.sign('attachment', `${ulid}.${expires}`);
  return {
    attachment(ulid, now) {
      const expiresAt = now + ttlMs;
      return {
        url: `${baseUrl}/api/v1/attachments/${ulid}?expires=${expiresAt}&signature=${sign(ulid, String(expiresAt))}`,
        expiresAt,
      };
    },
    verify(ulid, expires, signature, now) {
      if (!/^\d{1,15}$/.test(expires) || !isSameSecret(sign(ulid, expires), signature)) return 'forged';
      return Number(expires) > now ? 'valid' : 'expired';
    },
  };
}
