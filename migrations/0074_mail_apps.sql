-- The desk's registrations at providers whose mailboxes are opened by consent instead of a password.
CREATE TABLE mail_apps (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  provider TEXT NOT NULL UNIQUE,
  issuer TEXT NOT NULL,
  client_id TEXT NOT NULL,
  client_secret_sealed TEXT,
  scope TEXT NOT NULL,
  -- As the owner knows it from the provider's page, to be warned before.
  secret_expires_at INTEGER,
  version INTEGER NOT NULL
) STRICT;
