-- Sites that are gone for everybody and whose rows are being removed a few at a time: how far that has come, so that a crash
-- does not end it half-way.

CREATE TABLE site_removals (
  site_id INTEGER PRIMARY KEY REFERENCES sites (id) ON DELETE CASCADE,
  -- How many tickets there were.
  tickets INTEGER NOT NULL,
  -- The last event that was blanked, and the last one that is to be.
  after_seq INTEGER NOT NULL DEFAULT 0,
  until_seq INTEGER NOT NULL,
  started_at INTEGER NOT NULL
) STRICT;
