-- When the writer of a note changed its text last.
ALTER TABLE messages ADD COLUMN edited_at INTEGER;
