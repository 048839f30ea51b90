-- Channels that were enabled and are catching up: which failed deliveries are queued again, and how far that has come.

CREATE TABLE channel_catch_ups (
  channel_id INTEGER PRIMARY KEY REFERENCES channels (id) ON DELETE CASCADE,
  last_success_at INTEGER NOT NULL,
  held_since INTEGER NOT NULL,
  after_id INTEGER NOT NULL
) STRICT;

-- The few that are claimed, and those that wait behind another one: a start looks at nothing else.
CREATE INDEX deliveries_claimed ON deliveries (claimed_by) WHERE status = 'queued' AND claimed_until > 0;
CREATE INDEX deliveries_waiting ON deliveries (id) WHERE status = 'queued' AND next_at IS NULL;

-- Lists of deliveries are filtered and counted by what these hold.
DROP INDEX deliveries_by_channel;
DROP INDEX deliveries_by_site;
CREATE INDEX deliveries_by_channel ON deliveries (channel_id, id, status);
CREATE INDEX deliveries_by_site ON deliveries (site_id, id, channel_id, status);
