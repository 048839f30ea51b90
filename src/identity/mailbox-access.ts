// What a provider answers when the desk asks for access to a mailbox.

export interface Tokens {
  accessToken: string;
  /** Null: the one before stays good. */
  refreshToken: string | null;
  /** When the refresh token ends; null if the provider does not say. */
  refreshUntil: number | null;
  /** When the access token ends. */
  until: number;
}

/** A person must act: the consent was withdrawn, or the app's secret has ended. The message is for the owner. */
export class ConsentNeeded extends Error {
  override name = 'ConsentNeeded';
}

/** No token now; later perhaps. The message is for the owner, and has no secrets. */
export class TokenFault extends Error {
  override name = 'TokenFault';
}

/** What goes back and forth while someone is at the provider's page. */
interface ConsentSecrets {
  state: string;
  verifier: string;
}

export interface Provider {
  /** The provider's page. @param hint the address of the mailbox, so that the right account is offered. Throws TokenFault. */
  consentPage(redirectUri: string, hint: string, secrets: ConsentSecrets): Promise<string>;
  /** @param answer the query of the person's return. Throws ConsentNeeded or TokenFault. */
  redeem(redirectUri: string, answer: URLSearchParams, secrets: ConsentSecrets): Promise<Tokens>;
  /** Throws ConsentNeeded or TokenFault. */
  refresh(refreshToken: string): Promise<Tokens>;
}
