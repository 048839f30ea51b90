-- Recomputations of a site's clocks that are under way: how far each has come, so that a crash does not end it half-way.

CREATE TABLE sla_recomputes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- Who asked for it, for the history.
  actor TEXT NOT NULL,
  -- The last ticket that was looked at.
  after_id INTEGER NOT NULL DEFAULT 0,
  stepped_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sla_recomputes_by_site ON sla_recomputes (site_id);
