-- Full-text documents that are still to be written in the form that searches have now (src/domain/lists/search-form.ts):
-- this one and all before it. A job goes through them beside the desk's work, from the newest.
CREATE TABLE search_rebuilds (
  -- ticket_search or author_search
  name TEXT PRIMARY KEY,
  next_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO search_rebuilds (name, next_id)
SELECT * FROM (
  SELECT 'ticket_search' AS name, (SELECT max(id) FROM tickets) AS next_id
  UNION ALL
  SELECT 'author_search', (SELECT max(id) FROM authors)
) WHERE next_id IS NOT NULL;
