// What went wrong at a sign-in with the issuer.

/** `denied`: the person or the issuer said no. `refused`: the answer proves nothing. `unread_role`: only noted, the sign-in goes on. */
type OidcProblem = 'unavailable' | 'denied' | 'refused' | 'unverified_email' | 'unread_role';

/** The message is for the log, and contains no secrets. */
export class OidcFault extends Error {
  readonly problem: OidcProblem;

  constructor(problem: OidcProblem, message: string) {
    super(message);
    this.name = 'OidcFault';
    this.problem = problem;
  }
}
