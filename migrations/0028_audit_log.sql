-- The audit log: who changed what of the desk, and who signed in. Rows are only added; the sweep removes the old ones.

CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  actor_type TEXT NOT NULL,
  actor_id INTEGER,
  actor_name TEXT,
  -- Where the request came from. Null for the command line and the desk itself.
  address TEXT,
  -- The site that it concerns, when that is exactly one. A row outlives its site.
  site_id INTEGER,
  target_type TEXT NOT NULL,
  target_id INTEGER,
  target_name TEXT,
  before TEXT,
  after TEXT
) STRICT;

-- Each index has every column that filters ask for, so that a filter is decided without reading the row.
CREATE INDEX audit_log_by_time ON audit_log (at, id, action, actor_type, actor_id, site_id);
CREATE INDEX audit_log_by_action ON audit_log (action, at, id, actor_type, actor_id, site_id);
CREATE INDEX audit_log_by_actor ON audit_log (actor_type, actor_id, at, id, action, site_id);
CREATE INDEX audit_log_by_site ON audit_log (site_id, at, id, action, actor_type, actor_id);

-- Rows from before this moment can be removed.
CREATE TABLE audit_sweeps (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  before INTEGER NOT NULL
) STRICT;
INSERT INTO audit_sweeps VALUES (1, 0);

CREATE TRIGGER audit_log_is_not_changed BEFORE UPDATE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'rows of the audit log never change');
END;
CREATE TRIGGER audit_log_is_kept BEFORE DELETE ON audit_log
WHEN OLD.at >= (SELECT before FROM audit_sweeps)
BEGIN
  SELECT RAISE(ABORT, 'rows of the audit log are kept');
END;
