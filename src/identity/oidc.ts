// OpenID Connect: sending people to the issuer and reading who came back (docs/spec/people.md#openid-connect).

import type { Clock } from '../base/clock.ts';
import { randomKey } from '../base/crypto.ts';
import { createGate } from '../base/gate.ts';
import type { AllowList } from '../net/allow-list.ts';

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  roleClaim: string | null;
  allow: AllowList;
  timeoutMs: number;
  /** Decides how long metadata is kept. Tokens are checked with the machine's own clock. */
  clock: Clock;
}

/** What the desk keeps until the person returns from the issuer. */
export interface OidcSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

export interface OidcPerson {
  issuer: string;
  subject: string;
  /** Lower case, and verified by the issuer. */
  email: string;
  name: string | null;
  role: string | null;
  /** The issuer says that it asked for a second factor. */
  hasSecondFactor: boolean;
}

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

export interface Oidc {
  /** False when the issuer is known not to answer as it should. It waits a moment for what is not known yet. */
  isAvailable(): Promise<boolean>;
  /** Returns the address of the issuer's page. Throws OidcFault. */
  begin(redirectUri: string, secrets: OidcSecrets): Promise<string>;
  /** @param answer the query of the person's return. Throws OidcFault. */
  finish(redirectUri: string, answer: URLSearchParams, secrets: OidcSecrets): Promise<OidcPerson>;
}

export function newOidcSecrets(): OidcSecrets {
  const random = () => randomKey().toString('base64url');
  return { state: random(), nonce: random(), verifier: random() };
}

export function createOidc(settings: OidcSettings): Oidc {
  let loading: Promise<Oidc> | null = null;
  const load = () => {
    loading ??= import('./oidc-exchange.ts').then(({ createExchange }) => createExchange(settings));
    return loading;
  };
  // A slow issuer must not collect requests.
  const gate = createGate({
    atOnce: 16,
    waiting: 32,
    waitMs: settings.timeoutMs,
    refusal: () => new OidcFault('unavailable', 'too many sign-ins wait for the issuer'),
  });
  return {
    isAvailable: async () => (await load()).isAvailable(),
    begin: (redirectUri, secrets) => gate.pass('', async () => (await load()).begin(redirectUri, secrets)),
    finish: (redirectUri, answer, secrets) =>
      gate.pass('', async () => (await load()).finish(redirectUri, answer, secrets)),
  };
}
