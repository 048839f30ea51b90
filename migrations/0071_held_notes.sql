-- Notes can be held like replies, so that they can be taken back.
ALTER TABLE scheduled_replies ADD COLUMN is_internal INTEGER NOT NULL DEFAULT 0;
