-- Browsers that an agent lets the desk push to: each belongs to a session, and ends with it.
CREATE TABLE push_subscriptions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  session_id INTEGER NOT NULL UNIQUE REFERENCES sessions (id) ON DELETE CASCADE,
  -- A keyed hash of the endpoint: the same browser is never asked twice.
  endpoint_hash TEXT NOT NULL UNIQUE,
  -- JSON: endpoint, p256dh, auth.
  target_sealed TEXT NOT NULL,
  last_delivered_at INTEGER,
  -- Why the last push did not arrive.
  last_error TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX push_subscriptions_by_agent ON push_subscriptions (agent_id);
-- A push waits in the line of its browser. Its mailbox_id is 0, so that no line of mail has it.
ALTER TABLE deliveries ADD COLUMN push_subscription_id INTEGER REFERENCES push_subscriptions (id) ON DELETE CASCADE;
CREATE INDEX deliveries_of_pushes ON deliveries (push_subscription_id, status, next_at, id) WHERE push_subscription_id IS NOT NULL;
-- Whether a push may say what a ticket is about and who wrote.
ALTER TABLE desk_settings ADD COLUMN push_content INTEGER NOT NULL DEFAULT 1;
