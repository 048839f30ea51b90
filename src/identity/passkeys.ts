// Passkeys: WebAuthn with user verification, as a second factor or instead of a password.

import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { cose, decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import { type PasskeyRegistration, type PasskeySignIn, readRegistration, readSignIn } from './passkey-responses.ts';
import type { RelyingParty } from './relying-party.ts';

/** Everything binary is base64url. */
export interface Passkey {
  credentialId: string;
  publicKey: string;
  signCount: number;
  transports: readonly string[];
}

// Ed25519, P-256 and RSA: what authenticators have, and what the runtime verifies.
const algorithms = [cose.COSEALG.EdDSA, cose.COSEALG.ES256, cose.COSEALG.RS256];
const answerWithinMs = 5 * 60_000;

interface Owner {
  /** Contains nothing about the person; the authenticator keeps it. */
  handle: string;
  email: string;
  name: string;
  passkeys: readonly Passkey[];
}

const described = ({ credentialId, transports }: Passkey) => ({ id: credentialId, transports: [...transports] });

/** What `navigator.credentials.create` takes. @param challenge base64url */
export function registrationOptions(
  party: RelyingParty,
  challenge: string,
  owner: Owner,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return generateRegistrationOptions({
    rpID: party.id,
    rpName: party.name,
    userID: isoBase64URL.toBuffer(owner.handle),
    userName: owner.email,
    userDisplayName: owner.name,
    challenge: isoBase64URL.toBuffer(challenge),
    timeout: answerWithinMs,
    attestationType: 'none',
    excludeCredentials: owner.passkeys.map(described),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  });
}

/** What `navigator.credentials.get` takes. Without passkeys, the browser shows those that it has for this desk. */
export function signInOptions(
  party: RelyingParty,
  challenge: string,
  passkeys: readonly Passkey[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: isoBase64URL.toBuffer(challenge),
    timeout: answerWithinMs,
    allowCredentials: passkeys.map(described),
    userVerification: 'required',
  });
}

interface NewPasskey extends Passkey {
  /** Kept by the maker's service, so that it outlives the device. */
  isBackedUp: boolean;
}

/** Null if the answer does not match the challenge and the desk. */
export async function verifyPasskeyRegistration(
  party: RelyingParty,
  challenge: string,
  answer: unknown,
): Promise<NewPasskey | null> {
  const response = readRegistration(answer);
  if (response === null) return null;
  const result = await unlessRefused(() =>
    verifyRegistrationResponse({
      response: withoutAttestation(response),
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  );
  if (!result?.verified) return null;
  const { id, publicKey, counter } = result.registrationInfo.credential;
  return {
    credentialId: id,
    publicKey: isoBase64URL.fromBuffer(publicKey),
    signCount: counter,
    transports: response.response.transports,
    isBackedUp: result.registrationInfo.credentialBackedUp,
  };
}

/** The library would check certificates of makers, and fetch lists from addresses in them. */
function withoutAttestation(answer: PasskeyRegistration): PasskeyRegistration {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(answer.response.attestationObject));
  const bare = new Map<string, string | Uint8Array | Map<never, never>>([
    ['fmt', 'none'],
    ['attStmt', new Map<never, never>()],
    ['authData', attestation.get('authData')],
  ]);
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(bare));
  return { ...answer, response: { ...answer.response, attestationObject } };
}

/** The id that an answer claims, to look up the passkey; null for an invalid answer. */
export function claimedPasskey(answer: unknown): { credentialId: string; userHandle: string | null } | null {
  const response = readSignIn(answer);
  return response && { credentialId: response.id, userHandle: response.response.userHandle ?? null };
}

/** The new count of signatures, or null if the answer does not match the passkey and the challenge. */
export async function verifyPasskeySignIn(
  party: RelyingParty,
  challenge: string,
  answer: unknown,
  passkey: Passkey,
): Promise<{ signCount: number } | null> {
  const response: PasskeySignIn | null = readSignIn(answer);
  if (response === null || response.id !== passkey.credentialId) return null;
  const result = await unlessRefused(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: isoBase64URL.toBuffer(passkey.publicKey),
        counter: passkey.signCount,
      },
    }),
  );
  return result?.verified ? { signCount: result.authenticationInfo.newCounter } : null;
}

/** The library throws a plain Error for everything that does not match. */
async function unlessRefused<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}
