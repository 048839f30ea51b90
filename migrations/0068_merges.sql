-- What each merge moved, so that it can be undone for 30 days. Only ids, tags and states: no words of messages.
CREATE TABLE merges (
  -- The ticket that was merged.
  source_id INTEGER PRIMARY KEY REFERENCES tickets (id) ON DELETE CASCADE,
  target_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  -- The actor, as in events.
  merged_by TEXT NOT NULL,
  -- As JSON.
  moved TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX merges_by_target ON merges (target_id);
CREATE INDEX merges_by_age ON merges (created_at);
