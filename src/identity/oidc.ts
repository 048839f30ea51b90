// OpenID Connect: sending people to the issuer and reading who came back (docs/spec/people.md#openid-connect).

import { randomKey } from '../base/crypto.ts';
import { createGate } from '../base/gate.ts';
import type { Role } from '../domain/actor.ts';
import type { IssuerSettings } from './issuer-client.ts';
import { OidcFault } from './oidc-fault.ts';

export interface OidcSettings extends IssuerSettings {
  roleClaim: string | null;
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
  /** What the claim for roles says; null where the desk asks for none. */
  role: Role | null;
  /** The claim for roles could not be read, so that the role is the least. */
  roleFault: OidcFault | null;
  /** The issuer says that it asked for a second factor. */
  hasSecondFactor: boolean;
}

export interface Oidc {
  /** False when the issuer is known not to answer as it should. It waits a moment for what is not known yet. */
  isAvailable(): Promise<boolean>;
  /** Asks the issuer now, whatever is known of it. Throws OidcFault. */
  test(): Promise<void>;
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
    test: () => gate.pass('', async () => (await load()).test()),
    begin: (redirectUri, secrets) => gate.pass('', async () => (await load()).begin(redirectUri, secrets)),
    finish: (redirectUri, answer, secrets) =>
      gate.pass('', async () => (await load()).finish(redirectUri, answer, secrets)),
  };
}
