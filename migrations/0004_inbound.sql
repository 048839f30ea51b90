-- The ledger of everything that arrived by mail, and what messages keep of it.

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
) STRICT;
CREATE INDEX inbound_mail_by_site ON inbound_mail (site_id, id);
CREATE INDEX inbound_mail_by_outcome ON inbound_mail (site_id, outcome, id);
CREATE INDEX inbound_mail_unfiled ON inbound_mail (id) WHERE status = 'received';
CREATE INDEX inbound_mail_by_message_id ON inbound_mail (site_id, mail_message_id) WHERE mail_message_id IS NOT NULL;
CREATE INDEX inbound_mail_by_sender ON inbound_mail (site_id, sender, received_at);
CREATE INDEX inbound_mail_by_ticket ON inbound_mail (ticket_id) WHERE ticket_id IS NOT NULL;
CREATE INDEX inbound_mail_by_age ON inbound_mail (received_at);

-- Addresses that mail bounced from for good.
CREATE TABLE mail_suppressions (
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (site_id, address)
) STRICT, WITHOUT ROWID;

ALTER TABLE messages ADD COLUMN html TEXT;
-- All of a mail whose history was folded away from the body.
ALTER TABLE messages ADD COLUMN whole_body TEXT;
ALTER TABLE sites ADD COLUMN last_assigned_agent_id INTEGER;
