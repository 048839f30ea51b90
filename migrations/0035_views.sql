-- Saved views of the ticket list, each agent's order of them, and what each agent has read.

CREATE TABLE views (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Null: made by a token or the command line, or its agent is gone. Such a view is shared.
  agent_id INTEGER REFERENCES agents (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  -- The names and types of the list's query.
  filter TEXT NOT NULL,
  sort TEXT NOT NULL,
  direction TEXT NOT NULL,
  is_shared INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX views_by_agent ON views (agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX views_shared ON views (id) WHERE is_shared = 1;
CREATE TRIGGER views_without_agent BEFORE DELETE ON agents BEGIN
  DELETE FROM views WHERE agent_id = old.id AND is_shared = 0;
END;

CREATE TABLE view_positions (
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  view_id INTEGER NOT NULL REFERENCES views (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  PRIMARY KEY (agent_id, view_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX view_positions_by_view ON view_positions (view_id);

CREATE TABLE read_marks (
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  -- Null: marked as unread.
  read_at INTEGER,
  PRIMARY KEY (agent_id, ticket_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX read_marks_by_ticket ON read_marks (ticket_id);
