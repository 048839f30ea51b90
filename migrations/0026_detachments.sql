-- Categories, agents and channels that are gone for everybody, and that very many rows still name: these let go of them a few
-- at a time, and then the row itself goes.

CREATE TABLE detachments (
  -- The table that the row is in.
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
