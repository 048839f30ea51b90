-- Agents become people who can sign in: their settings, sessions, links, factors, and the desk's own settings.

ALTER TABLE agents ADD COLUMN password_hash TEXT;
ALTER TABLE agents ADD COLUMN invited_at INTEGER;
ALTER TABLE agents ADD COLUMN last_seen_at INTEGER;
-- Null: the desk's own.
ALTER TABLE agents ADD COLUMN locale TEXT;
ALTER TABLE agents ADD COLUMN time_zone TEXT;
ALTER TABLE agents ADD COLUMN signature TEXT NOT NULL DEFAULT '';
ALTER TABLE agents ADD COLUMN theme TEXT NOT NULL DEFAULT 'system';
-- The notices that the agent switched off, as mail.assigned.
ALTER TABLE agents ADD COLUMN muted_notices TEXT NOT NULL DEFAULT '[]';
ALTER TABLE agents ADD COLUMN has_shortcuts INTEGER NOT NULL DEFAULT 1;
-- Set by the first sign-in with OpenID Connect.
ALTER TABLE agents ADD COLUMN oidc_issuer TEXT;
ALTER TABLE agents ADD COLUMN oidc_subject TEXT;
CREATE UNIQUE INDEX agents_by_oidc_subject ON agents (oidc_issuer, oidc_subject) WHERE oidc_subject IS NOT NULL;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  -- Keyed with the desk's secret key, so that a restore with another key ends all sessions.
  token_hash TEXT NOT NULL UNIQUE,
  -- How the agent signed in: password, passkey, oidc, link, setup, invitation or reset.
  method TEXT NOT NULL,
  has_second_factor INTEGER NOT NULL,
  address TEXT NOT NULL,
  browser TEXT,
  system TEXT,
  -- When a password or factor was last entered.
  confirmed_at INTEGER,
  last_used_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_agent ON sessions (agent_id);
CREATE INDEX sessions_by_use ON sessions (last_used_at);
CREATE INDEX sessions_by_age ON sessions (created_at);

CREATE TABLE sign_in_links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- setup, invitation, reset or sign_in
  purpose TEXT NOT NULL,
  -- Null: a setup link.
  agent_id INTEGER REFERENCES agents (id) ON DELETE CASCADE,
  token_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_in_links_by_agent ON sign_in_links (agent_id);
CREATE INDEX sign_in_links_by_expiry ON sign_in_links (expires_at);

CREATE TABLE totp_secrets (
  agent_id INTEGER PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
  secret_sealed TEXT NOT NULL,
  -- Null until the first code was entered.
  confirmed_at INTEGER,
  -- The newest time step whose code was accepted, so that no code is accepted twice.
  last_step INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE recovery_codes (
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  code_hash TEXT NOT NULL,
  used_at INTEGER,
  PRIMARY KEY (agent_id, code_hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE passkeys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  credential_id TEXT NOT NULL UNIQUE,
  -- Base64url.
  public_key TEXT NOT NULL,
  sign_count INTEGER NOT NULL,
  transports TEXT NOT NULL,
  is_backed_up INTEGER NOT NULL,
  last_used_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX passkeys_by_agent ON passkeys (agent_id);

-- Sign-ins that wait for their second half: a code, a passkey, or the answer of an OpenID Connect issuer.
CREATE TABLE challenges (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- second_factor, passkey_sign_in, passkey_registration or oidc
  purpose TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  agent_id INTEGER REFERENCES agents (id) ON DELETE CASCADE,
  session_id INTEGER REFERENCES sessions (id) ON DELETE CASCADE,
  -- What the second half is checked against, as JSON.
  data_sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX challenges_by_agent ON challenges (agent_id);
CREATE INDEX challenges_by_session ON challenges (session_id);
CREATE INDEX challenges_by_expiry ON challenges (expires_at);

-- Failed sign-ins in a row, by a keyed fingerprint of the address, whether or not it is an agent's.
CREATE TABLE sign_in_failures (
  fingerprint TEXT PRIMARY KEY,
  failures INTEGER NOT NULL,
  failed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_failures_by_age ON sign_in_failures (failed_at);

CREATE TABLE desk_settings (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  name TEXT NOT NULL DEFAULT 'Helpdesk',
  locale TEXT NOT NULL DEFAULT 'en',
  time_zone TEXT NOT NULL DEFAULT 'UTC',
  require_second_factor TEXT NOT NULL DEFAULT 'off',
  version INTEGER NOT NULL DEFAULT 1
) STRICT;
INSERT INTO desk_settings (id) VALUES (1);

-- Mail to agents about signing in belongs to no site.
ALTER TABLE deliveries ALTER COLUMN site_id DROP NOT NULL;
