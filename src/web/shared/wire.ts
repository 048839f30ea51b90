// What the desk answers about people, as the browser sees it (docs/spec/people.md).

export type SecondFactor = 'totp' | 'passkey' | 'recovery_code';

export interface SignInOptions {
  name: string;
  password: boolean;
  oidc: { label: string; is_available?: boolean } | null;
  passkeys: boolean;
  setup: boolean;
}

export interface InvitationAnswer {
  email: string;
  name: string;
  desk: string;
}

export interface SecondFactorNeeded {
  second_factor: SecondFactor[];
  challenge: string;
}

/** What `POST /session/passkey` answers. */
export interface PasskeyAsked {
  challenge: string;
  options: PublicKeyCredentialRequestOptionsJSON;
}

export interface Agent {
  id: number;
  name: string;
  email: string;
  role: 'owner' | 'admin' | 'member' | 'viewer';
  has_password: boolean;
  second_factors: SecondFactor[];
}

export interface Session {
  agent: Agent;
  must_add_second_factor: boolean;
  confirmed_until: string | null;
  expires_at: string;
}

export interface Me {
  name: string;
  email: string;
  locale: string | null;
  time_zone: string | null;
  signature: string;
  theme: string;
}

export interface Device {
  id: number;
  browser: string | null;
  system: string | null;
  address: string | null;
  created_at: string;
  last_used_at: string;
  is_current: boolean;
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
