-- Erasures of people with many tickets: which tickets are left, and whom to take out of them, sealed under the desk's key.

CREATE TABLE erasures_under_way (
  author_id INTEGER PRIMARY KEY REFERENCES authors (id) ON DELETE CASCADE,
  person_sealed TEXT NOT NULL
) STRICT;
CREATE TABLE erasure_tickets (
  author_id INTEGER NOT NULL REFERENCES authors (id) ON DELETE CASCADE,
  ticket_id INTEGER NOT NULL,
  PRIMARY KEY (author_id, ticket_id)
) STRICT, WITHOUT ROWID;
