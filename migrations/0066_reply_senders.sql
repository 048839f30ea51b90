-- The sender that a reply was from. Null: the one of its ticket.
ALTER TABLE messages ADD COLUMN sender_id INTEGER REFERENCES senders (id) ON DELETE SET NULL;
CREATE INDEX messages_by_sender ON messages (sender_id) WHERE sender_id IS NOT NULL;

-- Whom a draft goes to and what else it holds beside its text, as JSON.
ALTER TABLE drafts ADD COLUMN fields TEXT NOT NULL DEFAULT '{}';
