// Why a sign-in with the issuer failed.

/** `denied`: the person or the issuer said no. `refused`: the answer proves nothing. */
type OidcProblem = 'unavailable' | 'denied' | 'refused' | 'unverified_email';

/** The message is for the log, and contains no secrets. */
export class OidcFault extends Error {
  readonly problem: OidcProblem;

  constructor(problem: OidcProblem, message: string) {
    super(message);
    this.name = 'OidcFault';
    this.problem = problem;
  }
}
