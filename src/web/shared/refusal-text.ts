// What a refusal means to the reader, and what to do about it.

import type { Messages } from '../messages/en.ts';
import type { Refusal } from './api.ts';
import { duration } from './format.ts';
import { t } from './messages.ts';

const fieldMessages: Record<string, (text: Messages) => string> = {
  email: (text) => text.emailRefused,
  name: (text) => text.nameRefused,
  password: (text) => text.passwordRefused,
  code: (text) => text.codeWrong,
};

export function fieldProblems({ fields }: Refusal): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, sentences]) => [name, fieldMessages[name]?.(t) ?? sentences.join(' ')]),
  );
}

export function refusalText(refusal: Refusal, known: readonly string[] = []): string | null {
  const names = Object.keys(refusal.fields);
  if (names.length > 0 && names.every((name) => known.includes(name))) return null;
  switch (refusal.code) {
    case 'offline':
      return t.offline;
    case 'unreachable':
      return t.unreachable;
    case 'wrong_credentials':
      return t.wrongCredentials;
    case 'rate_limited':
    case 'proof_wanted':
      return t.rateLimited(duration(refusal.retryAfterSeconds ?? 60));
    case 'unavailable':
    case 'too_busy':
      return t.busy;
    case 'cross_site':
      // The desk's sentence names its address.
      return t.crossSite(/https?:\/\/[^\s;]+/.exec(refusal.message)?.[0] ?? '');
    case 'link_expired':
      return t.linkExpired;
    case 'second_factor_required':
      return t.mustAddFactor;
    case 'challenge_expired':
      return t.challengeExpired;
    case 'passkeys_unavailable':
      return t.insecurePasskeys;
    case 'password_sign_in_off':
      return t.noWayIn;
    case 'last_owner':
      return t.lastOwner;
    case 'forbidden':
      return t.forbidden;
    case 'missing_token':
    case 'unknown_token':
      return t.signedOut;
    default:
      if (names.length > 0) return Object.values(fieldProblems(refusal)).join(' ');
      // A proxy in front of the desk can say this too, without a code.
      return refusal.status === 413 ? t.tooLarge : t.failed;
  }
}
