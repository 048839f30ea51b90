// Codes of an authenticator app (RFC 6238: SHA-1, 6 digits, 30 seconds, one step early or late).

import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import type { Instant } from '../base/clock.ts';
import { randomKey } from '../base/crypto.ts';

const stepSeconds = 30;
const secretBytes = 20;

export function newTotpSecret(): string {
  const bytes = new Uint8Array(randomKey().subarray(0, secretBytes));
  return new Secret({ buffer: bytes.buffer }).base32;
}

function generator(secret: string, account = '', issuer = ''): TOTP {
  return new TOTP({
    issuer,
    label: account,
    algorithm: 'SHA1',
    digits: 6,
    period: stepSeconds,
    secret: Secret.fromBase32(secret),
  });
}

/** The `otpauth://` address that apps read. A colon would end the issuer early. */
export function totpUri(secret: string, account: string, issuer: string): string {
  return generator(secret, account, issuer.replaceAll(':', ' ').trim()).toString();
}

/** An SVG picture without styles or scripts, with the white edge that cameras need. */
export function totpQr(uri: string): string {
  return renderSVG(uri, { ecc: 'M', border: 4, pixelSize: 4 });
}

/** The time step of a code, or null. Store the step, and accept no code of it or of an earlier one again. */
export function totpStep(secret: string, code: string, now: Instant): number | null {
  if (code.length > 20) return null;
  const digits = code.replace(/[\s-]/g, '');
  if (!/^\d{6}$/.test(digits)) return null;
  const delta = generator(secret).validate({ token: digits, timestamp: now, window: 1 });
  return delta === null ? null : Math.floor(now / 1000 / stepSeconds) + delta;
}
