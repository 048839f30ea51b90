-- What an erasure has to find again to be complete.

-- Which tickets the answer kept for an Idempotency-Key tells of: the person is taken out of it too.
CREATE TABLE idempotency_tickets (
  ticket_id INTEGER NOT NULL,
  credential TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (ticket_id, credential, key),
  FOREIGN KEY (credential, key) REFERENCES idempotency_keys (credential, key) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_tickets_by_key ON idempotency_tickets (credential, key);

-- Mails whose .eml files, where there is no mail server, are still to be removed.
CREATE TABLE erased_letters (mail_message_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- Full-text indexes that still hold words of removed documents.
CREATE TABLE search_purges (
  name TEXT PRIMARY KEY,
  is_under_way INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO search_purges
SELECT column1, 0 FROM (VALUES ('ticket_search'), ('author_search'))
WHERE EXISTS (SELECT 1 FROM authors WHERE anonymised_at IS NOT NULL);
