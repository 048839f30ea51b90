-- A commit of many new tickets writes fewer pages: answers lie in the order in which they were given, and only the index of their keys has no order.

ALTER TABLE idempotency_tickets RENAME TO old_idempotency_tickets;
ALTER TABLE idempotency_keys RENAME TO old_idempotency_keys;
DROP INDEX idempotency_tickets_by_key;
DROP INDEX idempotency_keys_by_age;

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
INSERT INTO idempotency_keys (credential, key, fingerprint, status, answer_sealed, created_at)
  SELECT credential, key, fingerprint, status, answer_sealed, created_at FROM old_idempotency_keys ORDER BY created_at;
CREATE UNIQUE INDEX idempotency_keys_by_key ON idempotency_keys (credential, key);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Which tickets an answer tells of: a person who is erased is taken out of it too.
CREATE TABLE idempotency_tickets (
  ticket_id INTEGER NOT NULL,
  key_id INTEGER NOT NULL REFERENCES idempotency_keys (id) ON DELETE CASCADE,
  PRIMARY KEY (ticket_id, key_id)
) STRICT, WITHOUT ROWID;
INSERT INTO idempotency_tickets (ticket_id, key_id)
  SELECT ticket_id, idempotency_keys.id FROM old_idempotency_tickets JOIN idempotency_keys USING (credential, key);
CREATE INDEX idempotency_tickets_by_key ON idempotency_tickets (key_id);

DROP TABLE old_idempotency_tickets;
DROP TABLE old_idempotency_keys;

-- Nothing reads it.
DROP INDEX deliveries_by_recipient;

-- An address of a person whom no application knows stands in one index instead of two.
DROP INDEX authors_unverified_by_email;
DROP INDEX authors_by_email;
CREATE UNIQUE INDEX authors_unverified_by_email ON authors (email, site_id) WHERE external_id IS NULL;
CREATE INDEX authors_known_by_email ON authors (email) WHERE external_id IS NOT NULL;
