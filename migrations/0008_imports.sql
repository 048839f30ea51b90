-- Sites that came from another desk: which export became which site, and while one is under way, what became of its rows.

CREATE TABLE imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The export's own ulid, and the slug that it was asked to come under.
  name TEXT NOT NULL UNIQUE,
  site_id INTEGER REFERENCES sites (id) ON DELETE CASCADE,
  -- Rises each time that it is begun or taken up again: a row that is met twice in one run is one too many.
  run INTEGER NOT NULL,
  finished_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX imports_by_site ON imports (site_id);

CREATE TABLE import_rows (
  import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  old TEXT NOT NULL,
  new_id INTEGER NOT NULL,
  -- Where a ulid was taken already.
  new_ulid TEXT,
  run INTEGER NOT NULL,
  PRIMARY KEY (import_id, kind, old)
) STRICT, WITHOUT ROWID;
