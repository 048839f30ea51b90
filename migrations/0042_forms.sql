-- Forms of customers' pages: what was written into one that waits for an agent, which solutions of challenges were used, and
-- which tickets an address opened within the last hour, as a keyed fingerprint.

ALTER TABLE inbound_mail ADD COLUMN form TEXT;

CREATE TABLE spent_proofs (
  challenge TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX spent_proofs_expired ON spent_proofs (expires_at);

CREATE TABLE form_tickets (
  ticket_id INTEGER PRIMARY KEY REFERENCES tickets (id) ON DELETE CASCADE,
  mailbox TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX form_tickets_by_mailbox ON form_tickets (mailbox, created_at);
CREATE INDEX form_tickets_by_age ON form_tickets (created_at);
