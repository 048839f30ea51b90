-- Whether a channel also gets the events of test tickets.
ALTER TABLE channels ADD COLUMN include_test INTEGER NOT NULL DEFAULT 0;
