-- Links to the live board, for screens that no one signs in to (docs/spec/reports.md#live-board).
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
CREATE INDEX board_links_by_agent ON board_links (agent_id);
