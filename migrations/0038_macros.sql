-- Macros: text with variables, and changes, that agents apply to tickets.

CREATE TABLE macros (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Null: for every site.
  site_id INTEGER REFERENCES sites (id) ON DELETE CASCADE,
  -- Whose it is. Null if a tool made it, or its agent is gone.
  agent_id INTEGER REFERENCES agents (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  body TEXT NOT NULL,
  body_format TEXT NOT NULL,
  changes TEXT NOT NULL,
  is_shared INTEGER NOT NULL,
  position INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX macros_by_site ON macros (site_id);
CREATE INDEX macros_by_agent ON macros (agent_id) WHERE agent_id IS NOT NULL;

-- No one else could ever see them.
CREATE TRIGGER macros_of_removed_agents BEFORE DELETE ON agents BEGIN
  DELETE FROM macros WHERE agent_id = old.id AND is_shared = 0;
END;
