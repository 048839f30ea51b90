-- Saved reports, and the agents who get one by mail (docs/spec/reports.md#saved-reports).
CREATE TABLE saved_reports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Null: made by a token or the command line, or its agent is gone. Such a report is shared.
  agent_id INTEGER REFERENCES agents (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  report TEXT NOT NULL,
  -- The names and types of the report's query.
  query TEXT NOT NULL,
  is_shared INTEGER NOT NULL,
  -- The sites of who made it, as they were then. Null: every site.
  site_ids TEXT,
  -- When it is mailed; null: never.
  schedule TEXT,
  next_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX saved_reports_by_agent ON saved_reports (agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX saved_reports_shared ON saved_reports (id) WHERE is_shared = 1;
CREATE INDEX saved_reports_due ON saved_reports (next_at) WHERE next_at IS NOT NULL;
CREATE TRIGGER saved_reports_without_agent BEFORE DELETE ON agents BEGIN
  DELETE FROM saved_reports WHERE agent_id = old.id AND is_shared = 0;
END;

CREATE TABLE report_readers (
  report_id INTEGER NOT NULL REFERENCES saved_reports (id) ON DELETE CASCADE,
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  PRIMARY KEY (report_id, agent_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX report_readers_by_agent ON report_readers (agent_id);
