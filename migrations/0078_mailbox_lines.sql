-- Mail that leaves through a mailbox's own server has a line of its own, so that a server that hangs holds up no other.
ALTER TABLE deliveries ADD COLUMN mailbox_id INTEGER;
DROP INDEX deliveries_due;
CREATE INDEX deliveries_due ON deliveries (channel_id, mailbox_id, next_at, id, claimed_until, claimed_by, site_id) WHERE status = 'queued';
