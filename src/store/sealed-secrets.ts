// Everything in the database that is encrypted with the key of the desk.

import { statement } from '../engine/statements.ts';

export const sealedSecrets =
  statement(`SELECT 'site ' || slug AS owner, inbound_secret_sealed AS sealed, inbound_secret_hash AS hash FROM sites
     UNION ALL SELECT 'channel ' || id, signing_secret_sealed, NULL FROM channels
     UNION ALL SELECT 'channel ' || id, webhook_url_sealed, NULL FROM channels
     UNION ALL SELECT 'channel ' || id, previous_signing_secret_sealed, NULL FROM channels WHERE previous_signing_secret_sealed IS NOT NULL
     UNION ALL SELECT 'the desk''s mail server', mail_server_secret_sealed, NULL FROM desk_settings WHERE mail_server_secret_sealed IS NOT NULL
     UNION ALL SELECT 'the desk''s issuer', issuer_secret_sealed, NULL FROM desk_settings WHERE issuer_secret_sealed IS NOT NULL
     UNION ALL SELECT 'the desk''s bucket', bucket_secret_sealed, NULL FROM desk_settings WHERE bucket_secret_sealed IS NOT NULL
     UNION ALL SELECT 'mail app ' || provider, client_secret_sealed, NULL FROM mail_apps WHERE client_secret_sealed IS NOT NULL
     UNION ALL SELECT 'mailbox ' || id, secret_sealed, NULL FROM mailboxes WHERE secret_sealed IS NOT NULL
     UNION ALL SELECT 'push subscription ' || id, target_sealed, NULL FROM push_subscriptions
     UNION ALL SELECT 'mailbox ' || id, outgoing_secret_sealed, NULL FROM mailboxes WHERE outgoing_secret_sealed IS NOT NULL`)
    .all<{ owner: string; sealed: string; hash: string | null }>;

/** A few texts that are encrypted with the desk's key, the newest of each kind. */
export const someSealedSecrets =
  statement(`SELECT sealed FROM (SELECT inbound_secret_sealed AS sealed FROM sites WHERE inbound_secret_sealed IS NOT NULL ORDER BY id DESC LIMIT 3)
     UNION ALL SELECT sealed FROM (SELECT signing_secret_sealed AS sealed FROM channels WHERE signing_secret_sealed IS NOT NULL ORDER BY id DESC LIMIT 3)`)
    .column<string>;
