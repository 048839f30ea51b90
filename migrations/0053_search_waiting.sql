-- Tickets and authors whose full-text documents are written a moment after the change, many at once.
CREATE TABLE search_waiting (
  seq INTEGER PRIMARY KEY,
  -- ticket_search or author_search
  name TEXT NOT NULL,
  id INTEGER NOT NULL
) STRICT;
