// What went wrong at the organisation's own sign-in (docs/spec/people.md#openid-connect).

import { t } from '../shared/sign-in-messages.ts';

/** @param error of the address that the desk came back to */
export function issuerProblem(error: string | null, label: string): string | null {
  switch (error) {
    case null:
      return null;
    case 'oidc_unavailable':
      return t.issuerDown(label);
    case 'oidc_denied':
      return t.issuerDenied(label);
    case 'oidc_unverified_email':
      return t.issuerUnverified(label);
    case 'oidc_unknown_agent':
      return t.issuerUnknown;
    case 'oidc_inactive_agent':
      return t.issuerInactive;
    case 'oidc_other_account':
      return t.issuerOther(label);
    case 'oidc_expired':
      return t.challengeExpired;
    default:
      return t.signInFailed;
  }
}
