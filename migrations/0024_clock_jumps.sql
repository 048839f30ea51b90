-- When the machine's clock jumped by more than an hour while the desk ran: what it said before and after.

CREATE TABLE clock_jumps (
  id INTEGER PRIMARY KEY,
  before INTEGER NOT NULL,
  after INTEGER NOT NULL,
  -- The machine slept, and the clock is right.
  is_suspension INTEGER NOT NULL CHECK (is_suspension IN (0, 1))
) STRICT;
