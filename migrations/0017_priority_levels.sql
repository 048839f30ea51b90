-- Priorities whose level was changed and whose tickets, which sort by a copy of it, are being brought after it.

CREATE TABLE priority_levels (
  priority_id INTEGER PRIMARY KEY REFERENCES priorities (id) ON DELETE CASCADE,
  -- The last ticket that was looked at.
  after_id INTEGER NOT NULL
) STRICT;
