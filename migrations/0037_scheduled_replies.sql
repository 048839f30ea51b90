-- Replies that are not sent yet. They are in a table of their own, so that nothing that reads messages can show one too early.
CREATE TABLE scheduled_replies (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The message gets it when it is sent.
  ulid TEXT NOT NULL UNIQUE,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  agent_id INTEGER REFERENCES agents (id) ON DELETE SET NULL,
  agent_name TEXT NOT NULL,
  body TEXT NOT NULL,
  body_format TEXT NOT NULL,
  html TEXT,
  -- The ids of the agents, as JSON.
  mentions TEXT NOT NULL,
  -- The ticket's new status once it is sent.
  status TEXT,
  actor TEXT NOT NULL,
  send_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX scheduled_replies_due ON scheduled_replies (send_at, id);
CREATE INDEX scheduled_replies_by_ticket ON scheduled_replies (ticket_id);
CREATE INDEX scheduled_replies_by_agent ON scheduled_replies (agent_id) WHERE agent_id IS NOT NULL;

ALTER TABLE attachments ADD COLUMN scheduled_reply_id INTEGER REFERENCES scheduled_replies (id) ON DELETE SET NULL;
CREATE INDEX attachments_by_scheduled_reply ON attachments (scheduled_reply_id) WHERE scheduled_reply_id IS NOT NULL;
-- Who uploaded it, of the agents who signed in.
ALTER TABLE attachments ADD COLUMN agent_id INTEGER REFERENCES agents (id) ON DELETE SET NULL;
CREATE INDEX attachments_by_agent ON attachments (agent_id) WHERE agent_id IS NOT NULL;

-- Agents whom a message mentions. The ticket is the message's, so that a list of their tickets walks one index.
CREATE TABLE mentions (
  message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  PRIMARY KEY (message_id, agent_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mentions_by_agent ON mentions (agent_id, ticket_id);
CREATE INDEX mentions_by_ticket ON mentions (ticket_id);
CREATE TRIGGER mentions_moved AFTER UPDATE OF ticket_id ON messages WHEN old.ticket_id <> new.ticket_id BEGIN
  UPDATE mentions SET ticket_id = new.ticket_id WHERE message_id = new.id;
END;

-- What an agent has written on a ticket and not sent.
CREATE TABLE drafts (
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  body TEXT NOT NULL,
  body_format TEXT NOT NULL,
  -- reply or note
  tab TEXT NOT NULL,
  -- The ids of loose attachments, as JSON.
  attachment_ids TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (ticket_id, agent_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX drafts_by_agent ON drafts (agent_id);
