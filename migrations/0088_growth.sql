-- How much the desk had on each day, and which versions wrote to it.
CREATE TABLE storage_days (
  day INTEGER PRIMARY KEY,
  database_bytes INTEGER NOT NULL,
  file_bytes INTEGER NOT NULL,
  free_bytes INTEGER NOT NULL
) STRICT;
CREATE TABLE versions_run (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  version TEXT NOT NULL,
  began_at INTEGER NOT NULL
) STRICT;
