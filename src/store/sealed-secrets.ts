// Everything in the database that is encrypted with the key of the desk.

import { query, type Tx } from './database.ts';

interface SealedSecret {
  owner: string;
  sealed: string;
  hash: string | null;
}

export function sealedSecrets(tx: Tx): SealedSecret[] {
  return query<SealedSecret>(
    tx,
    `SELECT 'site ' || slug AS owner, inbound_secret_sealed AS sealed, inbound_secret_hash AS hash FROM sites
     UNION ALL SELECT 'channel ' || id, signing_secret_sealed, NULL FROM channels
     UNION ALL SELECT 'channel ' || id, previous_signing_secret_sealed, NULL FROM channels WHERE previous_signing_secret_sealed IS NOT NULL`,
  ).all();
}

/** A few texts that are encrypted with the desk's key, the newest of each kind. */
export function someSealedSecrets(tx: Tx): string[] {
  return query<{ sealed: string }>(
    tx,
    `SELECT sealed FROM (SELECT inbound_secret_sealed AS sealed FROM sites WHERE inbound_secret_sealed IS NOT NULL ORDER BY id DESC LIMIT 3)
     UNION ALL SELECT sealed FROM (SELECT signing_secret_sealed AS sealed FROM channels WHERE signing_secret_sealed IS NOT NULL ORDER BY id DESC LIMIT 3)`,
  )
    .all()
    .map(({ sealed }) => sealed);
}
