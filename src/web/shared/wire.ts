// What the desk answers about people, as the browser sees it (docs/spec/people.md).

import type * as z from 'zod';
import type { ownAccountShape, ownSessionShape, startedShape } from '../../http/wire/people/session.ts';

export type Session = z.output<typeof startedShape>['data'];
export type Agent = Session['agent'];
export type SecondFactor = Agent['second_factors'][number];
export type Me = z.output<typeof ownAccountShape>;
export type Device = z.output<typeof ownSessionShape>;

export interface SignInOptions {
  name: string;
  password: boolean;
  oidc: { label: string; is_available: boolean } | null;
  passkeys: boolean;
  setup: boolean;
}

export interface InvitationAnswer {
  email: string;
  name: string;
  desk: string;
}

/** What the desk answers instead of a session when a second factor is needed. */
export interface SecondFactorNeeded {
  second_factor: SecondFactor[];
  challenge: string;
}

/** What `POST /session/passkey` answers. */
export interface PasskeyAsked {
  challenge: string;
  options: PublicKeyCredentialRequestOptionsJSON;
}

export interface Passkey {
  id: number;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

export interface TotpSetup {
  secret: string;
  uri: string;
  qr: string;
}
