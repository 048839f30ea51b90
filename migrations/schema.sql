-- What migrations 1 to 106 make, with which a new database begins. Written by `bun scripts/schema.ts`.

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
, sla_policy_id INTEGER REFERENCES sla_policies (id) DEFERRABLE INITIALLY DEFERRED, last_assigned_agent_id INTEGER, origin_ulid TEXT NOT NULL DEFAULT '') STRICT;
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
  webhook_url_sealed TEXT NOT NULL,
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
, last_success_at INTEGER, header_prefix TEXT NOT NULL DEFAULT 'X-Helpdesk', include_test INTEGER NOT NULL DEFAULT 0) STRICT;
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
CREATE TABLE agents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email TEXT NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL
, password_hash TEXT, invited_at INTEGER, last_seen_at INTEGER, locale TEXT, time_zone TEXT, signature TEXT NOT NULL DEFAULT '', theme TEXT NOT NULL DEFAULT 'system', has_shortcuts INTEGER NOT NULL DEFAULT 1, oidc_issuer TEXT, oidc_subject TEXT, notification_preferences TEXT NOT NULL DEFAULT '{}', is_away INTEGER NOT NULL DEFAULT 0, away_until INTEGER, away_note TEXT) STRICT;
CREATE TABLE agent_sites (
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  PRIMARY KEY (agent_id, site_id)
) STRICT, WITHOUT ROWID;
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
, sla_policy_id INTEGER REFERENCES sla_policies (id), sla_marks INTEGER GENERATED ALWAYS AS (
  (first_response_warned_at IS NOT NULL OR resolution_warned_at IS NOT NULL)
  + 2 * (first_response_breached_at IS NOT NULL OR resolution_breached_at IS NOT NULL)
  + 4 * (sla_paused_at IS NOT NULL)
) VIRTUAL, snoozed_until INTEGER, is_spam INTEGER NOT NULL DEFAULT 0, split_from_id INTEGER REFERENCES tickets (id) ON DELETE SET NULL, next_due_sort INTEGER NOT NULL GENERATED ALWAYS AS (
  CASE
    WHEN resolved_at IS NOT NULL THEN 9007199254740991
    WHEN min(coalesce(CASE WHEN first_response_at IS NULL THEN first_response_due_at END, 9007199254740991),
             coalesce(resolution_due_at, 9007199254740991)) = 9007199254740991 THEN 9007199254740991
    ELSE min(coalesce(CASE WHEN first_response_at IS NULL THEN first_response_due_at END, 9007199254740991),
             coalesce(resolution_due_at, 9007199254740991))
      + CASE WHEN sla_paused_at IS NULL THEN 0 ELSE 4503599627370496 END
  END
) VIRTUAL, sender_id INTEGER REFERENCES senders (id) ON DELETE SET NULL, first_response_from INTEGER, satisfaction TEXT, satisfaction_comment TEXT, satisfaction_at INTEGER, team_id INTEGER REFERENCES teams (id) ON DELETE SET NULL) STRICT;
CREATE TABLE ticket_tags (
  tag TEXT NOT NULL,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  PRIMARY KEY (tag, ticket_id)
) STRICT, WITHOUT ROWID;
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
, html TEXT, whole_body TEXT, link_id INTEGER REFERENCES customer_links (id) ON DELETE SET NULL, is_confirmed INTEGER, edited_at INTEGER, recipients TEXT, sender_id INTEGER REFERENCES senders (id) ON DELETE SET NULL, inbound_id INTEGER) STRICT;
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
, scheduled_reply_id INTEGER REFERENCES scheduled_replies (id) ON DELETE SET NULL, agent_id INTEGER REFERENCES agents (id) ON DELETE SET NULL, scan_status TEXT, scan_found TEXT, scan_next_at INTEGER) STRICT;
CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  site_id INTEGER NOT NULL,
  ticket_id INTEGER,
  actor TEXT NOT NULL,
  data TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE VIRTUAL TABLE ticket_search USING fts5 (
  scope, reference, subject, author, body,
  content = '', contentless_delete = 1, detail = full,
  tokenize = 'unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE author_search USING fts5 (
  email, name,
  content = '', contentless_delete = 1, detail = full,
  tokenize = 'trigram remove_diacritics 1'
);
CREATE TABLE sla_policies (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  policy TEXT NOT NULL,
  UNIQUE (site_id, policy)
) STRICT;
CREATE TABLE sla_intervals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  started_by_seq INTEGER,
  ended_by_seq INTEGER
) STRICT;
CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- What the receiver recognises a repeat by; the same over all tries.
  ulid TEXT NOT NULL UNIQUE,
  site_id INTEGER REFERENCES sites (id) ON DELETE CASCADE,
  -- Null: a mail.
  channel_id INTEGER REFERENCES channels (id) ON DELETE CASCADE,
  ticket_id INTEGER REFERENCES tickets (id) ON DELETE CASCADE,
  event_seq INTEGER,
  event TEXT NOT NULL,
  -- What the event's own row and the ticket do not tell at the time of the delivery.
  payload TEXT NOT NULL,
  -- Mail only: where to, and its own Message-ID.
  recipient TEXT,
  mail_message_id TEXT,
  status TEXT NOT NULL DEFAULT 'queued',
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Tries since it was queued or sent again: what the retries are counted by.
  tries INTEGER NOT NULL DEFAULT 0,
  first_tried_at INTEGER,
  next_at INTEGER,
  claimed_until INTEGER NOT NULL DEFAULT 0,
  finished_at INTEGER,
  last_error TEXT,
  created_at INTEGER NOT NULL
, claimed_by TEXT, mailbox_id INTEGER, push_subscription_id INTEGER REFERENCES push_subscriptions (id) ON DELETE CASCADE) STRICT;
CREATE TABLE delivery_attempts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  delivery_id INTEGER NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  response_status INTEGER,
  response_excerpt TEXT NOT NULL,
  error TEXT
) STRICT;
CREATE TABLE inbound_mail (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Names the stored request under mail/inbound/.
  ulid TEXT NOT NULL UNIQUE,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  provider TEXT NOT NULL,
  headers TEXT NOT NULL,
  size INTEGER NOT NULL,
  -- received: stored and acknowledged, not yet filed; a crash leaves it here and the next start files it.
  status TEXT NOT NULL DEFAULT 'received',
  outcome TEXT,
  reason TEXT,
  sender TEXT,
  recipient TEXT,
  subject TEXT,
  mail_message_id TEXT,
  content_hash TEXT,
  ticket_id INTEGER REFERENCES tickets (id) ON DELETE SET NULL,
  is_reopening INTEGER NOT NULL DEFAULT 0,
  matched_rules TEXT NOT NULL DEFAULT '[]',
  trace TEXT NOT NULL DEFAULT '[]',
  attempts INTEGER NOT NULL DEFAULT 0,
  received_at INTEGER NOT NULL,
  processed_at INTEGER
, retry_at INTEGER, forwarded_to TEXT NOT NULL DEFAULT '[]', erased_at INTEGER, form TEXT, sha256 TEXT, mailbox_id INTEGER REFERENCES mailboxes (id) ON DELETE SET NULL, silent_date INTEGER, sender_checks TEXT, held_for TEXT, is_released INTEGER NOT NULL DEFAULT 0, spam_check TEXT) STRICT;
CREATE TABLE mail_suppressions (
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (site_id, address)
) STRICT, WITHOUT ROWID;
CREATE TABLE imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The export's own ulid, and the slug that it was asked to come under.
  name TEXT NOT NULL UNIQUE,
  site_id INTEGER REFERENCES sites (id) ON DELETE CASCADE,
  -- Rises each time that it is begun or taken up again: a row that is met twice in one run is one too many.
  run INTEGER NOT NULL,
  finished_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE import_rows (
  import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  old TEXT NOT NULL,
  new_id INTEGER NOT NULL,
  -- Where a ulid was taken already.
  new_ulid TEXT,
  run INTEGER NOT NULL,
  PRIMARY KEY (import_id, kind, old)
) STRICT, WITHOUT ROWID;
CREATE TABLE ticket_faults (
  job TEXT NOT NULL,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  -- The kind of the error: its words may quote what somebody wrote.
  error TEXT NOT NULL,
  failed_at INTEGER NOT NULL,
  retry_at INTEGER NOT NULL,
  PRIMARY KEY (job, ticket_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE sla_recomputes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- Who asked for it, for the history.
  actor TEXT NOT NULL,
  -- The last ticket that was looked at.
  after_id INTEGER NOT NULL DEFAULT 0,
  stepped_at INTEGER NOT NULL
) STRICT;
CREATE TABLE inbound_rule_marks (
  site_id INTEGER PRIMARY KEY REFERENCES sites (id) ON DELETE CASCADE,
  mark TEXT NOT NULL
) STRICT;
CREATE TABLE catalogue_version (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;
CREATE TABLE priority_levels (
  priority_id INTEGER PRIMARY KEY REFERENCES priorities (id) ON DELETE CASCADE,
  -- The last ticket that was looked at.
  after_id INTEGER NOT NULL
) STRICT;
CREATE TABLE site_removals (
  site_id INTEGER PRIMARY KEY REFERENCES sites (id) ON DELETE CASCADE,
  -- How many tickets there were.
  tickets INTEGER NOT NULL,
  -- The last event that was blanked, and the last one that is to be.
  after_seq INTEGER NOT NULL DEFAULT 0,
  until_seq INTEGER NOT NULL,
  started_at INTEGER NOT NULL
) STRICT;
CREATE TABLE erased_letters (mail_message_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE search_purges (
  name TEXT PRIMARY KEY,
  is_under_way INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE clock_jumps (
  id INTEGER PRIMARY KEY,
  before INTEGER NOT NULL,
  after INTEGER NOT NULL,
  -- The machine slept, and the clock is right.
  is_suspension INTEGER NOT NULL CHECK (is_suspension IN (0, 1))
) STRICT;
CREATE TABLE erasures_under_way (
  author_id INTEGER PRIMARY KEY REFERENCES authors (id) ON DELETE CASCADE,
  person_sealed TEXT NOT NULL
, after_ticket_id INTEGER NOT NULL DEFAULT 0, after_message_id INTEGER NOT NULL DEFAULT 0, until_mail_id INTEGER NOT NULL DEFAULT 0, is_shared INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE detachments (
  -- The table that the row is in.
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  actor_type TEXT NOT NULL,
  actor_id INTEGER,
  actor_name TEXT,
  -- Where the request came from. Null for the command line and the desk itself.
  address TEXT,
  -- The site that it concerns, when that is exactly one. A row outlives its site.
  site_id INTEGER,
  target_type TEXT NOT NULL,
  target_id INTEGER,
  target_name TEXT,
  before TEXT,
  after TEXT
) STRICT;
CREATE TABLE audit_sweeps (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  before INTEGER NOT NULL
) STRICT;
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
CREATE TABLE sign_in_failures (
  fingerprint TEXT PRIMARY KEY,
  failures INTEGER NOT NULL,
  failed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE desk_settings (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  name TEXT NOT NULL DEFAULT 'Helpdesk',
  locale TEXT NOT NULL DEFAULT 'en',
  time_zone TEXT NOT NULL DEFAULT 'UTC',
  require_second_factor TEXT NOT NULL DEFAULT 'off',
  version INTEGER NOT NULL DEFAULT 1
, notifications TEXT NOT NULL DEFAULT '{}', push_content INTEGER NOT NULL DEFAULT 1, agent_reports TEXT NOT NULL DEFAULT 'all', mail_server TEXT, mail_server_secret_sealed TEXT, issuer TEXT, issuer_secret_sealed TEXT, base_url TEXT, inbound_domain TEXT, bucket TEXT, bucket_secret_sealed TEXT, bucket_folders TEXT NOT NULL DEFAULT '[]') STRICT;
CREATE TABLE channel_catch_ups (
  channel_id INTEGER PRIMARY KEY REFERENCES channels (id) ON DELETE CASCADE,
  last_success_at INTEGER NOT NULL,
  held_since INTEGER NOT NULL,
  after_id INTEGER NOT NULL
) STRICT;
CREATE TABLE "ticket_counts" (
  site_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  is_test INTEGER NOT NULL,
  is_spam INTEGER NOT NULL,
  total INTEGER NOT NULL,
  PRIMARY KEY (site_id, status, is_test, is_spam)
) STRICT, WITHOUT ROWID;
CREATE TABLE views (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Null: made by a token or the command line, or its agent is gone. Such a view is shared.
  agent_id INTEGER REFERENCES agents (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  -- The names and types of the list's query.
  filter TEXT NOT NULL,
  sort TEXT NOT NULL,
  direction TEXT NOT NULL,
  is_shared INTEGER NOT NULL,
  created_at INTEGER NOT NULL
, site_ids TEXT) STRICT;
CREATE TABLE view_positions (
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  view_id INTEGER NOT NULL REFERENCES views (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  PRIMARY KEY (agent_id, view_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE read_marks (
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  -- Null: marked as unread.
  read_at INTEGER,
  PRIMARY KEY (agent_id, ticket_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE scheduled_replies (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The message gets it when it is sent.
  ulid TEXT NOT NULL UNIQUE,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  agent_id INTEGER REFERENCES agents (id) ON DELETE SET NULL,
  agent_name TEXT NOT NULL,
  body TEXT NOT NULL,
  body_format TEXT NOT NULL,
  html TEXT,
  -- The ids of the agents, as JSON.
  mentions TEXT NOT NULL,
  -- The ticket's new status once it is sent.
  status TEXT,
  actor TEXT NOT NULL,
  send_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
, sender_id INTEGER REFERENCES senders (id) ON DELETE SET NULL, recipients TEXT, is_internal INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE mentions (
  message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  PRIMARY KEY (message_id, agent_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE drafts (
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  body TEXT NOT NULL,
  body_format TEXT NOT NULL,
  -- reply or note
  tab TEXT NOT NULL,
  -- The ids of loose attachments, as JSON.
  attachment_ids TEXT NOT NULL,
  updated_at INTEGER NOT NULL, fields TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (ticket_id, agent_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE macros (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Null: for every site.
  site_id INTEGER REFERENCES sites (id) ON DELETE CASCADE,
  -- Whose it is. Null if a tool made it, or its agent is gone.
  agent_id INTEGER REFERENCES agents (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  body TEXT NOT NULL,
  body_format TEXT NOT NULL,
  changes TEXT NOT NULL,
  is_shared INTEGER NOT NULL,
  position INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE TABLE site_logos (
  site_id INTEGER PRIMARY KEY REFERENCES sites (id) ON DELETE CASCADE,
  content_type TEXT NOT NULL,
  bytes BLOB NOT NULL
) STRICT;
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
CREATE TABLE customer_visits (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  link_id INTEGER NOT NULL REFERENCES customer_links (id) ON DELETE CASCADE,
  -- Keyed with the desk's secret key.
  token_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE customer_proofs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  -- Keyed. One browser can have proofs of several addresses.
  browser_hash TEXT NOT NULL,
  proven_at INTEGER NOT NULL
) STRICT;
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
, is_by_link INTEGER NOT NULL DEFAULT 0, digits INTEGER NOT NULL DEFAULT 6, network_hash TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE spent_proofs (
  challenge TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE form_tickets (
  ticket_id INTEGER PRIMARY KEY REFERENCES tickets (id) ON DELETE CASCADE,
  mailbox TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE idempotency_keys (
  id INTEGER PRIMARY KEY,
  credential TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status INTEGER NOT NULL,
  -- The answer holds what is shown only once, so it is sealed under the desk's key.
  answer_sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE idempotency_tickets (
  ticket_id INTEGER NOT NULL,
  key_id INTEGER NOT NULL REFERENCES idempotency_keys (id) ON DELETE CASCADE,
  PRIMARY KEY (ticket_id, key_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE search_waiting (
  seq INTEGER PRIMARY KEY,
  -- ticket_search or author_search
  name TEXT NOT NULL,
  id INTEGER NOT NULL
) STRICT;
CREATE TABLE participants (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  -- Their name and address.
  author_id INTEGER NOT NULL REFERENCES authors (id) ON DELETE CASCADE,
  -- The actor, as in events.
  added_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT;
CREATE TABLE senders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- Null: the name of the site, and the address of the desk.
  name TEXT,
  address TEXT,
  dkim_selectors TEXT NOT NULL,
  is_default INTEGER NOT NULL,
  sort_order INTEGER NOT NULL,
  -- What was last found in DNS.
  checks TEXT,
  version INTEGER NOT NULL
) STRICT;
CREATE TABLE ticket_drafts (
  agent_id INTEGER PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
  body TEXT NOT NULL,
  body_format TEXT NOT NULL,
  -- The ids of draft files, as JSON.
  attachment_ids TEXT NOT NULL,
  -- The other fields of the form, as JSON.
  fields TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE TABLE draft_files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ulid TEXT NOT NULL UNIQUE,
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  created_at INTEGER NOT NULL
, scan_status TEXT, scan_found TEXT, scan_next_at INTEGER) STRICT;
CREATE TABLE mail_templates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  locale TEXT NOT NULL,
  -- Null: the desk's own.
  subject TEXT,
  body TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE TABLE side_conversations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ulid TEXT NOT NULL UNIQUE,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  subject TEXT NOT NULL,
  -- Whom its messages go to: [{"email", "name"}].
  people TEXT NOT NULL,
  closed_at INTEGER,
  created_at INTEGER NOT NULL
, agent_id INTEGER) STRICT;
CREATE TABLE side_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ulid TEXT NOT NULL UNIQUE,
  side_conversation_id INTEGER NOT NULL REFERENCES side_conversations (id) ON DELETE CASCADE,
  -- An agent's; else the sender's.
  agent_name TEXT,
  sender_email TEXT,
  sender_name TEXT,
  sender_verified INTEGER,
  body TEXT NOT NULL,
  quoted TEXT,
  attachment_ids TEXT NOT NULL,
  -- Of mail that came in.
  mail_message_id TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE site_files (
  site_id INTEGER PRIMARY KEY REFERENCES sites (id) ON DELETE CASCADE,
  bytes INTEGER NOT NULL
) STRICT;
CREATE TABLE asked_mails (
  id INTEGER PRIMARY KEY,
  mail_at INTEGER NOT NULL,
  asked_sealed TEXT NOT NULL
) STRICT;
CREATE TABLE merges (
  -- The ticket that was merged.
  source_id INTEGER PRIMARY KEY REFERENCES tickets (id) ON DELETE CASCADE,
  target_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  -- The actor, as in events.
  merged_by TEXT NOT NULL,
  -- As JSON.
  moved TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE mailboxes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  address TEXT NOT NULL,
  provider TEXT NOT NULL,
  authentication TEXT NOT NULL,
  -- The servers, without their passwords. Null: the desk does not read it, or sends through its own server.
  incoming TEXT,
  outgoing TEXT,
  -- What the desk signs in with, encrypted: for reading and sending, and for sending if that is another.
  secret_sealed TEXT,
  outgoing_secret_sealed TEXT,
  -- Null: only what comes after the first connection. Otherwise so many days before it too.
  first_days INTEGER,
  save_sent INTEGER NOT NULL,
  is_paused INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL
, has_canary INTEGER NOT NULL DEFAULT 0, consent_from INTEGER, consent_until INTEGER) STRICT;
CREATE TABLE mailbox_states (
  mailbox_id INTEGER PRIMARY KEY REFERENCES mailboxes (id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  reason TEXT,
  since INTEGER NOT NULL,
  wrong_sign_ins INTEGER NOT NULL,
  looked_at INTEGER,
  message_at INTEGER,
  sync_asked_at INTEGER
) STRICT;
CREATE TABLE mailbox_cursors (
  mailbox_id INTEGER NOT NULL REFERENCES mailboxes (id) ON DELETE CASCADE,
  folder TEXT NOT NULL,
  uid_validity TEXT NOT NULL,
  last_uid INTEGER NOT NULL,
  -- Up to here, only what came to the server after `since` and is not known is read; silently in the days before the first connection.
  listed_until_uid INTEGER NOT NULL,
  since INTEGER NOT NULL,
  is_silent INTEGER NOT NULL,
  -- How often the server has numbered its messages anew.
  changes INTEGER NOT NULL,
  PRIMARY KEY (mailbox_id, folder)
) STRICT, WITHOUT ROWID;
CREATE TABLE mailbox_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  mailbox_id INTEGER NOT NULL REFERENCES mailboxes (id) ON DELETE CASCADE,
  folder TEXT NOT NULL,
  uid_validity TEXT NOT NULL,
  uid INTEGER NOT NULL,
  mark TEXT,
  content_mark TEXT,
  inbound_id INTEGER REFERENCES inbound_mail (id) ON DELETE SET NULL,
  -- It is still to be marked as read, or moved.
  is_pending INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT;
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
CREATE TABLE mailbox_alarms (
  mailbox_id INTEGER NOT NULL REFERENCES mailboxes (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  reason TEXT NOT NULL,
  step INTEGER NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (mailbox_id, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE mailbox_checks (
  mailbox_id INTEGER PRIMARY KEY REFERENCES mailboxes (id) ON DELETE CASCADE,
  certificates TEXT NOT NULL,
  certificates_at INTEGER NOT NULL
, counted_at INTEGER, counted INTEGER, missing INTEGER) STRICT;
CREATE TABLE mailbox_canaries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  mailbox_id INTEGER NOT NULL REFERENCES mailboxes (id) ON DELETE CASCADE,
  ulid TEXT NOT NULL,
  delivery_id INTEGER REFERENCES deliveries (id) ON DELETE SET NULL,
  sent_at INTEGER NOT NULL,
  seen_at INTEGER,
  is_told INTEGER NOT NULL
) STRICT;
CREATE TABLE arrival_addresses (
  id INTEGER PRIMARY KEY,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  UNIQUE (site_id, address)
) STRICT;
CREATE TABLE rule_days (
  rule_id INTEGER NOT NULL REFERENCES inbound_rules (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  matches INTEGER NOT NULL,
  PRIMARY KEY (rule_id, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE rule_tickets (
  rule_id INTEGER NOT NULL REFERENCES inbound_rules (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  PRIMARY KEY (rule_id, at, ticket_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE notifications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  reason TEXT NOT NULL,
  -- Null: about the whole desk.
  site_id INTEGER,
  ticket_id INTEGER REFERENCES tickets (id) ON DELETE CASCADE,
  -- The event that it tells of, if it is one of a ticket.
  event_seq INTEGER,
  payload TEXT NOT NULL,
  -- 0: told by other ways only.
  in_inbox INTEGER NOT NULL,
  -- When it is to be mailed unless it has been read. Null: it was, or is not to be.
  mail_at INTEGER,
  created_at INTEGER NOT NULL,
  read_at INTEGER
) STRICT;
CREATE TABLE ticket_followers (
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  is_muted INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (ticket_id, agent_id)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE storage_days (
  day INTEGER PRIMARY KEY,
  database_bytes INTEGER NOT NULL,
  file_bytes INTEGER NOT NULL,
  free_bytes INTEGER NOT NULL
) STRICT;
CREATE TABLE versions_run (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  version TEXT NOT NULL,
  began_at INTEGER NOT NULL
) STRICT;
CREATE TABLE report_facts (
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  number INTEGER NOT NULL,
  site_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  until_at INTEGER,
  ticket_created_at INTEGER NOT NULL,
  agent_id INTEGER,
  calendar_ms INTEGER,
  working_ms INTEGER,
  amount INTEGER,
  is_last INTEGER NOT NULL,
  PRIMARY KEY (ticket_id, kind, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE report_facts_due (ticket_id INTEGER PRIMARY KEY REFERENCES tickets (id) ON DELETE CASCADE) STRICT;
CREATE TABLE saved_reports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Null: made by a token or the command line, or its agent is gone. Such a report is shared.
  agent_id INTEGER REFERENCES agents (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  report TEXT NOT NULL,
  -- The names and types of the report's query.
  query TEXT NOT NULL,
  is_shared INTEGER NOT NULL,
  -- The sites of who made it, as they were then. Null: every site.
  site_ids TEXT,
  -- When it is mailed; null: never.
  schedule TEXT,
  next_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE report_readers (
  report_id INTEGER NOT NULL REFERENCES saved_reports (id) ON DELETE CASCADE,
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  PRIMARY KEY (report_id, agent_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE triggers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  is_active INTEGER NOT NULL,
  events TEXT NOT NULL,
  match TEXT NOT NULL,
  conditions TEXT NOT NULL,
  actions TEXT NOT NULL,
  stop_processing INTEGER NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE automation_days (
  kind TEXT NOT NULL,
  rule_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  ran INTEGER NOT NULL,
  matched INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  PRIMARY KEY (kind, rule_id, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE automation_runs (
  first_seq INTEGER PRIMARY KEY,
  last_seq INTEGER NOT NULL,
  cause_seq INTEGER,
  kind TEXT NOT NULL,
  rule_id INTEGER NOT NULL,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  at INTEGER NOT NULL
) STRICT;
CREATE TABLE automation_replies (
  kind TEXT NOT NULL,
  rule_id INTEGER NOT NULL,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  times INTEGER NOT NULL,
  PRIMARY KEY (ticket_id, kind, rule_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE timed_rules (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  is_active INTEGER NOT NULL,
  since TEXT NOT NULL,
  minutes INTEGER NOT NULL,
  time TEXT NOT NULL,
  match TEXT NOT NULL,
  conditions TEXT NOT NULL,
  actions TEXT NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE timed_rule_progress (
  rule_id INTEGER PRIMARY KEY REFERENCES timed_rules (id) ON DELETE CASCADE,
  passed_at INTEGER NOT NULL,
  passed_id INTEGER NOT NULL
) STRICT;
CREATE TABLE ticket_moments (
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  since TEXT NOT NULL,
  site_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (ticket_id, since)
) STRICT, WITHOUT ROWID;
CREATE TABLE moment_gatherings (
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  since TEXT NOT NULL,
  after_id INTEGER NOT NULL,
  PRIMARY KEY (site_id, since)
) STRICT, WITHOUT ROWID;
CREATE TABLE recurring_tickets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  is_active INTEGER NOT NULL,
  schedule TEXT NOT NULL,
  ticket TEXT NOT NULL,
  next_at INTEGER,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE board_links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  -- Null: made on the command line. A link goes with its agent.
  agent_id INTEGER REFERENCES agents (id) ON DELETE CASCADE,
  -- Null: every site.
  site_ids TEXT,
  secret_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE teams (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  -- Who has so many open tickets gets no more from automatic assignment. Null: as many as there are.
  max_open_per_agent INTEGER,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL
, wait_minutes INTEGER, returns_when_away INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE team_members (
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  -- The number of their last turn in the team; 0 before the first. Who has waited longest is next.
  turn INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (team_id, agent_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE team_sites (
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  PRIMARY KEY (team_id, site_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE team_waits (
  ticket_id INTEGER PRIMARY KEY REFERENCES tickets (id) ON DELETE CASCADE,
  team_id INTEGER NOT NULL,
  since INTEGER NOT NULL
) STRICT;
CREATE TABLE search_rebuilds (
  -- ticket_search or author_search
  name TEXT PRIMARY KEY,
  next_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO ticket_search (ticket_search, rank) VALUES ('automerge', 0);
INSERT INTO ticket_search (ticket_search, rank) VALUES ('crisismerge', 1000);
INSERT INTO ticket_search (ticket_search, rank) VALUES ('secure-delete', 1);
INSERT INTO ticket_search (ticket_search, rank) VALUES ('usermerge', 4);
INSERT INTO author_search (author_search, rank) VALUES ('automerge', 0);
INSERT INTO author_search (author_search, rank) VALUES ('crisismerge', 1000);
INSERT INTO author_search (author_search, rank) VALUES ('secure-delete', 1);
INSERT INTO author_search (author_search, rank) VALUES ('usermerge', 4);
INSERT INTO catalogue_version (id, version) VALUES (1, random() >> 11);
INSERT INTO audit_sweeps (id, before) VALUES (1, 0);
INSERT INTO desk_settings (id, name, locale, time_zone, require_second_factor, version, notifications, push_content, agent_reports, mail_server, mail_server_secret_sealed, issuer, issuer_secret_sealed, base_url, inbound_domain, bucket, bucket_secret_sealed, bucket_folders) VALUES (1, 'Helpdesk', 'en', 'UTC', 'off', 1, '{}', 1, 'all', null, null, null, null, null, null, null, null, '[]');
CREATE INDEX channels_by_site ON channels (site_id, sort_order);
CREATE INDEX inbound_rules_by_site ON inbound_rules (site_id, position);
CREATE UNIQUE INDEX agents_by_email ON agents (lower(email));
CREATE INDEX agent_sites_by_site ON agent_sites (site_id);
CREATE INDEX team_tokens_by_site ON team_tokens (site_id);
CREATE UNIQUE INDEX authors_by_external_id ON authors (site_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX authors_by_bare_external_id ON authors (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX authors_by_erased_external_id ON authors (site_id, erased_external_id) WHERE erased_external_id IS NOT NULL;
CREATE INDEX authors_by_erased_email ON authors (site_id, erased_email) WHERE erased_email IS NOT NULL;
CREATE INDEX tickets_by_priority ON tickets (priority_id, status, created_at);
CREATE INDEX tickets_by_merged_into ON tickets (merged_into_id) WHERE merged_into_id IS NOT NULL;
CREATE INDEX tickets_by_sla_next ON tickets (sla_next_at) WHERE sla_next_at IS NOT NULL;
CREATE INDEX tickets_sla_warned ON tickets (status, created_at)
  WHERE first_response_warned_at IS NOT NULL OR resolution_warned_at IS NOT NULL;
CREATE INDEX tickets_sla_paused ON tickets (status, created_at) WHERE sla_paused_at IS NOT NULL;
CREATE INDEX ticket_tags_by_ticket ON ticket_tags (ticket_id);
CREATE INDEX messages_by_ticket ON messages (ticket_id, id);
CREATE INDEX messages_by_author ON messages (author_id) WHERE author_id IS NOT NULL;
CREATE INDEX messages_by_agent ON messages (agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX attachments_by_ticket ON attachments (ticket_id, id);
CREATE INDEX attachments_by_message ON attachments (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX attachments_by_site ON attachments (site_id);
CREATE INDEX events_by_ticket ON events (ticket_id) WHERE ticket_id IS NOT NULL;
CREATE INDEX events_by_site ON events (site_id);
CREATE INDEX sla_intervals_by_ticket ON sla_intervals (ticket_id, id);
CREATE INDEX tickets_resolved ON tickets (site_id, resolved_at) WHERE status = 'resolved';
CREATE INDEX delivery_attempts_by_delivery ON delivery_attempts (delivery_id, id);
CREATE INDEX inbound_mail_by_site ON inbound_mail (site_id, id);
CREATE INDEX inbound_mail_by_outcome ON inbound_mail (site_id, outcome, id);
CREATE INDEX inbound_mail_unfiled ON inbound_mail (id) WHERE status = 'received';
CREATE INDEX inbound_mail_by_message_id ON inbound_mail (site_id, mail_message_id) WHERE mail_message_id IS NOT NULL;
CREATE INDEX inbound_mail_by_sender ON inbound_mail (site_id, sender, received_at);
CREATE INDEX inbound_mail_by_ticket ON inbound_mail (ticket_id) WHERE ticket_id IS NOT NULL;
CREATE INDEX inbound_mail_by_age ON inbound_mail (received_at);
CREATE INDEX deliveries_finished ON deliveries (finished_at)
  WHERE finished_at IS NOT NULL AND (mail_message_id IS NULL OR ticket_id IS NULL);
CREATE INDEX imports_by_site ON imports (site_id);
CREATE INDEX authors_erased ON authors (id) WHERE anonymised_at IS NOT NULL;
CREATE INDEX ticket_faults_by_ticket ON ticket_faults (ticket_id);
CREATE INDEX sla_recomputes_by_site ON sla_recomputes (site_id);
CREATE INDEX tickets_test ON tickets (created_at) WHERE is_test = 1;
CREATE INDEX deliveries_acknowledged ON deliveries (
  CASE WHEN instr(recipient, '+') BETWEEN 2 AND instr(recipient, '@')
    THEN substr(recipient, 1, instr(recipient, '+') - 1) || substr(recipient, instr(recipient, '@')) ELSE recipient END,
  created_at
) WHERE event = 'mail.acknowledgement';
CREATE INDEX tickets_extra ON tickets (id, context -> '$.extra') WHERE context -> '$.extra' IS NOT NULL;
CREATE INDEX audit_log_by_time ON audit_log (at, id, action, actor_type, actor_id, site_id);
CREATE INDEX audit_log_by_action ON audit_log (action, at, id, actor_type, actor_id, site_id);
CREATE INDEX audit_log_by_actor ON audit_log (actor_type, actor_id, at, id, action, site_id);
CREATE INDEX audit_log_by_site ON audit_log (site_id, at, id, action, actor_type, actor_id);
CREATE UNIQUE INDEX agents_by_oidc_subject ON agents (oidc_issuer, oidc_subject) WHERE oidc_subject IS NOT NULL;
CREATE INDEX sessions_by_agent ON sessions (agent_id);
CREATE INDEX sessions_by_use ON sessions (last_used_at);
CREATE INDEX sessions_by_age ON sessions (created_at);
CREATE INDEX sign_in_links_by_agent ON sign_in_links (agent_id);
CREATE INDEX sign_in_links_by_expiry ON sign_in_links (expires_at);
CREATE INDEX passkeys_by_agent ON passkeys (agent_id);
CREATE INDEX challenges_by_agent ON challenges (agent_id);
CREATE INDEX challenges_by_session ON challenges (session_id);
CREATE INDEX challenges_by_expiry ON challenges (expires_at);
CREATE INDEX sign_in_failures_by_age ON sign_in_failures (failed_at);
CREATE INDEX deliveries_forwards ON deliveries (payload ->> 'inbound_id') WHERE event = 'mail.forward';
CREATE INDEX deliveries_waiting ON deliveries (id) WHERE status = 'queued' AND next_at IS NULL;
CREATE INDEX tickets_snoozed ON tickets (snoozed_until) WHERE snoozed_until IS NOT NULL;
CREATE INDEX tickets_spam ON tickets (author_id) WHERE is_spam = 1;
CREATE INDEX tickets_by_split_from ON tickets (split_from_id) WHERE split_from_id IS NOT NULL;
CREATE INDEX tickets_by_site_created ON tickets
  (site_id, status, created_at, id, is_test, is_spam, category_id, priority_id, assignee_id, author_id, sla_marks);
CREATE INDEX tickets_by_site_updated ON tickets
  (site_id, status, updated_at, id, is_test, is_spam, category_id, priority_id, assignee_id, author_id, sla_marks, created_at);
CREATE INDEX tickets_by_site_priority_level ON tickets
  (site_id, status, priority_level, created_at, id, is_test, is_spam, category_id, priority_id, assignee_id, author_id, sla_marks);
CREATE INDEX tickets_by_site_first_response ON tickets
  (site_id, status, first_response_sort, id, is_test, is_spam, category_id, priority_id, assignee_id, author_id, sla_marks, created_at);
CREATE INDEX tickets_by_site_resolution ON tickets
  (site_id, status, resolution_sort, id, is_test, is_spam, category_id, priority_id, assignee_id, author_id, sla_marks, created_at);
CREATE INDEX views_by_agent ON views (agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX views_shared ON views (id) WHERE is_shared = 1;
CREATE INDEX view_positions_by_view ON view_positions (view_id);
CREATE INDEX read_marks_by_ticket ON read_marks (ticket_id);
CREATE INDEX tickets_by_site_next_due ON tickets
  (site_id, status, next_due_sort, id, is_test, is_spam, category_id, priority_id, assignee_id, author_id, sla_marks, created_at);
CREATE INDEX scheduled_replies_due ON scheduled_replies (send_at, id);
CREATE INDEX scheduled_replies_by_ticket ON scheduled_replies (ticket_id);
CREATE INDEX scheduled_replies_by_agent ON scheduled_replies (agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX attachments_by_scheduled_reply ON attachments (scheduled_reply_id) WHERE scheduled_reply_id IS NOT NULL;
CREATE INDEX attachments_by_agent ON attachments (agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX mentions_by_agent ON mentions (agent_id, ticket_id);
CREATE INDEX mentions_by_ticket ON mentions (ticket_id);
CREATE INDEX drafts_by_agent ON drafts (agent_id);
CREATE INDEX macros_by_site ON macros (site_id);
CREATE INDEX macros_by_agent ON macros (agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX tickets_by_assignee ON tickets (assignee_id, status, site_id, is_test, is_spam, snoozed_until);
CREATE INDEX tickets_sla_breached ON tickets (status, site_id, is_test, is_spam)
  WHERE first_response_breached_at IS NOT NULL OR resolution_breached_at IS NOT NULL;
CREATE INDEX tickets_by_author ON tickets (author_id, status, created_at, is_test, is_spam);
CREATE INDEX authors_by_site ON authors (site_id) WHERE anonymised_at IS NULL;
CREATE INDEX customer_links_by_ticket ON customer_links (ticket_id, id);
CREATE INDEX customer_links_by_site ON customer_links (site_id);
CREATE INDEX customer_links_by_delivery ON customer_links (delivery_id) WHERE delivery_id IS NOT NULL;
CREATE INDEX customer_links_by_message ON customer_links (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX customer_visits_by_link ON customer_visits (link_id, id);
CREATE INDEX customer_visits_by_site ON customer_visits (site_id);
CREATE INDEX customer_visits_by_expiry ON customer_visits (expires_at);
CREATE UNIQUE INDEX customer_proofs_by_browser ON customer_proofs (browser_hash, site_id, address);
CREATE INDEX customer_proofs_by_address ON customer_proofs (site_id, address);
CREATE INDEX customer_proofs_by_age ON customer_proofs (proven_at);
CREATE INDEX customer_lists_by_address ON customer_lists (site_id, address);
CREATE INDEX customer_lists_by_expiry ON customer_lists (expires_at);
CREATE INDEX customer_codes_by_address ON customer_codes (site_id, address, created_at);
CREATE INDEX customer_codes_by_asker ON customer_codes (asker_hash, id);
CREATE INDEX customer_codes_by_age ON customer_codes (created_at);
CREATE INDEX messages_by_link ON messages (link_id) WHERE link_id IS NOT NULL;
CREATE INDEX spent_proofs_expired ON spent_proofs (expires_at);
CREATE INDEX form_tickets_by_mailbox ON form_tickets (mailbox, created_at);
CREATE INDEX form_tickets_by_age ON form_tickets (created_at);
CREATE UNIQUE INDEX idempotency_keys_by_key ON idempotency_keys (credential, key);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
CREATE INDEX idempotency_tickets_by_key ON idempotency_tickets (key_id);
CREATE UNIQUE INDEX authors_unverified_by_email ON authors (email, site_id) WHERE external_id IS NULL;
CREATE INDEX authors_known_by_email ON authors (email) WHERE external_id IS NOT NULL;
CREATE INDEX customer_codes_by_site ON customer_codes (site_id, created_at);
CREATE INDEX tickets_unanswered ON tickets (status, last_customer_message_at)
  WHERE last_customer_message_at > coalesce(last_agent_message_at, -1);
CREATE INDEX read_marks_unread ON read_marks (agent_id, ticket_id) WHERE read_at IS NULL;
CREATE INDEX authors_by_domain ON authors (substr(email, instr(email, '@')));
CREATE INDEX tickets_by_category ON tickets (category_id, status, created_at) WHERE category_id IS NOT NULL;
CREATE INDEX tickets_by_sla_policy ON tickets (sla_policy_id) WHERE sla_policy_id IS NOT NULL;
CREATE UNIQUE INDEX participants_by_ticket ON participants (ticket_id, author_id);
CREATE INDEX participants_by_author ON participants (author_id, ticket_id);
CREATE INDEX deliveries_by_ticket ON deliveries (ticket_id, status, channel_id, recipient, id);
CREATE INDEX deliveries_by_channel ON deliveries (channel_id, id, site_id) WHERE channel_id IS NOT NULL;
CREATE INDEX deliveries_by_site ON deliveries (site_id, id, channel_id);
CREATE INDEX deliveries_failed ON deliveries (site_id, id, channel_id) WHERE status = 'failed';
CREATE INDEX deliveries_by_other_mail_id ON deliveries (mail_message_id) WHERE substr(mail_message_id, 2, 26) <> ulid;
CREATE UNIQUE INDEX senders_default ON senders (site_id) WHERE is_default = 1;
CREATE INDEX senders_by_site ON senders (site_id);
CREATE INDEX senders_by_address ON senders (address);
CREATE INDEX tickets_by_sender ON tickets (sender_id) WHERE sender_id IS NOT NULL;
CREATE INDEX scheduled_replies_by_sender ON scheduled_replies (sender_id) WHERE sender_id IS NOT NULL;
CREATE INDEX draft_files_by_agent ON draft_files (agent_id);
CREATE UNIQUE INDEX mail_templates_by_name ON mail_templates (site_id, name, locale);
CREATE INDEX side_conversations_by_ticket ON side_conversations (ticket_id, id);
CREATE INDEX side_messages_by_conversation ON side_messages (side_conversation_id, id);
CREATE INDEX side_messages_by_mail_id ON side_messages (mail_message_id) WHERE mail_message_id IS NOT NULL;
CREATE INDEX side_messages_by_sender ON side_messages (sender_email) WHERE sender_email IS NOT NULL;
CREATE INDEX deliveries_of_side_messages ON deliveries (payload ->> 'side_message_id') WHERE event = 'mail.side_message';
CREATE INDEX deliveries_copies ON deliveries (site_id, recipient) WHERE event = 'mail.reply_copy';
CREATE INDEX messages_by_sender ON messages (sender_id) WHERE sender_id IS NOT NULL;
CREATE INDEX merges_by_target ON merges (target_id);
CREATE INDEX merges_by_age ON merges (created_at);
CREATE INDEX mailboxes_by_site ON mailboxes (site_id);
CREATE INDEX mailbox_messages_by_mark ON mailbox_messages (mailbox_id, mark);
CREATE INDEX mailbox_messages_by_content ON mailbox_messages (mailbox_id, content_mark);
CREATE INDEX mailbox_messages_by_inbound ON mailbox_messages (inbound_id) WHERE inbound_id IS NOT NULL;
CREATE INDEX mailbox_messages_pending ON mailbox_messages (mailbox_id, id) WHERE is_pending = 1;
CREATE INDEX inbound_mail_by_mailbox ON inbound_mail (mailbox_id) WHERE mailbox_id IS NOT NULL;
CREATE INDEX attachments_to_scan ON attachments (scan_next_at) WHERE scan_next_at IS NOT NULL;
CREATE INDEX attachments_infected ON attachments (id) WHERE scan_status = 'infected';
CREATE INDEX draft_files_to_scan ON draft_files (scan_next_at) WHERE scan_next_at IS NOT NULL;
CREATE INDEX inbound_mail_held ON inbound_mail (site_id, held_for, id) WHERE outcome = 'held';
CREATE INDEX deliveries_due ON deliveries (channel_id, mailbox_id, next_at, id, claimed_until, claimed_by, site_id) WHERE status = 'queued';
CREATE INDEX mailbox_messages_by_uid ON mailbox_messages (mailbox_id, uid);
CREATE INDEX mailbox_messages_by_time ON mailbox_messages (mailbox_id, seen_at);
CREATE INDEX mailbox_canaries_by_time ON mailbox_canaries (mailbox_id, sent_at, id);
CREATE INDEX mailbox_canaries_by_delivery ON mailbox_canaries (delivery_id) WHERE delivery_id IS NOT NULL;
CREATE INDEX rule_tickets_by_ticket ON rule_tickets (ticket_id);
CREATE UNIQUE INDEX notifications_once ON notifications (agent_id, event_seq) WHERE event_seq IS NOT NULL;
CREATE INDEX notifications_by_agent ON notifications (agent_id, id);
CREATE INDEX notifications_unread ON notifications (agent_id, id) WHERE read_at IS NULL;
CREATE INDEX notifications_by_ticket ON notifications (ticket_id, agent_id);
CREATE INDEX notifications_by_site ON notifications (site_id);
CREATE INDEX ticket_followers_by_agent ON ticket_followers (agent_id, ticket_id);
CREATE INDEX push_subscriptions_by_agent ON push_subscriptions (agent_id);
CREATE INDEX deliveries_of_pushes ON deliveries (push_subscription_id, status, next_at, id) WHERE push_subscription_id IS NOT NULL;
CREATE INDEX notifications_read ON notifications (read_at) WHERE read_at IS NOT NULL;
CREATE INDEX notifications_mailed ON notifications (agent_id, mail_at) WHERE mail_at IS NOT NULL;
CREATE INDEX report_facts_by_time ON report_facts
  (kind, site_id, at, ticket_id, number, until_at, ticket_created_at, agent_id, calendar_ms, working_ms, amount, is_last);
CREATE INDEX report_facts_by_end ON report_facts (kind, site_id, until_at) WHERE until_at IS NOT NULL;
CREATE INDEX saved_reports_by_agent ON saved_reports (agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX saved_reports_shared ON saved_reports (id) WHERE is_shared = 1;
CREATE INDEX saved_reports_due ON saved_reports (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX report_readers_by_agent ON report_readers (agent_id);
CREATE INDEX triggers_by_site ON triggers (site_id, position);
CREATE INDEX automation_days_by_day ON automation_days (day);
CREATE INDEX automation_runs_by_rule ON automation_runs (kind, rule_id, first_seq);
CREATE INDEX automation_runs_by_ticket ON automation_runs (ticket_id);
CREATE INDEX tickets_by_satisfaction ON tickets (satisfaction, status) WHERE satisfaction IS NOT NULL;
CREATE INDEX inbound_mail_by_time ON inbound_mail (site_id, received_at, id, outcome, processed_at, mailbox_id, held_for, ticket_id)
  WHERE provider <> 'form' AND silent_date IS NULL;
CREATE INDEX timed_rules_by_site ON timed_rules (site_id, position);
CREATE INDEX ticket_moments_by_time ON ticket_moments (site_id, since, at, ticket_id);
CREATE INDEX recurring_tickets_by_site ON recurring_tickets (site_id, position);
CREATE INDEX recurring_tickets_due ON recurring_tickets (next_at) WHERE is_active = 1 AND next_at IS NOT NULL;
CREATE INDEX board_links_by_agent ON board_links (agent_id);
CREATE UNIQUE INDEX teams_by_name ON teams (lower(name));
CREATE INDEX team_members_by_agent ON team_members (agent_id);
CREATE INDEX team_sites_by_site ON team_sites (site_id);
CREATE INDEX tickets_by_team ON tickets (team_id, status, site_id, is_test, is_spam, snoozed_until) WHERE team_id IS NOT NULL;
CREATE INDEX team_waits_by_team ON team_waits (team_id, since);
CREATE INDEX audit_log_by_target ON audit_log (target_type, target_id, at, id, action, actor_type, actor_id, site_id)
  WHERE target_id IS NOT NULL;
CREATE TRIGGER inbound_rule_marks_added AFTER INSERT ON inbound_rules BEGIN
  INSERT OR REPLACE INTO inbound_rule_marks VALUES (NEW.site_id, lower(hex(randomblob(16))));
END;
CREATE TRIGGER inbound_rule_marks_changed AFTER UPDATE ON inbound_rules BEGIN
  UPDATE inbound_rule_marks SET mark = lower(hex(randomblob(16))) WHERE site_id IN (OLD.site_id, NEW.site_id);
END;
CREATE TRIGGER inbound_rule_marks_removed AFTER DELETE ON inbound_rules BEGIN
  UPDATE inbound_rule_marks SET mark = lower(hex(randomblob(16))) WHERE site_id = OLD.site_id;
END;
CREATE TRIGGER sites_added AFTER INSERT ON sites BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER sites_changed AFTER UPDATE ON sites BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER sites_removed AFTER DELETE ON sites BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER categories_added AFTER INSERT ON categories BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER categories_changed AFTER UPDATE ON categories BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER categories_removed AFTER DELETE ON categories BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER priorities_added AFTER INSERT ON priorities BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER priorities_changed AFTER UPDATE ON priorities BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER priorities_removed AFTER DELETE ON priorities BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER custom_fields_added AFTER INSERT ON custom_fields BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER custom_fields_changed AFTER UPDATE ON custom_fields BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER custom_fields_removed AFTER DELETE ON custom_fields BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER channels_added AFTER INSERT ON channels BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER channels_changed AFTER UPDATE ON channels BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER channels_removed AFTER DELETE ON channels BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER inbound_rules_added AFTER INSERT ON inbound_rules BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER inbound_rules_changed AFTER UPDATE ON inbound_rules BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER inbound_rules_removed AFTER DELETE ON inbound_rules BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER audit_log_is_not_changed BEFORE UPDATE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'rows of the audit log never change');
END;
CREATE TRIGGER audit_log_is_kept BEFORE DELETE ON audit_log
WHEN OLD.at >= (SELECT before FROM audit_sweeps)
BEGIN
  SELECT RAISE(ABORT, 'rows of the audit log are kept');
END;
CREATE TRIGGER agents_added AFTER INSERT ON agents BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER agents_changed AFTER UPDATE OF id, name, role, is_active ON agents BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER agents_removed AFTER DELETE ON agents BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER agent_sites_added AFTER INSERT ON agent_sites BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER agent_sites_changed AFTER UPDATE ON agent_sites BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER agent_sites_removed AFTER DELETE ON agent_sites BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER desk_settings_added AFTER INSERT ON desk_settings BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER desk_settings_removed AFTER DELETE ON desk_settings BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER tickets_counted AFTER INSERT ON tickets BEGIN
  INSERT INTO ticket_counts VALUES (new.site_id, new.status, new.is_test, new.is_spam, 1)
    ON CONFLICT DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER tickets_uncounted AFTER DELETE ON tickets BEGIN
  UPDATE ticket_counts SET total = total - 1
    WHERE site_id = old.site_id AND status = old.status AND is_test = old.is_test AND is_spam = old.is_spam;
END;
CREATE TRIGGER tickets_recounted AFTER UPDATE OF status, is_spam ON tickets
WHEN old.status <> new.status OR old.is_spam <> new.is_spam BEGIN
  UPDATE ticket_counts SET total = total - 1
    WHERE site_id = old.site_id AND status = old.status AND is_test = old.is_test AND is_spam = old.is_spam;
  INSERT INTO ticket_counts VALUES (new.site_id, new.status, new.is_test, new.is_spam, 1)
    ON CONFLICT DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER views_without_agent BEFORE DELETE ON agents BEGIN
  DELETE FROM views WHERE agent_id = old.id AND is_shared = 0;
END;
CREATE TRIGGER mentions_moved AFTER UPDATE OF ticket_id ON messages WHEN old.ticket_id <> new.ticket_id BEGIN
  UPDATE mentions SET ticket_id = new.ticket_id WHERE message_id = new.id;
END;
CREATE TRIGGER macros_of_removed_agents BEFORE DELETE ON agents BEGIN
  DELETE FROM macros WHERE agent_id = old.id AND is_shared = 0;
END;
CREATE TRIGGER senders_added AFTER INSERT ON senders BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER senders_changed AFTER UPDATE ON senders BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER senders_removed AFTER DELETE ON senders BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER attachments_take_space AFTER INSERT ON attachments BEGIN
  INSERT INTO site_files (site_id, bytes) VALUES (NEW.site_id, NEW.size)
  ON CONFLICT (site_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER attachments_leave_space AFTER DELETE ON attachments BEGIN
  UPDATE site_files SET bytes = bytes - OLD.size WHERE site_id = OLD.site_id;
END;
CREATE TRIGGER mailboxes_added AFTER INSERT ON mailboxes BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER mailboxes_changed AFTER UPDATE ON mailboxes BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER mailboxes_removed AFTER DELETE ON mailboxes BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER report_facts_of_message AFTER INSERT ON messages WHEN new.is_agent = 1 AND new.is_internal = 0 BEGIN
  INSERT OR IGNORE INTO report_facts_due VALUES (new.ticket_id);
END;
CREATE TRIGGER report_facts_of_changed_message
AFTER UPDATE OF ticket_id, agent_id, is_agent, is_internal, is_automated, created_at ON messages
WHEN old.ticket_id <> new.ticket_id OR old.agent_id IS NOT new.agent_id OR old.is_agent <> new.is_agent
  OR old.is_internal <> new.is_internal OR old.is_automated <> new.is_automated OR old.created_at <> new.created_at BEGIN
  INSERT OR IGNORE INTO report_facts_due SELECT id FROM tickets WHERE id IN (old.ticket_id, new.ticket_id);
END;
CREATE TRIGGER report_facts_of_removed_message AFTER DELETE ON messages WHEN old.is_internal = 0 BEGIN
  INSERT OR IGNORE INTO report_facts_due SELECT id FROM tickets WHERE id = old.ticket_id;
END;
CREATE TRIGGER report_facts_of_event AFTER INSERT ON events
WHEN new.kind IN ('ticket.status_changed', 'ticket.merged', 'ticket.unmerged')
  OR (new.kind = 'ticket.created' AND new.data ->> 'is_silent' IS NOT NULL) BEGIN
  INSERT OR IGNORE INTO report_facts_due SELECT id FROM tickets WHERE id = new.ticket_id;
END;
CREATE TRIGGER report_facts_of_interval AFTER INSERT ON sla_intervals BEGIN
  INSERT OR IGNORE INTO report_facts_due VALUES (new.ticket_id);
END;
CREATE TRIGGER report_facts_of_changed_interval AFTER UPDATE ON sla_intervals BEGIN
  INSERT OR IGNORE INTO report_facts_due VALUES (new.ticket_id);
END;
CREATE TRIGGER report_facts_of_ticket
AFTER UPDATE OF status, is_spam, is_test, sla_policy_id, first_response_from, first_response_at, first_response_due_at,
  first_response_breached_at, resolved_at, resolution_due_at, resolution_breached_at, closed_at ON tickets
WHEN old.status <> new.status OR old.is_spam <> new.is_spam OR old.is_test <> new.is_test
  OR old.sla_policy_id IS NOT new.sla_policy_id
  OR old.first_response_from IS NOT new.first_response_from OR old.first_response_at IS NOT new.first_response_at
  OR old.first_response_due_at IS NOT new.first_response_due_at
  OR old.first_response_breached_at IS NOT new.first_response_breached_at
  OR old.resolved_at IS NOT new.resolved_at OR old.resolution_due_at IS NOT new.resolution_due_at
  OR old.resolution_breached_at IS NOT new.resolution_breached_at OR old.closed_at IS NOT new.closed_at BEGIN
  INSERT OR IGNORE INTO report_facts_due VALUES (new.id);
END;
CREATE TRIGGER report_facts_of_imported_ticket AFTER INSERT ON tickets
WHEN new.resolved_at IS NOT NULL OR new.first_response_at IS NOT NULL OR new.first_response_breached_at IS NOT NULL
  OR new.resolution_breached_at IS NOT NULL BEGIN
  INSERT OR IGNORE INTO report_facts_due VALUES (new.id);
END;
CREATE TRIGGER saved_reports_without_agent BEFORE DELETE ON agents BEGIN
  DELETE FROM saved_reports WHERE agent_id = old.id AND is_shared = 0;
END;
CREATE TRIGGER triggers_added AFTER INSERT ON triggers BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER triggers_changed AFTER UPDATE ON triggers BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER triggers_removed AFTER DELETE ON triggers BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER automation_of_removed_triggers AFTER DELETE ON triggers BEGIN
  DELETE FROM automation_days WHERE kind = 'trigger' AND rule_id = OLD.id;
END;
CREATE TRIGGER report_facts_of_satisfaction AFTER UPDATE OF satisfaction, satisfaction_at ON tickets
WHEN old.satisfaction IS NOT new.satisfaction OR old.satisfaction_at IS NOT new.satisfaction_at BEGIN
  INSERT OR IGNORE INTO report_facts_due VALUES (new.id);
END;
CREATE TRIGGER report_facts_of_imported_satisfaction AFTER INSERT ON tickets WHEN new.satisfaction IS NOT NULL BEGIN
  INSERT OR IGNORE INTO report_facts_due VALUES (new.id);
END;
CREATE TRIGGER timed_rules_added AFTER INSERT ON timed_rules BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER timed_rules_changed AFTER UPDATE ON timed_rules BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER timed_rules_removed AFTER DELETE ON timed_rules BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
  DELETE FROM automation_days WHERE kind = 'timed_rule' AND rule_id = OLD.id;
END;
CREATE TRIGGER recurring_tickets_added AFTER INSERT ON recurring_tickets BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER recurring_tickets_changed AFTER UPDATE ON recurring_tickets BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER recurring_tickets_removed AFTER DELETE ON recurring_tickets BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
  DELETE FROM automation_days WHERE kind = 'recurring_ticket' AND rule_id = OLD.id;
END;
CREATE TRIGGER teams_added AFTER INSERT ON teams BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER teams_changed AFTER UPDATE ON teams BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER teams_removed AFTER DELETE ON teams BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER team_members_added AFTER INSERT ON team_members BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER team_members_removed AFTER DELETE ON team_members BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER team_sites_added AFTER INSERT ON team_sites BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER team_sites_removed AFTER DELETE ON team_sites BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER team_wait_of_new_ticket AFTER INSERT ON tickets
WHEN new.team_id IS NOT NULL AND new.assignee_id IS NULL AND new.status = 'open' AND new.is_spam = 0 AND new.is_test = 0 BEGIN
  INSERT INTO team_waits VALUES (new.id, new.team_id, new.created_at);
END;
CREATE TRIGGER team_wait_of_ticket AFTER UPDATE OF team_id, assignee_id, status, is_spam ON tickets
WHEN (old.team_id IS NOT NULL OR new.team_id IS NOT NULL) AND (old.team_id IS NOT new.team_id
  OR old.assignee_id IS NOT new.assignee_id OR old.status <> new.status OR old.is_spam <> new.is_spam) BEGIN
  DELETE FROM team_waits WHERE ticket_id = new.id;
  INSERT INTO team_waits SELECT new.id, new.team_id, new.updated_at
    WHERE new.team_id IS NOT NULL AND new.assignee_id IS NULL AND new.status = 'open' AND new.is_spam = 0 AND new.is_test = 0;
END;
CREATE TRIGGER desk_settings_changed AFTER UPDATE ON desk_settings BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
