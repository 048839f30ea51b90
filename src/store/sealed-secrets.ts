// Everything in the database that is encrypted with the key of the desk.

import type { Seal } from '../base/crypto.ts';
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
     UNION ALL SELECT 'channel ' || id, webhook_url_sealed, NULL FROM channels
     UNION ALL SELECT 'channel ' || id, previous_signing_secret_sealed, NULL FROM channels WHERE previous_signing_secret_sealed IS NOT NULL`,
  ).all();
}

/** Of channels from before migration 49. */
export function sealWebhookUrls({ client }: Tx, seal: Seal | null): void {
  const rows = client
    .query<{ id: number; url: string }, []>('SELECT id, webhook_url_sealed AS url FROM channels')
    .all();
  for (const { id, url } of rows) {
    if (seal === null) throw new Error('the addresses of webhooks cannot be encrypted without a key');
    client.run('UPDATE channels SET webhook_url_sealed = ? WHERE id = ?', [seal.seal(url), id]);
  }
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
