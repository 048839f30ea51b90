-- Links to a ticket for customers, the visits that they open, and proofs of addresses.

CREATE TABLE customer_links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ulid TEXT NOT NULL UNIQUE,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  -- To which it was sent, in lower case.
  address TEXT NOT NULL,
  -- mail, requested, form, application or list
  kind TEXT NOT NULL,
  delivery_id INTEGER REFERENCES deliveries (id) ON DELETE SET NULL,
  message_id INTEGER REFERENCES messages (id) ON DELETE SET NULL,
  token_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  uses INTEGER NOT NULL DEFAULT 0,
  revoked_at INTEGER,
  -- The actor, as in events.
  revoked_by TEXT
) STRICT;
CREATE INDEX customer_links_by_ticket ON customer_links (ticket_id, id);
CREATE INDEX customer_links_by_site ON customer_links (site_id);
CREATE INDEX customer_links_by_delivery ON customer_links (delivery_id) WHERE delivery_id IS NOT NULL;
CREATE INDEX customer_links_by_message ON customer_links (message_id) WHERE message_id IS NOT NULL;

-- A browser that may read one ticket.
CREATE TABLE customer_visits (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  link_id INTEGER NOT NULL REFERENCES customer_links (id) ON DELETE CASCADE,
  -- Keyed with the desk's secret key.
  token_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX customer_visits_by_link ON customer_visits (link_id, id);
CREATE INDEX customer_visits_by_site ON customer_visits (site_id);
CREATE INDEX customer_visits_by_expiry ON customer_visits (expires_at);

-- A browser that has shown that it reads the mail of an address.
CREATE TABLE customer_proofs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  -- Keyed. One browser can have proofs of several addresses.
  browser_hash TEXT NOT NULL,
  proven_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX customer_proofs_by_browser ON customer_proofs (browser_hash, site_id, address);
CREATE INDEX customer_proofs_by_address ON customer_proofs (site_id, address);
CREATE INDEX customer_proofs_by_age ON customer_proofs (proven_at);

-- A browser that asked for the list of an address's tickets.
CREATE TABLE customer_lists (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  -- Null until the code was right.
  proven_at INTEGER,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX customer_lists_by_address ON customer_lists (site_id, address);
CREATE INDEX customer_lists_by_expiry ON customer_lists (expires_at);

-- The code itself is derived from the ulid with the desk's secret key.
CREATE TABLE customer_codes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ulid TEXT NOT NULL UNIQUE,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  -- The token hash of the visit or list that asked for it: it counts only in that browser.
  asker_hash TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX customer_codes_by_address ON customer_codes (site_id, address, created_at);
CREATE INDEX customer_codes_by_asker ON customer_codes (asker_hash, id);
CREATE INDEX customer_codes_by_age ON customer_codes (created_at);

-- By which link a customer's message came, and whether their address was confirmed.
ALTER TABLE messages ADD COLUMN link_id INTEGER REFERENCES customer_links (id) ON DELETE SET NULL;
ALTER TABLE messages ADD COLUMN is_confirmed INTEGER;
CREATE INDEX messages_by_link ON messages (link_id) WHERE link_id IS NOT NULL;
