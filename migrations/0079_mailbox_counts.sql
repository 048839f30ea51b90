-- The last daily comparison of a mailbox's folder with what the desk has of it.
ALTER TABLE mailbox_checks ADD COLUMN counted_at INTEGER;
ALTER TABLE mailbox_checks ADD COLUMN counted INTEGER;
ALTER TABLE mailbox_checks ADD COLUMN missing INTEGER;
CREATE INDEX mailbox_messages_by_uid ON mailbox_messages (mailbox_id, uid);
-- How long the pauses between messages were.
CREATE INDEX mailbox_messages_by_time ON mailbox_messages (mailbox_id, seen_at);
