// What passkeys of this desk are made for and sign.

import type { Seal } from '../../../base/crypto.ts';
import { conflict } from '../../../domain/errors.ts';
import { type RelyingParty, relyingPartyOf } from '../../../identity/relying-party.ts';
import { readDeskSettings } from '../../../store/desk-settings.ts';
import type { Call } from '../../operation.ts';

/** What a passkey signs for this challenge. It need not be kept. */
export function signedBytes(seal: Seal, challenge: string): string {
  return seal.fingerprint('passkey-challenge', challenge);
}

/** The name under which authenticators keep an agent. It says nothing about the person. */
export function handleOf(seal: Seal, agentId: number): string {
  return seal.fingerprint('passkey-owner', String(agentId));
}

export function passkeyParty({ edge }: Pick<Call, 'edge'>): RelyingParty {
  const { name } = edge.desk.read(readDeskSettings);
  const party = relyingPartyOf(edge.baseUrl, name);
  if (party === null)
    throw conflict(
      'Browsers offer passkeys only over https, or on localhost, and only at a name. HELPDESK_BASE_URL has none of these.',
      'passkeys_unavailable',
    );
  return party;
}
