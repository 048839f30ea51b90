-- Whether the desk sends mail to the mailbox itself, and how long each was under way.
ALTER TABLE mailboxes ADD COLUMN has_canary INTEGER NOT NULL DEFAULT 0;
CREATE TABLE mailbox_canaries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  mailbox_id INTEGER NOT NULL REFERENCES mailboxes (id) ON DELETE CASCADE,
  ulid TEXT NOT NULL,
  delivery_id INTEGER REFERENCES deliveries (id) ON DELETE SET NULL,
  sent_at INTEGER NOT NULL,
  seen_at INTEGER,
  is_told INTEGER NOT NULL
) STRICT;
CREATE INDEX mailbox_canaries_by_time ON mailbox_canaries (mailbox_id, sent_at, id);
CREATE INDEX mailbox_canaries_by_delivery ON mailbox_canaries (delivery_id) WHERE delivery_id IS NOT NULL;
