-- Streams look for what has been read since their last look.
CREATE INDEX notifications_read ON notifications (read_at) WHERE read_at IS NOT NULL;
