-- People beside its author who take part in a ticket by mail.

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
CREATE UNIQUE INDEX participants_by_ticket ON participants (ticket_id, author_id);
CREATE INDEX participants_by_author ON participants (author_id, ticket_id);
