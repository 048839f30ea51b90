-- Sites, people, tickets and what hangs on them. Times are epoch milliseconds; JSON is text.

CREATE TABLE sites (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ulid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  slug TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL DEFAULT '',
  default_priority_id INTEGER REFERENCES priorities (id) DEFERRABLE INITIALLY DEFERRED,
  token_hash TEXT NOT NULL UNIQUE,
  previous_token_hash TEXT UNIQUE,
  previous_token_expires_at INTEGER,
  inbound_secret_hash TEXT NOT NULL UNIQUE,
  inbound_secret_sealed TEXT NOT NULL,
  previous_inbound_secret_hash TEXT UNIQUE,
  previous_inbound_secret_expires_at INTEGER,
  sla_policy TEXT NOT NULL,
  settings TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE categories (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  color TEXT NOT NULL,
  sort_order INTEGER NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1,
  version INTEGER NOT NULL DEFAULT 1,
  UNIQUE (site_id, slug)
) STRICT;

CREATE TABLE priorities (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  color TEXT NOT NULL,
  level INTEGER NOT NULL,
  sort_order INTEGER NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1,
  first_response_minutes INTEGER,
  resolution_minutes INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  UNIQUE (site_id, slug)
) STRICT;

CREATE TABLE custom_fields (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  label TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  type TEXT NOT NULL,
  options TEXT NOT NULL,
  is_required INTEGER NOT NULL DEFAULT 0,
  is_author_visible INTEGER NOT NULL DEFAULT 1,
  sort_order INTEGER NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1,
  version INTEGER NOT NULL DEFAULT 1,
  UNIQUE (site_id, key)
) STRICT;

CREATE TABLE channels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  webhook_url TEXT NOT NULL,
  events TEXT NOT NULL,
  sort_order INTEGER NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1,
  consecutive_failures INTEGER NOT NULL DEFAULT 0,
  disabled_at INTEGER,
  disabled_reason TEXT,
  last_delivery_at INTEGER,
  signing_secret_sealed TEXT NOT NULL,
  previous_signing_secret_sealed TEXT,
  previous_signing_secret_expires_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX channels_by_site ON channels (site_id, sort_order);

CREATE TABLE inbound_rules (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1,
  match TEXT NOT NULL,
  conditions TEXT NOT NULL,
  actions TEXT NOT NULL,
  stop_processing INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX inbound_rules_by_site ON inbound_rules (site_id, position);

CREATE TABLE agents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email TEXT NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX agents_by_email ON agents (lower(email));

-- An agent without rows here belongs to every site.
CREATE TABLE agent_sites (
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  PRIMARY KEY (agent_id, site_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX agent_sites_by_site ON agent_sites (site_id);

CREATE TABLE team_tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  abilities TEXT NOT NULL,
  site_id INTEGER REFERENCES sites (id) ON DELETE CASCADE,
  expires_at INTEGER,
  last_used_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX team_tokens_by_site ON team_tokens (site_id);

CREATE TABLE authors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  external_id TEXT,
  email TEXT NOT NULL,
  name TEXT,
  is_verified INTEGER NOT NULL,
  anonymised_at INTEGER,
  -- Keyed fingerprints of what an anonymised author was known by, so that asking again finds them.
  erased_external_id TEXT,
  erased_email TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX authors_by_external_id ON authors (site_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX authors_unverified_by_email ON authors (site_id, email) WHERE external_id IS NULL;
CREATE INDEX authors_by_email ON authors (email);
CREATE INDEX authors_by_bare_external_id ON authors (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX authors_by_erased_external_id ON authors (site_id, erased_external_id) WHERE erased_external_id IS NOT NULL;
CREATE INDEX authors_by_erased_email ON authors (site_id, erased_email) WHERE erased_email IS NOT NULL;

CREATE TABLE tickets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ulid TEXT NOT NULL UNIQUE,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  author_id INTEGER NOT NULL REFERENCES authors (id),
  subject TEXT NOT NULL,
  status TEXT NOT NULL,
  source TEXT NOT NULL,
  is_test INTEGER NOT NULL DEFAULT 0,
  tags TEXT NOT NULL,
  custom_fields TEXT NOT NULL,
  metadata TEXT NOT NULL,
  context TEXT,
  category_id INTEGER REFERENCES categories (id) ON DELETE SET NULL,
  priority_id INTEGER NOT NULL REFERENCES priorities (id),
  -- A copy of priorities.level, so that sorting by priority walks an index.
  priority_level INTEGER NOT NULL,
  assignee_id INTEGER REFERENCES agents (id) ON DELETE SET NULL,
  access_token_hash TEXT,
  first_response_target_minutes INTEGER,
  resolution_target_minutes INTEGER,
  first_response_due_at INTEGER,
  first_response_at INTEGER,
  first_response_warned_at INTEGER,
  first_response_breached_at INTEGER,
  resolution_due_at INTEGER,
  resolved_at INTEGER,
  resolution_warned_at INTEGER,
  resolution_breached_at INTEGER,
  sla_paused_at INTEGER,
  first_response_paused_ms INTEGER NOT NULL DEFAULT 0,
  resolution_paused_ms INTEGER NOT NULL DEFAULT 0,
  -- The next moment at which the scan must look at this ticket; null when nothing is left to happen by itself.
  sla_next_at INTEGER,
  -- Where tickets without a deadline stand when sorted by it: after all others.
  first_response_sort INTEGER NOT NULL GENERATED ALWAYS AS (coalesce(first_response_due_at, 9007199254740991)) VIRTUAL,
  resolution_sort INTEGER NOT NULL GENERATED ALWAYS AS (coalesce(resolution_due_at, 9007199254740991)) VIRTUAL,
  closed_at INTEGER,
  merged_into_id INTEGER REFERENCES tickets (id) ON DELETE SET NULL,
  message_count INTEGER NOT NULL DEFAULT 0,
  last_customer_message_at INTEGER,
  last_agent_message_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
-- Every list names a status or asks all four in turn, so each index leads with it: a page costs a page.
CREATE INDEX tickets_by_created ON tickets (status, created_at);
CREATE INDEX tickets_by_updated ON tickets (status, updated_at);
CREATE INDEX tickets_by_priority_level ON tickets (status, priority_level, created_at);
CREATE INDEX tickets_by_first_response ON tickets (status, first_response_sort);
CREATE INDEX tickets_by_resolution ON tickets (status, resolution_sort);
CREATE INDEX tickets_by_site_created ON tickets (site_id, status, created_at);
CREATE INDEX tickets_by_site_updated ON tickets (site_id, status, updated_at);
CREATE INDEX tickets_by_site_priority_level ON tickets (site_id, status, priority_level, created_at);
CREATE INDEX tickets_by_site_first_response ON tickets (site_id, status, first_response_sort);
CREATE INDEX tickets_by_site_resolution ON tickets (site_id, status, resolution_sort);
CREATE INDEX tickets_by_category ON tickets (category_id, status, created_at);
CREATE INDEX tickets_by_priority ON tickets (priority_id, status, created_at);
CREATE INDEX tickets_by_assignee ON tickets (assignee_id, status, created_at);
CREATE INDEX tickets_by_author ON tickets (author_id, status, created_at);
CREATE INDEX tickets_by_merged_into ON tickets (merged_into_id) WHERE merged_into_id IS NOT NULL;
CREATE INDEX tickets_by_sla_next ON tickets (sla_next_at) WHERE sla_next_at IS NOT NULL;
CREATE INDEX tickets_sla_warned ON tickets (status, created_at)
  WHERE first_response_warned_at IS NOT NULL OR resolution_warned_at IS NOT NULL;
CREATE INDEX tickets_sla_breached ON tickets (status, created_at)
  WHERE first_response_breached_at IS NOT NULL OR resolution_breached_at IS NOT NULL;
CREATE INDEX tickets_sla_paused ON tickets (status, created_at) WHERE sla_paused_at IS NOT NULL;

CREATE TABLE ticket_tags (
  tag TEXT NOT NULL,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  PRIMARY KEY (tag, ticket_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX ticket_tags_by_ticket ON ticket_tags (ticket_id);

-- How many tickets there are by site and status, kept by triggers, so that no list counts the whole table.
CREATE TABLE ticket_counts (
  site_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  is_test INTEGER NOT NULL,
  total INTEGER NOT NULL,
  PRIMARY KEY (site_id, status, is_test)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER tickets_counted AFTER INSERT ON tickets BEGIN
  INSERT INTO ticket_counts VALUES (new.site_id, new.status, new.is_test, 1)
    ON CONFLICT DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER tickets_uncounted AFTER DELETE ON tickets BEGIN
  UPDATE ticket_counts SET total = total - 1
    WHERE site_id = old.site_id AND status = old.status AND is_test = old.is_test;
END;
CREATE TRIGGER tickets_recounted AFTER UPDATE OF status ON tickets WHEN old.status <> new.status BEGIN
  UPDATE ticket_counts SET total = total - 1
    WHERE site_id = old.site_id AND status = old.status AND is_test = old.is_test;
  INSERT INTO ticket_counts VALUES (new.site_id, new.status, new.is_test, 1)
    ON CONFLICT DO UPDATE SET total = total + 1;
END;

CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ulid TEXT NOT NULL UNIQUE,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  author_id INTEGER REFERENCES authors (id),
  agent_id INTEGER REFERENCES agents (id) ON DELETE SET NULL,
  agent_name TEXT,
  author_name TEXT,
  body TEXT NOT NULL,
  body_format TEXT NOT NULL DEFAULT 'text',
  is_internal INTEGER NOT NULL DEFAULT 0,
  is_automated INTEGER NOT NULL DEFAULT 0,
  is_agent INTEGER NOT NULL DEFAULT 0,
  source TEXT NOT NULL,
  sender_verified INTEGER,
  delivery TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX messages_by_ticket ON messages (ticket_id, id);
CREATE INDEX messages_by_author ON messages (author_id) WHERE author_id IS NOT NULL;
CREATE INDEX messages_by_agent ON messages (agent_id) WHERE agent_id IS NOT NULL;

CREATE TABLE attachments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ulid TEXT NOT NULL UNIQUE,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  message_id INTEGER REFERENCES messages (id) ON DELETE SET NULL,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  is_agent INTEGER NOT NULL,
  -- Public once it hangs on a public message or came from the customer.
  is_internal INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX attachments_by_ticket ON attachments (ticket_id, id);
CREATE INDEX attachments_by_message ON attachments (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX attachments_by_site ON attachments (site_id);

-- A ticket's history and the desk's numbered feed in one: who did what to which ticket, in the order of the commits.
-- No foreign keys: the numbers stay without a gap when a site is removed.
CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  site_id INTEGER NOT NULL,
  ticket_id INTEGER,
  actor TEXT NOT NULL,
  data TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX events_by_ticket ON events (ticket_id) WHERE ticket_id IS NOT NULL;
CREATE INDEX events_by_site ON events (site_id);

CREATE TABLE idempotency_keys (
  credential TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status INTEGER NOT NULL,
  -- The answer holds what is shown only once, so it is sealed under the desk's key.
  answer_sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (credential, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- One document a ticket, keyed by the ticket's id. `scope` holds its site, so that a site's search reads only its own.
-- `reference` holds every tail of the number, so that a prefix search there finds any part of it.
CREATE VIRTUAL TABLE ticket_search USING fts5 (
  scope, reference, subject, author, body,
  content = '', contentless_delete = 1, detail = full,
  tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO ticket_search (ticket_search, rank) VALUES ('secure-delete', 1);

-- Any part of an author's e-mail address or name of three characters or more.
CREATE VIRTUAL TABLE author_search USING fts5 (
  email, name,
  content = '', contentless_delete = 1, detail = full,
  tokenize = 'trigram remove_diacritics 1'
);
INSERT INTO author_search (author_search, rank) VALUES ('secure-delete', 1);
