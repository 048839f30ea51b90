// What the desk must remember while someone is at a provider's page: sealed in a cookie or a link, so that any machine can read it.

import * as z from 'zod';
import type { Instant } from '../../base/clock.ts';
import type { Seal } from '../../base/crypto.ts';
import { minuteMs } from '../../domain/instant.ts';

export const sealedForMs = 10 * minuteMs;

const envelope = z.object({ kind: z.string(), until: z.number(), kept: z.unknown() });

/** @param kind is sealed too: no text can stand in for one of another kind */
export function sealedText<Kept extends z.ZodType>(kind: string, shape: Kept) {
  return {
    seal: (seal: Seal, kept: z.output<Kept>, now: Instant): string =>
      seal.seal(JSON.stringify({ kind, until: now + sealedForMs, kept })),
    /** Null when it is not the desk's own, or too old. */
    open(seal: Seal, text: string, now: Instant): z.output<Kept> | null {
      const read = envelope.safeParse(opened(seal, text));
      if (!read.success || read.data.kind !== kind) return null;
      if (read.data.until <= now || read.data.until > now + sealedForMs) return null;
      return shape.safeParse(read.data.kept).data ?? null;
    },
  };
}

function opened(seal: Seal, sealed: string): unknown {
  try {
    return JSON.parse(seal.open(sealed));
  } catch {
    return null;
  }
}

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:');

/** @param kind also part of its name */
export function sealedCookie<Kept extends z.ZodType>(kind: string, shape: Kept) {
  const text = sealedText(kind, shape);
  const nameOf = (baseUrl: string) => (isSecure(baseUrl) ? `__Host-helpdesk-${kind}` : `helpdesk-${kind}`);
  const line = (baseUrl: string, value: string, seconds: number) =>
    `${nameOf(baseUrl)}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${isSecure(baseUrl) ? '; Secure' : ''}`;
  return {
    set: (baseUrl: string, seal: Seal, kept: z.output<Kept>, now: Instant): string =>
      line(baseUrl, text.seal(seal, kept, now), sealedForMs / 1000),
    end: (baseUrl: string): string => line(baseUrl, '', 0),
    read(baseUrl: string, seal: Seal, header: string | undefined, now: Instant): z.output<Kept> | null {
      const start = `${nameOf(baseUrl)}=`;
      const pair = (header ?? '').split(';').find((part) => part.trim().startsWith(start));
      return pair === undefined ? null : text.open(seal, pair.trim().slice(start.length), now);
    },
  };
}
